import { fatal, GitError } from '../errors.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/revision.ts';
import { log } from './log.ts';

export const reflog: Command = (git, args) => {
	const [first, ...rest] = args;
	if (first === 'expire') throw fatal("entries of the reflog stay here: 'git reflog expire' is not done");
	if (first === 'delete') return deleteEntries(git, rest);
	if (first === 'exists') {
		const ref = rest[0] === undefined ? null : expandRef(git.repository, rest[0]);
		return ref !== null && git.repository.refs.reflog(ref).length > 0 ? 0 : 1;
	}
	return log(git, ['-g', '--abbrev-commit', '--pretty=oneline', ...(first === 'show' ? rest : args)]);
};

/** `reflog delete main@{1}…` */
function deleteEntries(git: Invocation, args: string[]): number {
	const options = parseOptions(
		'reflog delete [--rewrite] [--updateref] [--dry-run | -n] [--verbose] <ref>@{<n>}...',
		args,
		{
			rewrite: '--rewrite',
			updateRef: '--updateref',
			dryRun: '-n --dry-run',
			verbose: '--verbose'
		}
	);
	const { repository } = git;
	if (options.operands.length === 0) throw fatal('no reflog specified to delete');
	for (const text of options.operands) {
		const [, name = '', digits = ''] = /^(.*)@\{(\d+)\}$/.exec(text) ?? [];
		if (digits === '') throw new GitError(`error: not a reflog: ${text}`, 255);
		const ref = name === '' || name === 'HEAD' ? 'HEAD' : expandRef(repository, name);
		if (ref === null) throw new GitError(`error: no reflog for '${text}'`, 255);
		const entries = repository.refs.reflog(ref);
		const at = Number(digits);
		const [gone] = entries.splice(at, 1);
		if (!gone || options.has('dryRun')) continue;
		const newer = entries[at - 1];
		if (options.has('rewrite') && newer) newer.from = gone.from;
		repository.refs.writeReflog(ref, entries);
		const top = entries[0];
		if (options.has('updateRef') && at === 0 && top) repository.refs.note(ref, top.to);
	}
	return 0;
}
