import { failure, fatal, GitError } from '../errors.ts';
import { parseSignature } from '../objects/commit.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { referenceNamed } from '../refs/named-ref.ts';
import { agoDate } from '../history/dates.ts';
import { parseDate } from '../config/identity.ts';
import { rewriteChain } from '../refs/reflog-chain.ts';
import type { ReflogEntry } from '../refs/refs.ts';
import { log } from './log.ts';
import { expireReflogs } from './reflog-expire.ts';

export const reflog: Command = (git, args) => {
	const [first, ...rest] = args;
	if (first === 'expire') return expireReflogs(git, rest);
	if (first === 'delete') return deleteEntries(git, rest);
	if (first === 'exists') return exists(git, rest);
	const shown = first === 'show' ? rest : args;
	if (shown.length === 1 && shown[0] === '-h') parseOptions('reflog [show] [<log-options>] [<ref>]', shown, {});
	return log(git, ['-g', '--abbrev-commit', '--pretty=oneline', ...shown]);
};

function exists({ repository: { refs } }: Invocation, args: string[]): number {
	const options = parseOptions('reflog exists <ref>', args, {});
	const [name] = [...options.operands, ...(options.paths ?? [])];
	if (name === undefined) throw new GitError('usage: git reflog exists <ref>', 129);
	return refs.hasReflog(name) ? 0 : 1;
}

/** Runs `reflog delete main@{1}…`. */
function deleteEntries(git: Invocation, args: string[]): number {
	const options = parseOptions(
		'reflog delete [--rewrite] [--updateref] [--dry-run | -n] [--verbose] <ref>@{<specifier>}...',
		args,
		{ rewrite: '--rewrite', updateRef: '--updateref', dryRun: '-n --dry-run', verbose: '--verbose' }
	);
	const { refs } = git.repository;
	if (options.operands.length === 0) throw fatal('no reflog specified to delete');
	let code = 0;
	for (const text of options.operands) {
		const [, name, place = ''] = /^(.*)@\{([^{}]*)\}$/s.exec(text) ?? [];
		if (name === undefined) {
			git.err(`error: not a reflog: ${text}\n`);
			code = 255;
			continue;
		}
		const ref = name === '' ? 'HEAD' : referenceNamed(git.repository, name);
		if (ref === null) {
			git.err(`error: no reflog for '${text}'\n`);
			code = 255;
			continue;
		}
		const entries = refs.reflog(ref);
		const at = indexOf(git, entries, place);
		const kept = entries.filter((_, index) => index !== at);
		if (options.has('verbose'))
			for (const [index, { message }] of [...entries.entries()].reverse())
				git.out(`${index === at ? 'prune' : 'keep'} ${message}\n`);
		if (kept.length === entries.length || options.has('dryRun')) continue;
		if (options.has('rewrite')) rewriteChain(kept);
		refs.writeReflog(ref, kept);
		if (options.has('updateRef') && kept[0] && refs.symbolic(ref) === null) refs.note(ref, kept[0].to);
	}
	return code;
}

/** Index of the entry at a number or date (the newest entry that is not newer). @throws GitError if it is neither */
function indexOf({ repository }: Invocation, entries: readonly ReflogEntry[], place: string): number {
	if (/^\d+$/.test(place)) return Number(place);
	const date = parseDate(place) ?? agoDate(place, repository.files.now());
	if (!date) throw failure(`not a reflog: @{${place}}`, 255);
	return entries.findIndex(({ who }) => parseSignature(who).seconds <= date.seconds);
}
