import { absolute } from '#computer/abi/paths.ts';
import type { Surroundings } from './surroundings.ts';
import { discover, followGitfile, isGitDirectory, withoutPlace } from './discover.ts';
import { Config, type ConfigFile, userFiles } from './config/config.ts';
import { parseConfig } from './config/config-file.ts';
import { booleanOf } from './config/values.ts';
import { identity, timeOf } from './config/identity.ts';
import { decode } from './bytes.ts';
import { fatal } from './errors.ts';
import { GitIndex } from './index/index.ts';
import type { Commit, Signature } from './objects/commit.ts';
import type { PromisorSource } from './objects/lacking-store.ts';
import { missingAsNull, ObjectStore } from './objects/store.ts';
import { readGrafts, replacements } from './refs/replacements.ts';
import { promisorRemotes } from './remote/promisor-remotes.ts';
import { parseRefspec, targetOf, type Refspec } from './refs/refspec.ts';
import { Refs } from './refs/refs.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { SparseCheckout, unmarkPresent } from './worktree/sparse-checkout.ts';

/** Repository and its working tree. */
export class Repository {
	readonly files: SyncSyscalls;
	readonly objects: ObjectStore;
	readonly refs: Refs;
	readonly config: Config;
	/** Shared by all working trees: objects, branches, settings. */
	readonly commonDir: string;
	/** Set if there is no working tree: a bare repository, or a working directory inside `.git`. */
	readonly isBare: boolean;
	/** Part of the tracked files that is checked out. */
	readonly sparse: SparseCheckout;
	#index: GitIndex | undefined;
	#realRoot: string | undefined;
	#shallow: Set<string> | undefined;
	#grafts: ReadonlyMap<string, string[]> | undefined;
	#abbreviation: string | undefined;
	#isLeftOut: ((id: string) => boolean) | undefined;

	constructor(
		private readonly surroundings: Surroundings,
		/** Top of the working tree. */
		readonly root: string,
		readonly gitDir: string = `${root}/.git`,
		where: { commonDir?: string; isBare?: boolean } = {}
	) {
		this.files = surroundings.files;
		this.commonDir = where.commonDir ?? gitDir;
		this.isBare = where.isBare ?? false;
		const { env, cwd } = surroundings;
		const objects = env['GIT_OBJECT_DIRECTORY'];
		this.objects = new ObjectStore(
			this.files,
			objects === undefined ? `${this.commonDir}/objects` : absolute(objects, cwd),
			() => this.#shortDigits(),
			(env['GIT_ALTERNATE_OBJECT_DIRECTORIES'] ?? '')
				.split(':')
				.flatMap((path) => (path === '' ? [] : [absolute(path, cwd)])),
			0,
			() => (this.#readsReplacements() ? replacements(this) : new Map()),
			undefined,
			this.#promisorSource()
		);
		this.config = new Config(this.files, () => this.configFiles(), surroundings.overrides, {
			gitDir,
			branch: () => this.refs.currentBranch(),
			cwd: root,
			home: env['HOME'] ?? '/home/user'
		});
		this.refs = new Refs(
			this.files,
			gitDir,
			() => this.committer(),
			() =>
				this.config.get('core.logallrefupdates') === 'always'
					? 'always'
					: this.config.flag('core.logallrefupdates', !this.isBare),
			this.commonDir
		);
		this.sparse = new SparseCheckout(this);
	}

	/** Configuration files, from lowest to highest precedence; the repository's own as seen from its top. */
	configFiles(): ConfigFile[] {
		const isUsual = this.commonDir === `${this.root}/.git`;
		const local = isUsual ? '.git/config' : `${this.commonDir}/config`;
		const bytes = missingAsNull(() => this.files.readFile(`${this.commonDir}/config`));
		const hasOwn = parseConfig(decode(bytes ?? new Uint8Array())).some(
			({ key, value }) => key === 'extensions.worktreeconfig' && booleanOf(value) === true
		);
		const own = this.gitDir === `${this.root}/.git` ? '.git/config.worktree' : `${this.gitDir}/config.worktree`;
		return [
			...userFiles(this.env),
			{ scope: 'local', path: local },
			...(hasOwn ? [{ scope: 'worktree' as const, path: own }] : [])
		];
	}

	#promisorSource(): PromisorSource {
		const isPartial = () => promisorRemotes(this.config).length > 0;
		return {
			get isThere() {
				return isPartial();
			},
			fetch: (store, ids) => this.surroundings.fetchMissing(this.gitDir, store, ids)
		};
	}

