import { fatal } from '../errors.ts';
import { comparePaths } from '../bytes.ts';
import type { Command } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository } from '../worktree/scan.ts';
import { wildmatch } from '../worktree/wildmatch.ts';

export const clean: Command = (git, args) => {
	const options = parseOptions('clean [-d] [-f] [-n] [-q] [-e <pattern>] [-x | -X] [--] [<pathspec>...]', args, {
		directories: '-d',
		force: '-f --force',
		dryRun: '-n --dry-run',
		quiet: '-q --quiet',
		exclude: '-e --exclude =',
		ignoredToo: '-x',
		ignoredOnly: '-X',
		interactive: '-i --interactive'
	});
	const { repository } = git;
	if (options.has('interactive'))
		throw fatal("interactive mode is not available here: use 'git clean -n' to look, then 'git clean -f'");
	if (options.has('ignoredToo') && options.has('ignoredOnly'))
		throw fatal("options '-x' and '-X' cannot be used together");
	if (!options.has('force') && !options.has('dryRun') && repository.config.flag('clean.requireforce', true)) {
		const set = repository.config.get('clean.requireforce') === undefined ? 'defaults to true' : 'set to true';
		throw fatal(`clean.requireForce ${set} and neither -i, -n, nor -f given; refusing to clean`);
	}
	const pathspec = new Pathspec(repository, [
		...options.operands,
		...(options.paths ?? []),
		...(options.operands.length === 0 && options.paths === null && repository.prefix !== '' ? ['.'] : [])
	]);
	const scan = scanRepository(repository, { listIgnored: true });
	const kept = options.all('exclude').map((pattern) => wildmatch(pattern, true));
	const isKept = (path: string) =>
		kept.some((pattern) => pattern.test(path) || path.split('/').some((part) => pattern.test(part)));
	const tracked = new Set(repository.index.entries().map(({ path }) => path));
	const holdsTracked = new Set<string>();
	for (const path of tracked) {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
			holdsTracked.add(path.slice(0, end + 1));
	}
	const hidden = (path: string) => !scan.visible.has(path);
	const isGone = (path: string) =>
		!tracked.has(path) &&
		!isKept(path) &&
		(options.has('ignoredOnly') ? hidden(path) : options.has('ignoredToo') || !hidden(path)) &&
		pathspec.matches(path);
	const all = [...scan.files.keys()];
	const stays = new Set<string>();
	const markParents = (path: string): void => {
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) stays.add(path.slice(0, end + 1));
	};
	for (const path of all) if (!isGone(path)) markParents(path);
	for (const path of scan.nested) markParents(path);
	const gone = new Set<string>();
	for (const path of all.filter(isGone)) {
		let end = path.indexOf('/');
		while (end > 0 && stays.has(path.slice(0, end + 1))) end = path.indexOf('/', end + 1);
		if (end < 0) {
			const parent = path.slice(0, path.lastIndexOf('/') + 1);
			// Files in a directory that git does not track are its own affair.
			const reached = parent === '' || holdsTracked.has(parent) || options.has('directories') || !pathspec.isEmpty;
			if (reached) gone.add(path);
		} else if (options.has('directories')) {
			gone.add(path.slice(0, end + 1));
		} else if (!pathspec.isEmpty && pathspec.items.some((item) => item.path === path)) gone.add(path);
	}
	for (const path of [...gone].sort(comparePaths)) {
		const name = quotePath(repository.toCwd(path.replace(/\/$/, '')) + (path.endsWith('/') ? '/' : ''));
		if (options.has('dryRun')) git.out(`Would remove ${name}\n`);
		else {
			if (!options.has('quiet')) git.out(`Removing ${name}\n`);
			repository.files.remove(repository.absolute(path.replace(/\/$/, '')), { recursive: true });
		}
	}
	return 0;
};
