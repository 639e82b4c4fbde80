import { GitError } from '../errors.ts';
import { formatCommit, parseFormat } from '../history/format.ts';
import { historyFilter, HISTORY_OPTIONS, touches } from '../history/filter.ts';
import { ancestors, parseRange, walkHistory } from '../history/walk.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { resolveCommit } from '../refs/revision.ts';
import { splitRevisions } from '../revision-arguments.ts';
import { Pathspec } from '../worktree/pathspec.ts';

const USAGE = 'rev-list [<options>] <commit>... [--] [<path>...]';

export const revList: Command = (git, args) => {
	const options = parseOptions(USAGE, args, {
		...HISTORY_OPTIONS,
		countOnly: '--count',
		leftRight: '--left-right',
		parents: '--parents',
		oneline: '--oneline',
		abbreviate: '--abbrev-commit',
		format: '--format --pretty =',
		order: '--topo-order --date-order'
	});
	const { repository } = git;
	const { revisions, paths } = splitRevisions(repository, options);
	const all = options.has('all') ? repository.refs.list('refs/').map(({ id }) => repository.peeled(id)) : [];
	const names = [...revisions, ...all];
	if (names.length === 0) throw new GitError(`usage: git ${USAGE}`, 129);
	const range = parseRange(repository, names);
	const pathspec = new Pathspec(repository, paths);
	const wanted = historyFilter(repository, options);
	const limit = Number(options.get('count') ?? Infinity);
	let skip = Number(options.get('skip') ?? 0);
	const found = [];
	for (const revision of walkHistory(repository, range, options.has('firstParent'))) {
		if (found.length >= limit) break;
		if (!wanted(revision) || !touches(repository, revision, pathspec) || skip-- > 0) continue;
		found.push(revision);
	}
	const three = revisions.find((text) => text.includes('...'))?.split('...');
	const left =
		options.has('leftRight') && three ? ancestors(repository, [resolveCommit(repository, three[0] || 'HEAD')]) : null;
	if (options.has('countOnly')) {
		const onLeft = left ? found.filter(({ id }) => left.has(id)).length : 0;
		git.out(left ? `${onLeft}\t${found.length - onLeft}\n` : `${found.length}\n`);
		return 0;
	}
	const form = options.get('format');
	for (const revision of options.has('reverse') ? found.reverse() : found) {
		const { id, commit } = revision;
		const sign = left === null ? '' : left.has(id) ? '<' : '>';
		const name = options.has('oneline') || options.has('abbreviate') ? repository.objects.abbreviate(id) : id;
		if (options.has('oneline') || form === 'oneline') {
			const text = formatCommit(repository, revision, {
				...parseFormat('oneline'),
				abbreviate: options.has('oneline'),
				date: 'default',
				decorate: false
			});
			git.out(`${sign}${text}\n`);
			continue;
		}
		git.out(
			`${form === undefined ? '' : 'commit '}${sign}${name}${options.has('parents') ? commit.parents.map((parent) => ` ${parent}`).join('') : ''}\n`
		);
		if (form === undefined) continue;
		const text = formatCommit(repository, revision, {
			...parseFormat(form),
			abbreviate: false,
			date: 'default',
			decorate: false
		});
		if (text !== '') git.out(`${text}\n`);
	}
	return 0;
};
