import { Mode } from '#environment/mode.ts';
import { withoutPlace } from '../discover.ts';
import { Invocation } from '../invocation.ts';
import { defaultRemote } from '../remote/remote-settings.ts';
import type { Repository } from '../repository.ts';
import { fetchChoice, type FetchChoice } from './fetch-choice.ts';
import { moduleRepository, requirePlainPlace } from './git-directory.ts';
import { exitCodeOf } from './module-run.ts';
import { isActive, modulesByName, modulesOf, type Module } from './modules.ts';
import { hasCommits, movedModules, type MovedModule } from './moved-modules.ts';

/** Position of a fetch below that of a superproject. */
export interface FetchNesting {
	/** Prefix of paths, for messages. */
	prefix: string;
	/** Choice of submodules if no option and no setting makes one. */
	usual: FetchChoice;
}

export const OUTERMOST: FetchNesting = { prefix: '', usual: 'on-demand' };

/** Fetches in a submodule. Returns the exit code. */
type NestedFetch = (git: Invocation, args: readonly string[], nesting: FetchNesting) => Promise<number>;

/** Fetch of the submodules of a repository after its own, by git-fetch(1). */
export class ModuleFetch {
	/** Commits of references before the fetch. */
	readonly #before: readonly string[];
	readonly #seen = new Set<string>();
	readonly #failed: string[] = [];
	/** Submodules that still lack commits, with these. */
	readonly #lacking: { nested: Repository; module: Module; ids: string[] }[] = [];
	#moved: ReadonlyMap<string, MovedModule> = new Map();
	#hasFailed = false;

	/** @param choice by an option or a setting; null if there is none */
	constructor(
		private readonly git: Invocation,
		private readonly choice: FetchChoice | null,
		private readonly nesting: FetchNesting,
		private readonly isQuiet: boolean
	) {
		const { repository } = git;
		const { commonDir, files, refs } = repository;
		const hasModules =
			!repository.isBare && (modulesOf(repository).size > 0 || files.statOrNull(`${commonDir}/modules`) !== null);
		this.#before = hasModules ? refs.list('refs/').map(({ id }) => id) : [];
	}

	/** Fetches in the submodules. Returns false if one of them failed. @param ids that the superproject fetched */
	async run(ids: readonly string[], args: readonly string[], fetch: NestedFetch): Promise<boolean> {
		const { repository } = this.git;
		if (repository.isBare) return true;
		this.#moved = this.#movedBy(ids);
		const start = async (nested: Repository, module: Module, usual: FetchChoice, more: readonly string[] = []) => {
			const inner = this.#invocation(nested);
			const nesting = { prefix: `${this.nesting.prefix}${module.path}/`, usual };
			const code = await exitCodeOf(inner, (git) => fetch(git, [...args, ...more], nesting));
			if (code === 0) return;
			this.#hasFailed = true;
			this.#failed.push(module.name);
		};
		for (const { nested, module, usual, by } of this.#chosen()) {
			const at = by === null ? '' : ` at commit ${repository.objects.abbreviate(by)}`;
			if (!this.isQuiet) this.git.err(`Fetching submodule ${this.nesting.prefix}${module.path}${at}\n`);
			await start(nested, module, usual);
			const wanted = [...(this.#moved.get(module.name)?.commits ?? [])];
			// Opened again, with the packs that were fetched.
			const { objects } = moduleRepository(repository, module) ?? nested;
			const missing = wanted.filter((id) => objects.find(id)?.type !== 'commit');
			if (missing.length > 0) this.#lacking.push({ nested, module, ids: missing });
		}
		for (const { nested, module, ids: missing } of this.#lacking.reverse())
			await start(nested, module, 'on-demand', [defaultRemote(nested), ...missing]);
		const failed = this.#failed.map((name) => `\t${name}\n`).join('');
		if (failed !== '') this.git.err(`Errors during submodule fetch:\n${failed}`);
		return !this.#hasFailed;
	}

	/** Submodules that new commits move to commits that they lack. */
	#movedBy(ids: readonly string[]): Map<string, MovedModule> {
		const { repository } = this.git;
		const commits = (all: readonly string[]) =>
			all.map((id) => repository.peeled(id)).filter((id) => repository.objects.find(id)?.type === 'commit');
		const exclude = commits(this.#before);
		const known = new Set(exclude);
		const include = commits(ids).filter((id) => !known.has(id));
		const moved = include.length === 0 ? [] : movedModules(repository, { include, exclude });
		const now = modulesByName(repository);
		return new Map(
			moved.flatMap((one): [string, MovedModule][] => {
				const nested = moduleRepository(repository, now.get(one.module.name) ?? one.module);
				return nested && hasCommits(nested, one.module.path, one.commits) ? [] : [[one.module.name, one]];
			})
		);
	}

	/** Submodules to fetch: those in the index, then others that the fetched commits move. */
	*#chosen(): Generator<{ nested: Repository; module: Module; usual: FetchChoice; by: string | null }> {
		const { repository } = this.git;
		const { index, files } = repository;
		const modules = modulesOf(repository);
		for (const { path, mode, stage } of index.entries()) {
			if (mode !== Mode.commit || stage > 0) continue;
			requirePlainPlace(repository, path);
			const module = modules.get(path) ?? { name: path, path };
			const usual = this.#wants(module);
			if (usual === null) continue;
			const nested = moduleRepository(repository, module);
			if (nested) {
				this.#seen.add(module.name);
				yield { nested, module, usual, by: null };
				continue;
			}
			// Only a repository in place counts as a submodule without an entry in `.gitmodules`.
			if (!modules.has(path)) continue;
			// The directory of a submodule that is not initialized is empty.
			const place = repository.absolute(path);
			if (files.statOrNull(place)?.kind === 'directory' && files.readdir(place).length === 0) continue;
			this.#hasFailed = true;
			this.git.err(`Could not access submodule '${path}'\n`);
		}
		for (const { module, by } of this.#moved.values()) {
			const usual = isActive(repository, module) ? this.#wants(module) : null;
			if (usual === null) continue;
			const nested = moduleRepository(repository, module);
			if (nested) {
				this.#seen.add(module.name);
				yield { nested, module, usual, by };
			} else {
				const at = repository.objects.abbreviate(by);
				this.git.err(`Could not access submodule '${module.path}' at commit ${at}\n`);
			}
		}
	}

	/** Choice for the submodules of a submodule; null if it is not to be fetched. */
	#wants(module: Module): FetchChoice | null {
		if (this.#seen.has(module.name)) return null;
		const key = `submodule.${module.name}.fetchRecurseSubmodules`;
		const text = this.git.repository.config.get(key) ?? module.fetches;
		const own = text === undefined ? this.nesting.usual : fetchChoice(key, text);
		const choice = this.choice ?? own;
		if (choice === 'no' || (choice === 'on-demand' && !this.#moved.has(module.name))) return null;
		return choice;
	}

	#invocation({ root, gitDir }: Repository): Invocation {
		const { context, surroundings, env } = this.git;
		this.git.flush();
		// Without a working tree, or with the name of one that does not exist, the git directory takes its place.
		const exists = root !== gitDir && context.sync.statOrNull(root)?.kind === 'directory';
		const others = withoutPlace(env);
		const own = exists ? others : { ...others, GIT_DIR: gitDir, GIT_WORK_TREE: gitDir };
		return new Invocation(context, exists ? root : gitDir, surroundings.overrides, own);
	}
}
