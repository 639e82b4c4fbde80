import { absolute } from '#computer/abi/paths.ts';
import { comparePaths, decode } from '../bytes.ts';
import { pathOf } from '../diff/change.ts';
import { indexToWorktree } from '../diff/sides.ts';
import { Mode } from '#environment/mode.ts';
import { fatal, GitError } from '../errors.ts';
import { newEntry, type IndexEntry } from '../index/index-file.ts';
import type { Command, Invocation } from '../invocation.ts';
import { entryLine } from '../listing/entry-format.ts';
import { ownEntries, withNestedEntries, type ListedEntry } from '../listing/nested-entries.ts';
import { otherFiles, scanBy } from '../listing/other-files.ts';
import { modeText } from '../objects/tree.ts';
import { parseOptions, type Options } from '../options.ts';
import { quotePath } from '../quote-path.ts';
import { resolveTree } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { conversionOf } from '../worktree/conversion.ts';
import { saidText } from '../worktree/conversion-rules.ts';
import { lineEndsName } from '../worktree/line-ends.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import type { ScanRules } from '../worktree/scan.ts';
import { treeFiles } from '../worktree/tree-files.ts';

const USAGE = 'ls-files [<options>] [<file>...]';

const OPTIONS = {
	cached: '-c --cached',
	others: '-o --others',
	modified: '-m --modified',
	deleted: '-d --deleted',
	stage: '-s --stage',
	unmerged: '-u --unmerged',
	killed: '-k --killed',
	ignored: '-i --ignored',
	exclude: '-x --exclude =',
	excludeFrom: '-X --exclude-from =',
	perDirectory: '--exclude-per-directory =',
	standard: '--exclude-standard',
	zero: '-z',
	errorUnmatch: '--error-unmatch',
	withTree: '--with-tree =',
	fullName: '--full-name',
	directory: '--directory',
	emptyDirectory: '--empty-directory !',
	letters: '-t',
	validBit: '-v',
	once: '--deduplicate',
	abbreviate: '--abbrev ? !',
	format: '--format =',
	eol: '--eol',
	// Collapses directories of an index that has entries for directories; here an index always has one per file.
	sparse: '--sparse !',
	recurses: '--recurse-submodules !'
};

/** Lists that do not include the files of submodules. */
const NOT_NESTED = ['deleted', 'others', 'unmerged', 'killed', 'modified', 'withTree'] as const;

type ListOptions = Options<keyof typeof OPTIONS>;

export const lsFiles: Command = (git, args) => {
	const options = parseOptions(USAGE, args, OPTIONS);
	checkOptions(options);
	const { repository } = git;
	const given = [...options.operands, ...(options.paths ?? [])];
	const pathspec = new Pathspec(repository, given.length === 0 && repository.prefix !== '' ? ['.'] : given, true);
	const lister = new Lister(git, options, pathspec);
	const rules = rulesOf(git, options);
	if (options.has('others') || options.has('killed')) lister.listOthers(rules);
	const listed = (['stage', 'deleted', 'others', 'unmerged', 'killed', 'modified'] as const).some((one) =>
		options.has(one)
	);
	const own = ownEntries(repository, entriesOf(repository, options));
	const entries = options.has('recurses') ? withNestedEntries(own) : own;
	const isIgnored = options.has('ignored') ? scanBy(repository, rules).rules : null;
	const chosen = isIgnored ? entries.filter(({ path }) => isIgnored.ignoresBelow(path, false)) : entries;
	lister.listEntries(chosen, options.has('cached') || !listed);
	return options.has('errorUnmatch') ? lister.reportUnmatched() : 0;
};

