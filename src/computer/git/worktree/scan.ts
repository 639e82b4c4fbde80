import { isSpecialKind } from '#computer/abi/special-files.ts';
import { decode } from '../bytes.ts';
import { isRepositoryWithTree } from '../discover.ts';
import { missingAsNull } from '../objects/store.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { absolute } from '#computer/abi/paths.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { Repository } from '../repository.ts';
import { IgnoreRules, plainDirectoryNames } from './ignore-rules.ts';

/** Contents of a working tree. */
export interface Scan {
	/** Files and links by path relative to the top, including ignored ones that were walked. */
	files: Map<string, WireStat>;
	rules: IgnoreRules;
	/** Files and links that no rule ignores. */
	visible: Set<string>;
	/** Ignored paths; a directory ends with a slash and stands for its contents. */
	ignored: string[];
	/** Directories, including nested repositories, with a trailing slash. */
	directories: string[];
	/** Nested repositories, whose contents are not listed. */
	nested: string[];
}

/** Ignore rules for a scan. */
export interface ScanRules {
	/** Patterns that override all others. */
	commandLine?: readonly string[];
	/** Ignores the rules of files (`clean -x`). */
	withoutFiles?: boolean;
	/** Name of the per-directory rule files, by default `.gitignore`; null for none. */
	ruleFile?: string | null;
	/** Rule texts that replace the user's and the repository's. */
	texts?: readonly string[];
	/** Additional rule texts. */
	moreTexts?: readonly string[];
}

interface ScanOptions extends ScanRules {
	globalRules?: { text: string; source: string }[];
	/** Paths to find even if they are ignored. */
	tracked?: Iterable<string>;
	/** Requests a complete `ignored` list. */
	listIgnored?: boolean;
	/** Texts of `.gitignore` files that apply although they may be missing in the working tree, by directory. */
	absentRules?: ReadonlyMap<string, string>;
}

/** Walks a working tree in one kernel call. */
export function scanWorktree(files: SyncSyscalls, root: string, options: ScanOptions = {}): Scan {
	const name = options.ruleFile === undefined ? '.gitignore' : options.ruleFile;
	const top = name === '.gitignore' ? (missingAsNull(() => decode(files.readFile(`${root}/.gitignore`))) ?? '') : '';
	const skip = options.listIgnored ? [] : skippable(top, options.tracked ?? []);
	let found = files.walk(root, { skip: ['.git', ...skip] });
	let texts = ignoreFiles(files, root, found, name);
	// A rule below the top may re-include paths that the top ignores: then everything is walked.
	if (skip.length > 0 && [...texts].some(([directory, text]) => directory !== '' && /^!/m.test(text))) {
		found = files.walk(root, { skip: ['.git'] });
		texts = ignoreFiles(files, root, found, name);
	}
	const rules = new IgnoreRules();
	if (!options.withoutFiles) {
		const named = options.texts ? [] : (options.globalRules ?? []);
		for (const { text, source } of named) rules.addGlobal(text, source);
		for (const text of [...(options.texts ?? []), ...(options.moreTexts ?? [])]) rules.addGlobal(text);
		const absent = name === '.gitignore' ? (options.absentRules ?? []) : [];
		for (const [directory, text] of [...absent, ...texts]) rules.add(directory, text);
	}
	for (const text of options.commandLine ?? []) rules.addCommandLine(text);
	return sift(found, root, rules, nestedIn(files, root, found));
}

/** Nested repositories of a working tree. Those inside of another belong to that one. */
function nestedIn(files: SyncSyscalls, root: string, found: readonly { path: string; stat: WireStat }[]): string[] {
	const nested: string[] = [];
	for (const { path: full, stat } of found) {
		const path = full.slice(root.length + 1);
		if (stat.kind !== 'directory' || nested.some((outer) => path.startsWith(outer))) continue;
		if (isRepositoryWithTree({ files }, full)) nested.push(`${path}/`);
	}
	return nested;
}

function sift(found: { path: string; stat: WireStat }[], root: string, rules: IgnoreRules, nested: string[]): Scan {
	const scan: Scan = { files: new Map(), rules, visible: new Set(), ignored: [], directories: [], nested };
	let hidden = '\0';
	for (const { path: full, stat } of found) {
		const path = full.slice(root.length + 1);
		if (nested.some((directory) => path.startsWith(directory))) continue;
		// Git has no mode for a named pipe or a socket.
		if (isSpecialKind(stat.kind)) continue;
		const isDirectory = stat.kind === 'directory';
		if (isDirectory) scan.directories.push(`${path}/`);
		else scan.files.set(path, stat);
		if (path.startsWith(hidden)) continue;
		if (!rules.ignores(path, isDirectory)) {
			if (!isDirectory) scan.visible.add(path);
		} else if (isDirectory) {
			hidden = `${path}/`;
			scan.ignored.push(hidden);
		} else scan.ignored.push(path);
	}
	return scan;
}

/** Names of directories that need not be walked: ignored by the top's rules, without tracked files inside. */
function skippable(topRules: string, tracked: Iterable<string>): string[] {
	const names = new Set(plainDirectoryNames(topRules));
	// Rule files apply even if they are ignored themselves.
	names.delete('.gitignore');
	if (names.size === 0) return [];
	for (const path of tracked) {
		for (const name of names)
			if (path === name || path.startsWith(`${name}/`) || path.includes(`/${name}`)) names.delete(name);
	}
	return [...names];
}

function ignoreFiles(
	files: SyncSyscalls,
	root: string,
	found: readonly { path: string; stat: WireStat }[],
	name: string | null
): Map<string, string> {
	const texts = new Map<string, string>();
	for (const { path, stat } of name === null ? [] : found) {
		if (!path.endsWith(`/${name}`) || stat.kind === 'directory') continue;
		const text = missingAsNull(() => decode(files.readFile(path)));
		if (text !== null) texts.set(path.slice(root.length + 1, -`/${name}`.length), text);
	}
	return texts;
}

/** Scans a repository's working tree with all its rules. */
export function scanRepository(
	repository: Repository,
	options: { listIgnored?: boolean; rules?: ScanRules } = {}
): Scan {
	const { config, files, index } = repository;
	const home = repository.env['HOME'] ?? '/home/user';
	const named = config.get('core.excludesfile')?.replace(/^~\//, `${home}/`) ?? `${home}/.config/git/ignore`;
	const user = missingAsNull(() => decode(files.readFile(absolute(named, repository.root))));
	return scanWorktree(files, repository.root, {
		globalRules: [
			{ text: user ?? '', source: named },
			{ text: repository.note('info/exclude') ?? '', source: '.git/info/exclude' }
		],
		tracked: index.entries().map(({ path }) => path),
		listIgnored: options.listIgnored,
		absentRules: absentRules(repository),
		...options.rules
	});
}

/** Texts of `.gitignore` files marked `skip-worktree`, which may be missing in the working tree. */
function absentRules({ index, objects }: Repository): Map<string, string> {
	const absent = index
		.entries()
		.filter(({ path, skipWorktree }) => skipWorktree === true && /(?:^|\/)\.gitignore$/.test(path));
	return new Map(
		absent.map(({ path, id }) => [path.slice(0, -'/.gitignore'.length), decode(objects.read(id, 'blob'))])
	);
}
