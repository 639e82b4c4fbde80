import { fatal } from '../errors.ts';
import { inputPaths } from '../input-lines.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import type { IgnoreRules } from '../worktree/ignore-rules.ts';
import { scanRepository } from '../worktree/scan.ts';

/** Options for the output. */
interface IgnoreHow {
	isQuiet: boolean;
	isVerbose: boolean;
	showsOthers: boolean;
	/** Consults the index: tracked paths are not ignored. */
	readsIndex: boolean;
	isZero: boolean;
}

/** `git check-ignore`: prints ignored paths, and on request the pattern that matches. */
export const checkIgnore: Command = (git, args) => {
	const options = parseOptions('check-ignore [<options>] <pathname>...', args, {
		verbose: '-v --verbose',
		quiet: '-q --quiet',
		stdin: '--stdin',
		zero: '-z',
		noIndex: '--no-index',
		others: '-n --non-matching'
	});
	const given = [...options.operands, ...(options.paths ?? [])];
	if (options.has('stdin') && given.length > 0) throw fatal('cannot specify pathnames with --stdin');
	if (!options.has('stdin')) {
		if (options.has('zero')) throw fatal('-z only makes sense with --stdin');
		if (given.length === 0) throw fatal('no path specified');
	}
	if (options.has('quiet') && given.length > 1) throw fatal('--quiet is only valid with a single pathname');
	if (options.has('quiet') && options.has('verbose')) throw fatal('cannot have both --quiet and --verbose');
	if (options.has('others') && !options.has('verbose')) throw fatal('--non-matching is only valid with --verbose');
	const checker = new IgnoreChecker(git, {
		isQuiet: options.has('quiet'),
		isVerbose: options.has('verbose'),
		showsOthers: options.has('others'),
		readsIndex: !options.has('noIndex'),
		isZero: options.has('zero')
	});
	for (const path of given) checker.check(path);
	if (options.has('stdin')) {
		for (const path of inputPaths(git, options.has('zero'), true)) {
			checker.check(path);
			git.flush();
		}
	}
	return checker.count > 0 ? 0 : 1;
};

class IgnoreChecker {
	/** Number of paths that matched a rule. */
	count = 0;
	readonly #rules: IgnoreRules;
	readonly #nested: readonly string[];
	/** Directories with tracked files, collected once: a batch may have as many paths as the index. */
	#directories: ReadonlySet<string> | undefined;

	constructor(
		private readonly git: Invocation,
		private readonly how: IgnoreHow
	) {
		const { rules, nested } = scanRepository(git.repository, { listIgnored: true });
		this.#rules = rules;
		this.#nested = nested;
	}

	check(given: string): void {
		const { repository } = this.git;
		if (given === '')
			throw fatal('empty string is not a valid pathspec. please use . instead if you meant to match all paths');
		const path = repository.fromCwd(given.replace(/(.)\/+$/, '$1'));
		this.#requireOwn(given, path);
		const isDirectory =
			given.endsWith('/') || repository.files.statOrNull(repository.absolute(path))?.kind === 'directory';
		const rule = path === '' || this.#isTracked(path) ? null : this.#rules.deciding(path, isDirectory);
		const counts = rule !== null && (this.how.isVerbose || !rule.negated);
		if (counts) this.count++;
		if (!this.how.isQuiet && (counts || this.how.showsOthers)) this.#show(given, counts ? rule : null);
	}

	/** Prints a path, with `--verbose` also the rule. */
	#show(given: string, rule: { source: string; line: number; text: string } | null): void {
		const { isVerbose, isZero } = this.how;
		const parts = rule ? [rule.source, String(rule.line), rule.text] : ['', '', ''];
		if (isZero) this.git.out([...(isVerbose ? parts : []), given, ''].join('\0'));
		else {
			const [source = '', line, text] = parts;
			this.git.out(`${isVerbose ? `${quotePath(source)}:${line}:${text}\t` : ''}${quotePath(given)}\n`);
		}
	}

	#isTracked(path: string): boolean {
		if (!this.how.readsIndex) return false;
		this.#directories ??= trackedDirectories(this.git.repository.index.entries());
		return this.git.repository.index.has(path) || this.#directories.has(path);
	}

	/** @throws GitError if the path is in another repository or beyond a symbolic link */
	#requireOwn(given: string, path: string): void {
		const { repository } = this.git;
		const nested = this.#nested.find((directory) => path.startsWith(directory));
		if (nested !== undefined) throw fatal(`Pathspec '${given}' is in submodule '${nested.slice(0, -1)}'`);
		for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) {
			const full = repository.absolute(path.slice(0, end));
			const stat = repository.files.statOrNull(full) && repository.files.lstat(full);
			if (stat?.kind === 'symlink') throw fatal(`pathspec '${given}' is beyond a symbolic link`);
		}
	}
}

function trackedDirectories(entries: readonly { path: string }[]): Set<string> {
	const directories = new Set<string>();
	for (const { path } of entries) {
		// Parents of a known directory are known.
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
			const directory = path.slice(0, end);
			if (directories.has(directory)) break;
			directories.add(directory);
		}
	}
	return directories;
}