	#readsReplacements(): boolean {
		return this.env['GIT_NO_REPLACE_OBJECTS'] === undefined && this.config.flag('core.usereplacerefs', true);
	}

	/** Length of short ids by `core.abbrev`; null for as many digits as are needed. */
	#shortDigits(): number | null {
		this.#abbreviation ??= this.config.get('core.abbrev') ?? 'auto';
		if (this.#abbreviation === 'no') return 40;
		const digits = Number(this.#abbreviation);
		return Number.isInteger(digits) && digits >= 4 && digits <= 40 ? digits : null;
	}

	get index(): GitIndex {
		if (!this.#index) {
			this.#index = new GitIndex(this.files, this.indexPath, this.config.flag('core.filemode', true));
			if (!this.isBare) unmarkPresent(this, this.#index);
		}
		return this.#index;
	}

	/** Path of the index; `GIT_INDEX_FILE` overrides it. */
	get indexPath(): string {
		const named = this.env['GIT_INDEX_FILE'];
		return named === undefined ? `${this.gitDir}/index` : absolute(named, this.surroundings.cwd);
	}

	/** Working directory that git was started in. */
	get cwd(): string {
		return this.surroundings.cwd;
	}

	/** Set if git was started in the working tree. */
	get isInsideTree(): boolean {
		const { cwd } = this.surroundings;
		return !this.isBare && (cwd === this.root || cwd.startsWith(`${this.root}/`));
	}

	/** Prints a warning to stderr. */
	warn(text: string): void {
		this.surroundings.warn(text);
	}

	/** Discards the loaded index, so that it is read again after another program wrote it. */
	reopenIndex(): void {
		this.#index = undefined;
	}

	get env(): Record<string, string> {
		return this.surroundings.env;
	}

	author(): Signature {
		return identity('AUTHOR', this.config, this.env, this.files.now());
	}

	committer(): Signature {
		return identity('COMMITTER', this.config, this.env, this.files.now());
	}

	/** Current time in the local time zone, even if the environment sets another date for new commits. */
	now(): Pick<Signature, 'seconds' | 'offsetMinutes'> {
		return timeOf(this.files.now());
	}

	commit(id: string): Commit {
		return { ...this.objects.commit(id), parents: this.parents(id) };
	}

	/** Parents of a commit, or those that grafts give it; none if a shallow clone ends at it. */
	parents(id: string): string[] {
		if (this.shallowCommits().has(id)) return [];
		this.#grafts ??= readGrafts(this);
		const parents = this.#grafts.get(id) ?? this.objects.commit(id).parents;
		return this.#isLeftOut ? parents.filter((parent) => !this.#isLeftOut!(parent)) : parents;
	}

	/** Makes histories end before some commits for the rest of the run. */
	endHistoryBefore(isLeftOut: (id: string) => boolean): void {
		this.#isLeftOut = isLeftOut;
	}

	/** Commits at which a shallow clone ends. */
	shallowCommits(): ReadonlySet<string> {
		const bytes = () => missingAsNull(() => this.files.readFile(`${this.commonDir}/shallow`)) ?? new Uint8Array(0);
		this.#shallow ??= new Set(decode(bytes()).split('\n').filter(Boolean));
		return this.#shallow;
	}

	/** Discards the list of shallow commits, so that it is read again after a fetch. */
	forgetShallow(): void {
		this.#shallow = undefined;
	}

	/** Resolves a tag object to its target; any other id is returned unchanged. */
	peeled(id: string): string {
		for (;;) {
			const object = this.objects.find(id);
			if (object?.type !== 'tag') return id;
			id = decode(object.content).slice(7, 47);
		}
	}

	/** Commit of HEAD; null before the first one. */
	head(): string | null {
		return this.refs.resolve('HEAD');
	}

	/** Directory that git was started in, relative to the top: '' or `src/`. */
	get prefix(): string {
		const { cwd } = this.surroundings;
		return cwd === this.root || !cwd.startsWith(`${this.root}/`) ? '' : `${cwd.slice(this.root.length + 1)}/`;
	}

	/** Converts a path as typed to one relative to the top: '' for the top itself. @throws GitError if it is outside */
	fromCwd(path: string): string {
		// If started outside the tree, git works from its top.
		const { cwd } = this.surroundings;
		const from = cwd === this.root || cwd.startsWith(`${this.root}/`) ? cwd : this.root;
		const full = absolute(path.startsWith('~') ? `./${path}` : path, from);
		if (full === this.root) return '';
		if (!full.startsWith(`${this.root}/`)) throw fatal(`${path}: '${path}' is outside repository at '${this.root}'`);
		return full.slice(this.root.length + 1);
	}

	/** Converts a path relative to the top to one relative to the working directory. */
	toCwd(path: string): string {
		const from = this.prefix.split('/').slice(0, -1);
		const to = path.split('/');
		let same = 0;
		while (same < from.length && same < to.length && from[same] === to[same]) same++;
		const relative = [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
		return relative === '' ? './' : relative;
	}

	/** Real path of the top of the working tree, symlinks resolved. */
	get realRoot(): string {
		this.#realRoot ??= this.files.realpath(this.root);
		return this.#realRoot;
	}

	absolute(path: string): string {
		return path === '' ? this.root : `${this.root}/${path}`;
	}

	/** Upstream of a branch (`refs/remotes/origin/main`), or null. */
	upstream(branch: string): string | null {
		const remote = this.config.get(`branch.${branch}.remote`);
		const merge = this.config.get(`branch.${branch}.merge`);
		if (remote === undefined || merge === undefined) return null;
		return remote === '.' ? merge : targetOf(this.fetchSpecs(remote), merge);
	}

	/** Refspecs for fetching from a remote. */
	fetchSpecs(remote: string): Refspec[] {
		return this.config.values(`remote.${remote}.fetch`).map(parseRefspec);
	}

	/** Refspecs for pushing to a remote. */
	pushSpecs(remote: string): Refspec[] {
		return this.config.values(`remote.${remote}.push`).map(parseRefspec);
	}

	/** Branch or commit that was checked out `back` checkouts ago. */
	previousBranch(back: number): string | null {
		for (const { message } of this.refs.reflog('HEAD')) {
			const from = /^checkout: moving from (\S+) to /.exec(message)?.[1];
			if (from !== undefined && --back === 0) return from;
		}
		return null;
	}

	/** Repository whose top is at a path of the working tree; null if there is none. */
	nested(path: string): Repository | null {
		const full = this.absolute(path);
		const isDirectory = this.files.statOrNull(full) !== null && this.files.lstat(full).kind === 'directory';
		return isDirectory ? repositoryAt(this.surroundings, full) : null;
	}

	/** Opens another repository, given its top level or its `.git`; null if there is none. */
	another(path: string): Repository | null {
		return repositoryAt(this.surroundings, path);
	}

	/** Content of a file in `.git`, or null. */
	note(name: string): string | null {
		const directory = /^(?:info\/|shallow$)/.test(name) ? this.commonDir : this.gitDir;
		const bytes = missingAsNull(() => this.files.readFile(`${directory}/${name}`));
		return bytes ? decode(bytes) : null;
	}
}

/** Opens the repository that contains `cwd`. @throws GitError if there is none */
export function openRepository(surroundings: Surroundings): Repository {
	const { worktree, gitDir, commonDir } = discover(surroundings);
	return new Repository(surroundings, worktree ?? gitDir, gitDir, { commonDir, isBare: worktree === null });
}

/** Opens the repository at a path: a working tree, its `.git`, or a bare one; null if there is none. */
export function repositoryAt(surroundings: Surroundings, path: string): Repository | null {
	for (const suffix of ['/.git', '', '.git/.git', '.git']) {
		const gitDir = followGitfile(surroundings, `${path}${suffix}`);
		if (!isGitDirectory(surroundings, gitDir)) continue;
		const env = { ...withoutPlace(surroundings.env), GIT_DIR: gitDir };
		return openRepository({ ...surroundings, env, cwd: path.replace(/\/\.git$/, '') });
	}
	return null;
}
