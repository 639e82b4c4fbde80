import { readBranches, type Branches } from '#workspace/repository/branches.ts';
import { readCommits, type Commit } from '#workspace/repository/commits.ts';
import { SharedRun } from '#workspace/shared-run.ts';
import type { Project } from '../../project/project.svelte.ts';

const PAGE = 100;

/** Commits and branches of a project, as git has them now. */
export class History {
	/** `null` until they are read, and where there is no repository. */
	commits: readonly Commit[] | null = $state.raw(null);
	branches: Branches | null = $state.raw(null);
	/** Set if there are commits beyond those read. */
	more = $state(false);
	/** Set if the project has no repository. */
	missing = $state(false);
	#limit = PAGE;
	readonly #reading = new SharedRun(() => this.#read());

	constructor(private readonly project: Project) {}

	/** Reads both again. Rejects with git's own words. */
	refresh(): Promise<void> {
		return this.#reading.next();
	}

	/** Reads older commits too. */
	showMore(): Promise<void> {
		this.#limit += PAGE;
		return this.refresh();
	}

	/** Follows the project's files until the returned function is called. */
	watch(): () => void {
		const read = (): void => void this.refresh().catch((error: unknown) => (this.project.failure = error));
		read();
		return this.project.workspace.onUpdate(read);
	}

	async #read(): Promise<void> {
		const { environment } = this.project;
		if (!(await environment.fileExists('.git'))) {
			[this.missing, this.commits, this.branches] = [true, null, null];
			return;
		}
		const limit = this.#limit;
		const read = await readCommits(environment, limit + 1);
		this.branches = await readBranches(environment);
		this.commits = read.slice(0, limit);
		this.more = read.length > limit;
		this.missing = false;
	}
}
