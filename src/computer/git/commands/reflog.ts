import { fatal, GitError } from '../errors.ts';
import { formatDate } from '../history/dates.ts';
import { parseSignature } from '../objects/commit.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/revision.ts';

export const reflog: Command = (git, args) => {
	const [first, ...rest] = args;
	if (first === 'expire' || first === 'delete')
		throw fatal(`entries of the reflog stay here: 'git reflog ${first}' is not done`);
	if (first === 'exists') {
		const ref = rest[0] === undefined ? null : expandRef(git.repository, rest[0]);
		return ref !== null && git.repository.refs.reflog(ref).length > 0 ? 0 : 1;
	}
	const options = parseOptions('reflog [show] [<log-options>] [<ref>]', first === 'show' ? rest : args, {
		count: '-n --max-count -<number> =',
		date: '--date =',
		decorate: '--no-decorate --decorate ?',
		noAbbreviate: '--no-abbrev-commit --no-abbrev',
		oneline: '--oneline'
	});
	const { repository } = git;
	const name = options.operands[0] ?? 'HEAD';
	const ref = name === 'HEAD' ? 'HEAD' : name === 'stash' ? 'refs/stash' : expandRef(repository, name);
	if (ref === null) {
		throw fatal(
			`ambiguous argument '${name}': unknown revision or path not in the working tree.\n` +
				"Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'"
		);
	}
	if (ref === 'HEAD' && repository.head() === null) {
		throw fatal(`your current branch '${repository.refs.currentBranch() ?? 'HEAD'}' does not have any commits yet`);
	}
	const limit = Number(options.get('count') ?? Infinity);
	const form = options.get('date');
	for (const [i, { to, who, message }] of repository.refs.reflog(ref).slice(0, limit).entries()) {
		const id = options.has('noAbbreviate') ? to : repository.objects.abbreviate(to);
		const place = form === undefined ? i : formatDate(parseSignature(who), form, repository.files.now());
		if (place === null) throw new GitError(`fatal: unknown date format ${form}`, 128);
		git.out(`${id} ${name}@{${place}}: ${message}\n`);
	}
	return 0;
};
