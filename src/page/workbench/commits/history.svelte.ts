import { readBranches, type Branches } from '#workspace/repository/branches.ts';
import { readCommits, type Commit } from '#workspace/repository/commits.ts';
import { SharedRun } from '#workspace/shared-run.ts';
import type { Project } from '../../project/project.svelte.ts';

const PAGE = 100;

/** Current commits and branches of a project. */
export class History {
	/** `null` until they have been read, and if there is no repository. */
	commits: readonly Commit[] | null = $state.raw(null);
	branches: Branches | null = $state.raw(null);
	/** True if there are more commits than have been read. */
	more = $state(false);
	/** True if the project has no repository. */
	missing = $state(false);
	#limit = PAGE;
	#withCommits = false;
	readonly #reading = new SharedRun(() => this.#read());

	constructor(private readonly project: Project) {}

	/** Reads both again. Rejects with git's own message. */
	refresh(): Promise<void> {
		return this.#reading.next();
	}

	/** Reads older commits too. */
	showMore(): Promise<void> {
		this.#limit += PAGE;
		return this.refresh();
	}

	/**
	 * Follows the repository until the returned function is called. Changes outside it, such as the agent's edits, do not
	 * run git.
	 *
	 * @param withCommits reads the commits too, not only the branches
	 */
	watch(withCommits: boolean): () => void {
		const { environment, workspace } = this.project;
		this.#withCommits = withCommits;
		const folder = `${environment.workingDirectory()}/.git`;
		let isStale = true;
		const read = (): void => {
			if (!isStale) return;
			isStale = false;
			this.refresh().catch((error: unknown) => (this.project.failure = error));
		};
		read();
		const leave = [
			environment.onChange(({ path, to }) => {
				if (path.startsWith(folder) || to?.startsWith(folder)) isStale = true;
			}),
			workspace.onUpdate(read)
		];
		return () => leave.forEach((end) => end());
	}

	async #read(): Promise<void> {
		const { environment } = this.project;
		if (!(await environment.fileExists('.git'))) {
			[this.missing, this.commits, this.branches] = [true, null, null];
			return;
		}
		this.missing = false;
		this.branches = await readBranches(environment);
		if (!this.#withCommits) return;
		const limit = this.#limit;
		const read = await readCommits(environment, limit + 1);
		this.commits = read.slice(0, limit);
		this.more = read.length > limit;
	}
}
