import { addInteractively } from './add-interactive.ts';
import { STAGING } from '../choosing/choice-mode.ts';
import { chooseHunks } from '../choosing/choose-hunks.ts';
import { fatal, GitError } from '../errors.ts';
import { isSyscallError } from '#computer/abi/client.ts';
import { errno } from '#computer/abi/errno.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { Mode } from '#environment/mode.ts';
import type { Command, Invocation } from '../invocation.ts';
import { newEntry } from '../index/index-file.ts';
import { repositoryAt, type Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import { EMPTY_BLOB } from '../objects/object.ts';
import { parseOptions, type Options } from '../options.ts';
import { PATHSPEC_FILE, namedOrListed } from '../worktree/pathspec-file.ts';
import { changedFile, modeFor } from '../worktree/file-state.ts';
import { Pathspec } from '../worktree/pathspec.ts';
import { scanRepository, type Scan } from '../worktree/scan.ts';
import { adviseOnSkipped, isSkipped, onlySkipped } from '../worktree/skipped-entries.ts';
import { stageFile } from '../worktree/staging.ts';

const OPTIONS = {
	all: '-A --all --no-ignore-removal',
	update: '-u --update',
	force: '-f --force',
	dryRun: '-n --dry-run',
	verbose: '-v --verbose',
	intent: '-N --intent-to-add',
	ignoreRemoval: '--no-all --ignore-removal',
	chmod: '--chmod =',
	refresh: '--refresh',
	ignoreErrors: '--ignore-errors',
	ignoreMissing: '--ignore-missing',
	renormalize: '--renormalize',
	sparse: '--sparse',
	patch: '-p --patch',
	interactive: '-i --interactive',
	...PATHSPEC_FILE
};

export const add: Command = (git, args) => {
	const options = parseOptions('add [<options>] [--] <pathspec>...', args, OPTIONS);
	const { repository } = git;
	const given = namedOrListed(git, options, [...options.operands, ...(options.paths ?? [])]);
	if (options.has('patch') || options.has('interactive')) return ask(git, options, given);
	const bits = checkOptions(options);
	const isRenormalized = options.has('renormalize');
	const isWhole = options.has('all') || options.has('update') || isRenormalized;
	if (given.length === 0 && !isWhole) return addNothing(git);
	const pathspec = new Pathspec(repository, given);
	const { index } = repository;
	const scan = scanRepository(repository, { listIgnored: options.has('force') });
	const tracked = new Set(index.entries().map(({ path }) => path));
	const candidates = options.has('force') ? [...scan.files.keys()] : [...scan.visible];
	const embedded = embeddedIn(scan, options.has('force'));
	const missing = pathspec.unmatched([...tracked, ...candidates, ...embedded]);
	const untracked = [...candidates, ...embedded].filter((path) => !tracked.has(path));
	const skipped = options.has('sparse') ? [] : onlySkipped(repository, pathspec, isWhole ? [] : untracked);
	if (options.has('refresh')) return refresh(git, pathspec, missing, skipped);
	if (missing !== undefined && !options.has('ignoreMissing'))
		refuse(missing, repository.fromCwd(missing), scan.rules, [...scan.files.keys(), ...scan.ignored]);
	const isLeftOut = (path: string) => !options.has('sparse') && !repository.sparse.has(path);
	const say = (verb: string, path: string) =>
		(options.has('verbose') || options.has('dryRun')) && git.out(`${verb} '${path}'\n`);
	const change = (act: () => void) => !options.has('dryRun') && act();
	const stage = new Staging(git, options.has('ignoreErrors') || ignoresErrors(repository), isRenormalized);
	if (adviseOnSkipped(git, skipped)) stage.code = 1;
	for (const entry of index.entries()) {
		const isIn = pathspec.matches(entry.path) && index.has(entry.path);
		if (!isIn || entry.skipWorktree || isLeftOut(entry.path)) continue;
		const stat = scan.files.get(entry.path);
		if (!stat) {
			if (isRenormalized) throw fatal(`unable to stat '${entry.path}': No such file or directory`);
			if (options.has('ignoreRemoval') || scan.nested.includes(`${entry.path}/`)) continue;
			say('remove', entry.path);
			change(() => index.remove(entry.path));
		} else if (isRenormalized || entry.stage > 0 || entry.intentToAdd || changedFile(repository, entry, stat)) {
			if (isRenormalized && entry.stage > 0) continue;
			say('add', entry.path);
			change(() => stage.add(entry.path, stat));
		}
	}
	const takesNew = !options.has('update') && !isRenormalized;
	const fresh = takesNew ? candidates.filter((path) => !tracked.has(path) && pathspec.matches(path)) : [];
	for (const path of fresh.filter((one) => !isLeftOut(one))) {
		const stat = scan.files.get(path)!;
		say('add', path);
		change(() => (options.has('intent') ? intend(index, path, stat) : stage.add(path, stat)));
	}
	const isWanted = (path: string) => pathspec.matches(path) && (tracked.has(path) || !options.has('update'));
	for (const [path, id] of movedHeads(git, embedded.filter(isWanted))) {
		say('add', `${path}/`);
		change(() => addEmbedded(git, path, id));
	}
	if (adviseOnSkipped(git, fresh.filter(isLeftOut))) stage.code = 1;
	if (bits !== undefined)
		stage.changeModes(pathspec, bits, { isDry: options.has('dryRun'), includesSkipped: options.has('sparse') });
	index.save();
	return stage.code;
};

/** Asks about each hunk (`--patch`), or shows the menu (`--interactive`). */
function ask(git: Invocation, options: Options<keyof typeof OPTIONS>, given: readonly string[]): number {
	if (options.has('dryRun')) throw fatal("options '--dry-run' and '--interactive/--patch' cannot be used together");
	const pathspec = new Pathspec(git.repository, given);
	return options.has('patch') ? chooseHunks(git, STAGING, pathspec) : addInteractively(git, pathspec);
}

function addNothing(git: Invocation): number {
	git.err(
		'Nothing specified, nothing added.\nhint: Maybe you wanted to say \'git add .\'?\nhint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"\n'
	);
	return 0;
}

/** Returns the mode to give to files. @throws GitError for options that do not go together, or another mode */
function checkOptions(options: Options<'chmod' | 'ignoreMissing' | 'dryRun'>): '+x' | '-x' | undefined {
	if (options.has('ignoreMissing') && !options.has('dryRun'))
		throw fatal("the option '--ignore-missing' requires '--dry-run'");
	const bits = options.get('chmod');
	if (bits === undefined || bits === '+x' || bits === '-x') return bits;
	throw fatal(`--chmod param '${bits}' must be either -x or +x`);
}

/** Repositories inside the worktree, with HEAD commits that the index does not have. */
function movedHeads(git: Invocation, paths: readonly string[]): (readonly [path: string, id: string])[] {
	const heads = paths.map((path) => [path, embeddedHead(git, path)] as const);
	return heads.filter(([path, id]) => git.repository.index.get(path)?.id !== id);
}

/** Notes a file in the index without its content (`--intent-to-add`). */
function intend(index: Repository['index'], path: string, stat: WireStat): void {
	index.set({ ...newEntry(path, { mode: modeFor(index, stat, undefined), id: EMPTY_BLOB }), intentToAdd: true });
}

/** Repositories inside the worktree, without ignored ones unless forced. */
const embeddedIn = ({ nested, rules }: Scan, isForced: boolean): string[] =>
	nested.map((path) => path.slice(0, -1)).filter((path) => isForced || !rules.ignoresBelow(path, true));

/** HEAD commit of a repository inside the worktree. @throws GitError if it has none */
function embeddedHead(git: Invocation, path: string): string {
	const head = repositoryAt(git.surroundings, git.repository.absolute(path))?.head() ?? null;
	if (head === null) throw fatal(`adding files failed\nerror: '${path}/' does not have a commit checked out`);
	return head;
}

/** Stages a repository inside the worktree as its HEAD commit. */
function addEmbedded(git: Invocation, path: string, id: string): void {
	const { index, config } = git.repository;
	const isNew = !index.has(path);
	index.set(newEntry(path, { mode: Mode.commit, id }));
	if (!isNew || !config.flag('advice.addembeddedrepo', true)) return;
	git.err(
		`warning: adding embedded git repository: ${path}\n` +
			'hint: Clones of the outer repository will not contain the contents of\nhint: the embedded repository and will not know how to obtain it.\n' +
			`hint: To leave it out:\nhint: \nhint: \tgit rm --cached ${path}\n`
	);
}

/** Value of `add.ignoreErrors`, or of its older spelling `add.ignore-errors`. */
const ignoresErrors = ({ config }: Repository): boolean =>
	config.flag('add.ignoreerrors', config.flag('add.ignore-errors', false));

/** Adds files, some of which may not be readable. */
class Staging {
	code = 0;

	constructor(
		private readonly git: Invocation,
		private readonly ignoresErrors: boolean,
		/** Converts line endings as the attributes say, even if the index has other line endings. */
		private readonly renormalizes: boolean
	) {}

	/** @throws GitError if the file cannot be read, unless such errors are ignored */
	add(path: string, stat: WireStat): void {
		const { repository } = this.git;
		try {
			if (stat.kind === 'file' && (stat.mode & 0o400) === 0) throw errno('EACCES', path);
			stageFile(repository, path, stat, this.renormalizes ? 'renormalize' : 'keep');
		} catch (error) {
			if (!isSyscallError(error) || error.code !== 'EACCES') throw error;
			this.git.err(`error: open("${path}"): Permission denied\nerror: unable to index file '${path}'\n`);
			if (!this.ignoresErrors) throw fatal('adding files failed');
			this.code = 1;
		}
	}

	/** Changes the executable bit of files in the index. */
	changeModes(
		pathspec: Pathspec,
		bits: '+x' | '-x',
		{ isDry, includesSkipped }: { isDry: boolean; includesSkipped: boolean }
	): void {
		const { index } = this.git.repository;
		for (const entry of index.entries()) {
			if (!includesSkipped && isSkipped(this.git.repository, entry)) continue;
			if (pathspec.isEmpty || !pathspec.matches(entry.path) || entry.stage > 0) continue;
			if (entry.mode !== Mode.file && entry.mode !== Mode.executable) {
				this.git.err(`cannot chmod ${bits} '${entry.path}'\n`);
				this.code = 1;
			} else if (!isDry) index.set({ ...entry, mode: bits === '+x' ? Mode.executable : Mode.file });
		}
	}
}

/** Refreshes the stat data of the index without adding changes. */
function refresh(git: Invocation, pathspec: Pathspec, missing: string | undefined, skipped: readonly string[]): number {
	const { repository } = git;
	const { index } = repository;
	if (missing !== undefined) throw fatal(`pathspec '${missing}' did not match any files`);
	for (const entry of index.entries()) {
		const stat = pathspec.matches(entry.path) ? lstatOrNull(repository, repository.absolute(entry.path)) : null;
		if (stat && entry.stage === 0 && stat.kind !== 'directory') changedFile(repository, entry, stat);
	}
	index.save();
	return adviseOnSkipped(git, skipped) ? 1 : 0;
}

function refuse(
	given: string,
	path: string,
	rules: { ignoresBelow(path: string, directory: boolean): boolean },
	all: string[]
): void {
	const exists = all.some((other) => other === path || other.startsWith(`${path}/`));
	if (rules.ignoresBelow(path, false) || rules.ignoresBelow(path, true)) {
		throw new GitError(
			`The following paths are ignored by one of your .gitignore files:\n${given}\n` +
				'hint: Use -f if you really want to add them.\nhint: Turn this message off by running\n' +
				'hint: "git config advice.addIgnoredFile false"',
			1
		);
	}
	if (!exists && path !== '') throw fatal(`pathspec '${given}' did not match any files`);
}
