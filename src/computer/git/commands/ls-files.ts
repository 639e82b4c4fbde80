import type { Command } from '../invocation.ts';
import { failure } from '../errors.ts';
import { modeText } from '../objects/tree.ts';
import { parseOptions } from '../options.ts';
import { comparePaths } from '../bytes.ts';
import { indexToWorktree } from '../diff/sides.ts';
import { pathOf } from '../diff/change.ts';
import { quotePath } from '../quote-path.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';

export const lsFiles: Command = (git, args) => {
	const options = parseOptions('ls-files [<options>] [<file>...]', args, {
		cached: '-c --cached',
		others: '-o --others',
		modified: '-m --modified',
		deleted: '-d --deleted',
		stage: '-s --stage',
		unmerged: '-u --unmerged',
		ignored: '-i --ignored',
		standard: '--exclude-standard',
		zero: '-z',
		errorUnmatch: '--error-unmatch',
		fullName: '--full-name',
		directory: '--directory',
		letters: '-t',
		once: '--deduplicate'
	});
	const { repository } = git;
	const { index } = repository;
	const given = [...options.operands, ...(options.paths ?? [])];
	const pathspec = new Pathspec(repository, given.length === 0 && repository.prefix !== '' ? ['.'] : given);
	const name = (path: string): string => {
		const shown = options.has('fullName') ? path : repository.toCwd(path);
		return options.has('zero') ? `${shown}\0` : `${quotePath(shown)}\n`;
	};
	const letter = (text: string) => (options.has('letters') ? `${text} ` : '');
	const entries = index.entries().filter(({ path }) => pathspec.matches(path));
	if (options.has('errorUnmatch')) {
		const missing = pathspec.unmatched(entries.map(({ path }) => path));
		if (missing !== undefined)
			throw failure(`pathspec '${missing}' did not match any file(s) known to git\nDid you forget to 'git add'?`);
	}
	if (options.has('others')) {
		const scan = scanRepository(repository, { listIgnored: true });
		const hidden = (path: string) => !scan.visible.has(path);
		const standard = options.has('standard');
		const found = [...scan.files.keys()].filter(
			(path) => !index.has(path) && pathspec.matches(path) && (!standard || hidden(path) === options.has('ignored'))
		);
		for (const path of found.sort(comparePaths)) git.out(letter('?') + name(path));
	}
	const changes = options.has('modified') || options.has('deleted') ? indexToWorktree(repository) : [];
	const modified = new Set(changes.filter(({ status }) => options.has('modified') || status === 'D').map(pathOf));
	const deleted = new Set(changes.filter(({ status }) => status === 'D').map(pathOf));
	const asked = options.has('others') || options.has('modified') || options.has('deleted');
	let last = '';
	for (const entry of entries) {
		if (options.has('once') && !options.has('stage') && entry.path === last) continue;
		last = entry.path;
		if (options.has('unmerged') && entry.stage === 0) continue;
		const shown =
			options.has('stage') || options.has('unmerged') ? `${modeText(entry.mode)} ${entry.id} ${entry.stage}\t` : '';
		if (options.has('cached') || shown !== '' || !asked)
			git.out(letter(entry.stage > 0 ? 'M' : entry.skipWorktree ? 'S' : 'H') + shown + name(entry.path));
		if (modified.has(entry.path))
			git.out(letter(options.has('deleted') && deleted.has(entry.path) ? 'R' : 'C') + name(entry.path));
	}
	return 0;
};
