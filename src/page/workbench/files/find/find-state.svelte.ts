import type { ExecutionEnvironment } from '#environment/contract.ts';
import { search, type FindEnd, type FindQuery, type FoundFile } from './search.ts';

/** Time without typing after which a search starts, in milliseconds. */
const REST_MS = 180;
/** Minimum interval between renderings while results arrive. */
const DRAW_MS = 60;

/** A search over the project's files and its results so far. */
export class FindState {
	files: readonly FoundFile[] = $state.raw([]);
	searching = $state(false);
	/** `null` until a search has ended. */
	end: FindEnd | null = $state.raw(null);
	#abort: AbortController | null = null;
	#timer: ReturnType<typeof setTimeout> | null = null;

	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly onFailure: (error: unknown) => void
	) {}

	/** Number of lines with a match. */
	get count(): number {
		return this.files.reduce((sum, { lines }) => sum + lines.length, 0);
	}

	/** Starts a search once the user has stopped typing; cancels the previous one. */
	request(query: FindQuery): void {
		this.leave();
		if (query.pattern === '') {
			this.files = [];
			this.end = null;
			return;
		}
		this.#timer = setTimeout(() => void this.run(query), REST_MS);
	}

	/** Searches immediately. */
	async run(query: FindQuery): Promise<void> {
		this.leave();
		const abort = new AbortController();
		this.#abort = abort;
		this.searching = true;
		this.end = null;
		const found = new Map<string, FoundFile>();
		let drawnMs = performance.now();
		const draw = (): void => {
			drawnMs = performance.now();
			this.files = [...found.values()];
		};
		try {
			const end = await search(
				this.environment,
				query,
				(file) => {
					found.set(file.path, file);
					if (performance.now() - drawnMs > DRAW_MS && !abort.signal.aborted) draw();
				},
				abort.signal
			);
			if (abort.signal.aborted) return;
			draw();
			this.end = end;
		} catch (error) {
			if (!abort.signal.aborted) this.onFailure(error);
		} finally {
			if (this.#abort === abort) this.searching = false;
		}
	}

	/** Cancels the running search. */
	leave(): void {
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
		this.#abort?.abort();
		this.#abort = null;
		this.searching = false;
	}
}
