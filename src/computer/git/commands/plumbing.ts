import { fatal, GitError } from '../errors.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { decode } from '../bytes.ts';
import { quotePath } from '../quote-path.ts';
import { scanRepository } from '../worktree/scan.ts';

export const checkIgnore: Command = (git, args) => {
	const options = parseOptions('check-ignore [<options>] <pathname>...', args, {
		verbose: '-v --verbose',
		quiet: '-q --quiet',
		stdin: '--stdin',
		zero: '-z',
		noIndex: '--no-index',
		others: '-n --non-matching'
	});
	const { repository } = git;
	const given = [...options.operands, ...(options.paths ?? [])];
	const end = options.has('zero') ? '\0' : '\n';
	if (options.has('stdin'))
		given.push(
			...decode(git.input())
				.split(end)
				.filter((line) => line !== '')
		);
	if (given.length === 0) throw fatal('no path specified');
	const { rules } = scanRepository(repository, { listIgnored: true });
	let found = false;
	for (const text of given) {
		const path = repository.fromCwd(text.replace(/(.)\/$/, '$1'));
		if (!options.has('noIndex') && repository.index.has(path)) {
			if (options.has('verbose') && options.has('others'))
				git.out(`::\t${options.has('zero') ? text : quotePath(text)}${end}`);
			continue;
		}
		const directory =
			text.endsWith('/') || repository.files.statOrNull(repository.absolute(path))?.kind === 'directory';
		if (path === '') continue;
		const shown = options.has('zero') ? text : quotePath(text);
		if (options.has('verbose')) {
			const rule = rules.deciding(path, directory);
			if (rule) git.out(`${rule.source}:${rule.line}:${rule.text}\t${shown}${end}`);
			else if (options.has('others')) git.out(`::\t${shown}${end}`);
			found ||= rule !== null;
			continue;
		}
		if (!rules.ignoresBelow(path, directory)) continue;
		found = true;
		if (!options.has('quiet')) git.out(shown + end);
	}
	return found ? 0 : 1;
};

export const writeTree: Command = (git) => {
	const { index, objects } = git.repository;
	const unmerged = index.unmerged();
	if (unmerged.length > 0) {
		throw new GitError(
			`${unmerged.map((path) => `${path}: unmerged (${index.get(path, 2)?.id ?? index.get(path, 3)?.id ?? ''})\n`).join('')}fatal: git-write-tree: error building trees`,
			128
		);
	}
	git.out(`${index.writeTree((content) => objects.write('tree', content))}\n`);
	index.save();
	return 0;
};