/** @throws GitError for options that exclude each other */
function checkOptions(options: ListOptions): void {
	const withFormat = (['stage', 'others', 'killed', 'letters', 'once', 'eol'] as const).some((one) => options.has(one));
	if (options.has('format') && withFormat)
		throw new GitError(
			`fatal: --format cannot be used with -s, -o, -k, -t, --resolve-undo, --deduplicate, --eol\n\nusage: git ${USAGE}`,
			129
		);
	if (options.has('ignored')) {
		if (!options.has('others') && !options.has('cached')) throw fatal('ls-files -i must be used with either -o or -c');
		const hasRules = (['exclude', 'excludeFrom', 'perDirectory', 'standard'] as const).some((one) => options.has(one));
		if (!hasRules) throw fatal('ls-files --ignored needs some exclude pattern');
	}
	if (options.has('withTree') && (options.has('stage') || options.has('unmerged')))
		throw fatal("options 'ls-files --with-tree' and '-s/-u' cannot be used together");
	if (!options.has('recurses')) return;
	if (NOT_NESTED.some((one) => options.has(one))) throw fatal('ls-files --recurse-submodules unsupported mode');
	if (options.has('errorUnmatch')) throw fatal('ls-files --recurse-submodules does not support --error-unmatch');
}

/** Ignore rules from the options; null if none are given. @throws GitError if an exclude file does not exist */
function rulesOf(git: Invocation, options: ListOptions): ScanRules | null {
	const texts = options.all('excludeFrom').map((file) => {
		const path = absolute(file, git.cwd);
		if (git.context.sync.statOrNull(path)?.kind !== 'file') throw fatal(`cannot use ${file} as exclude file`);
		return decode(git.context.sync.readFile(path));
	});
	const isStandard = options.has('standard');
	const name = options.get('perDirectory') ?? (isStandard ? '.gitignore' : null);
	if (name === null && texts.length === 0 && !options.has('exclude')) return null;
	return { commandLine: options.all('exclude'), ruleFile: name, ...(isStandard ? { moreTexts: texts } : { texts }) };
}

/** Entries of the index; with `--with-tree` also the files that only the tree has. */
function entriesOf(repository: Repository, options: ListOptions): IndexEntry[] {
	const entries = [...repository.index.entries()];
	const name = options.get('withTree');
	if (name === undefined) return entries;
	const known = new Set(entries.map(({ path }) => path));
	const files = treeFiles(repository.objects, resolveTree(repository, name));
	const more = [...files].filter(([path]) => !known.has(path)).map(([path, file]) => newEntry(path, file, 1));
	return [...entries, ...more].sort((a, b) => comparePaths(a.path, b.path) || a.stage - b.stage);
}

/** Prints paths with the requested details. */
class Lister {
	readonly #found: string[] = [];

	constructor(
		private readonly git: Invocation,
		private readonly options: ListOptions,
		private readonly pathspec: Pathspec
	) {}

