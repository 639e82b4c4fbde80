import type { CodeProblem, LanguageService } from '#environment/language.ts';

/** Maximum files to check for the list. */
const MOST_FILES = 400;

/** Problems by file: for the open file from the editor's text, for others from disk on request. */
export class Problems {
	byPath: ReadonlyMap<string, readonly CodeProblem[]> = $state.raw(new Map());
	/** True while the list is displayed. */
	open = $state(false);
	/** Files that remain to be checked; 0: no check is running. */
	left = $state(0);
	#scan = 0;

	/** Errors first, then by file and line. */
	get list(): CodeProblem[] {
		const all = [...this.byPath.values()].flat();
		const rank = ({ severity }: CodeProblem): number => (severity === 'error' ? 0 : 1);
		return all.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
	}

	count(severity: CodeProblem['severity']): number {
		let count = 0;
		for (const problems of this.byPath.values())
			for (const problem of problems) if (problem.severity === severity) count++;
		return count;
	}

	/** Sets the problems of one file. @param path absolute */
	set(path: string, problems: readonly CodeProblem[]): void {
		if (problems.length === 0 && !this.byPath.has(path)) return;
		const next = new Map(this.byPath);
		if (problems.length === 0) next.delete(path);
		else next.set(path, problems);
		this.byPath = next;
	}

	/**
	 * Checks all files of the project that a file belongs to, one request per file, so that the editor's requests are not
	 * delayed.
	 */
	async checkAll(service: LanguageService, path: string, isUnsaved: (path: string) => boolean): Promise<void> {
		const scan = ++this.#scan;
		const sources = (await service.sources(path)).slice(0, MOST_FILES);
		if (scan !== this.#scan) return;
		const isSource = new Set(sources);
		for (const known of this.byPath.keys()) if (!isSource.has(known) && !isUnsaved(known)) this.set(known, []);
		this.left = sources.length;
		for (const source of sources) {
			if (scan !== this.#scan) return;
			if (!isUnsaved(source)) {
				const problems = await service.savedProblems(source);
				if (scan === this.#scan && problems) this.set(source, problems);
			}
			if (scan === this.#scan) this.left--;
		}
	}

	/** Stops a check of all files. */
	stop(): void {
		this.#scan++;
		this.left = 0;
	}
}
