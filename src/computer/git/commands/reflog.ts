import { fatal, GitError } from '../errors.ts';
import { formatDate } from '../history/dates.ts';
import { parseSignature } from '../objects/commit.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { expandRef } from '../refs/named-ref.ts';

export const reflog: Command = (git, args) => {
	const [first, ...rest] = args;
	if (first === 'expire') throw fatal("entries of the reflog stay here: 'git reflog expire' is not done");
	if (first === 'delete') return deleteEntries(git, rest);
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