	listOthers(rules: ScanRules | null): void {
		const { options, pathspec } = this;
		const { repository } = this.git;
		const how = {
			rules,
			areIgnored: options.has('ignored'),
			asDirectories: options.has('directory'),
			emptyDirectories: !options.isTakenBack('emptyDirectory') || options.has('emptyDirectory')
		};
		const others = otherFiles(repository, scanBy(repository, rules), how);
		const shown = others.filter((path) => pathspec.matches(path.replace(/\/$/, '')) || pathspec.matches(path));
		this.#found.push(...shown.map((path) => path.replace(/\/$/, '')));
		if (options.has('others'))
			for (const path of shown) this.git.out(this.#letter('?') + this.#lineEnds(path) + this.#name(path));
		if (!options.has('killed')) return;
		const paths = repository.index.entries().map(({ path }) => path);
		for (const path of shown)
			if (paths.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`)))
				this.git.out(this.#letter('K') + this.#name(path));
	}

	/** @param isCached whether all entries are shown, not only those with deleted or modified files */
	listEntries(entries: readonly ListedEntry[], isCached: boolean): void {
		const { options, pathspec } = this;
		const looksAtFiles = options.has('modified') || options.has('deleted');
		const changes = looksAtFiles ? indexToWorktree(this.git.repository) : [];
		const changed = new Set(changes.map(pathOf));
		const gone = new Set(changes.filter(({ status }) => status === 'D').map(pathOf));
		const showsStage = options.has('stage') || options.has('unmerged');
		const isOnce = options.has('once') && !showsStage && !options.has('letters') && !options.has('validBit');
		let last: string | null = null;
		for (const entry of entries) {
			const { path } = entry;
			if (!pathspec.matches(path)) continue;
			if (isOnce && path === last) continue;
			const shown = [
				...((isCached || showsStage) && (!options.has('unmerged') || entry.stage > 0) ? [this.#tag(entry)] : []),
				...(options.has('deleted') && gone.has(path) && !entry.skipWorktree ? ['R'] : []),
				...(options.has('modified') && changed.has(path) && !entry.skipWorktree ? ['C'] : [])
			];
			for (const letter of isOnce ? shown.slice(0, 1) : shown) this.git.out(this.#line(entry, letter));
			if (shown.length === 0) continue;
			this.#found.push(path);
			last = path;
		}
	}

	/** Reports pathspecs that match nothing. Returns the exit code. */
	reportUnmatched(): number {
		const unmatched = this.pathspec.items.filter(({ path, matches }) => path !== '' && !this.#found.some(matches));
		for (const { given } of unmatched)
			this.git.err(`error: pathspec '${given}' did not match any file(s) known to git\n`);
		if (unmatched.length > 0) this.git.err("Did you forget to 'git add'?\n");
		return unmatched.length > 0 ? 1 : 0;
	}

	#tag({ stage, skipWorktree }: IndexEntry): string {
		return stage > 0 ? 'M' : skipWorktree ? 'S' : 'H';
	}

	#letter(letter: string, entry?: IndexEntry): string {
		const { options } = this;
		if (!options.has('letters') && !options.has('validBit')) return '';
		return `${options.has('validBit') && entry?.assumeUnchanged ? letter.toLowerCase() : letter} `;
	}

	#line(entry: ListedEntry, letter: string): string {
		const { options } = this;
		const format = options.get('format');
		if (format !== undefined) return this.#formatted(entry, format);
		const start = this.#letter(letter, entry);
		if (!options.has('stage') && !options.has('unmerged'))
			return start + this.#lineEnds(entry.path, entry) + this.#name(entry.path);
		return `${start}${modeText(entry.mode)} ${this.#id(entry)} ${entry.stage}\t${this.#lineEnds(entry.path, entry)}${this.#name(entry.path)}`;
	}

	/** Line endings of a file in the index and in the worktree, and its attributes for line endings. */
	#lineEnds(path: string, entry?: ListedEntry): string {
		if (!this.options.has('eol')) return '';
		const repository = entry?.owner ?? this.git.repository;
		const ownPath = entry?.ownPath ?? path;
		const { files, objects } = repository;
		const isRegular = entry?.mode === Mode.file || entry?.mode === Mode.executable;
		const staged = isRegular ? lineEndsName(objects.read(entry.id, 'blob')) : '';
		const stat = lstatOrNull(repository, repository.absolute(ownPath));
		const own = stat?.kind === 'file' ? lineEndsName(files.readFile(repository.absolute(ownPath))) : '';
		const said = saidText(conversionOf(repository).rule(ownPath).said);
		return `i/${staged.padEnd(5)} w/${own.padEnd(5)} attr/${said.padEnd(17)}\t`;
	}

	#formatted(entry: ListedEntry, format: string): string {
		const isZero = this.options.has('zero');
		const path = this.options.has('fullName') ? entry.path : this.git.repository.toCwd(entry.path);
		const fields = {
			objectmode: () => modeText(entry.mode),
			objectname: () => this.#id(entry),
			stage: () => String(entry.stage),
			path: () => (isZero ? path : quotePath(path))
		};
		return entryLine('ls-files', format, fields) + (isZero ? '\0' : '\n');
	}

	#id({ id, owner }: ListedEntry): string {
		const { options } = this;
		if (!options.has('abbreviate')) return id;
		return owner.objects.abbreviate(id, Number(options.get('abbreviate')) || undefined);
	}

	#name(path: string): string {
		const shown = this.options.has('fullName') ? path : this.git.repository.toCwd(path);
		return this.options.has('zero') ? `${shown}\0` : `${quotePath(shown)}\n`;
	}
}
