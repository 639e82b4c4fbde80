import { fatal, GitError } from '../errors.ts';
import { forkPoint, independent, isAncestor, mergeBasesOfAll, octopusBases } from '../history/walk.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';
import { findRevision, resolveCommit, notAnObject } from '../refs/revision.ts';

const USAGE = 'merge-base [-a | --all] <commit> <commit>...';

export const mergeBase: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		all: '-a --all',
		isAncestor: '--is-ancestor',
		forkPoint: '--fork-point',
		octopus: '--octopus',
		independent: '--independent'
	});
	const { repository } = git;
	const { operands } = options;
	const least = options.has('forkPoint') || options.has('independent') || options.has('octopus') ? 1 : 2;
	if (operands.length < least) throw new GitError(`usage: git ${USAGE}`, 129);
	if (options.has('forkPoint')) return printForkPoint(git, operands);
	const ids = operands.map((text) => commitOf(git, text));
	const [first = '', ...others] = ids;
	if (options.has('isAncestor')) {
		if (others.length !== 1) throw fatal('--is-ancestor takes exactly two commits');
		return isAncestor(repository, first, others[0]!) ? 0 : 1;
	}
	const found = options.has('independent')
		? independent(repository, ids)
		: options.has('octopus')
			? octopusBases(repository, ids)
			: mergeBasesOfAll(repository, first, others);
	const shown = options.has('all') || options.has('independent') ? found : found.slice(0, 1);
	for (const id of shown) git.out(`${id}\n`);
	return found.length > 0 ? 0 : 1;
};

function commitOf({ repository }: Invocation, text: string): string {
	if (findRevision(repository, text) === null) throw notAnObject(repository, text);
	return resolveCommit(repository, text);
}

function printForkPoint(git: Invocation, [name = '', text = 'HEAD']: readonly string[]): number {
	const { repository } = git;
	const ref = expandRef(repository, name);
	if (ref === null) throw fatal(`No such ref: '${name}'`);
	const tips = repository.refs.reflog(ref).flatMap(({ from, to }) => [from, to]);
	const now = repository.refs.resolve(ref);
	const found = forkPoint(repository, [...tips, ...(now === null ? [] : [now])], commitOf(git, text));
	if (found === null) return 1;
	git.out(`${found}\n`);
	return 0;
}
