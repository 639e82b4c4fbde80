import type { ToolState } from '../tool.ts';

const PREVIEW = Symbol('preview');

/** Serializes the preview calls of a session, since they share one page. */
export class PreviewTurns {
	/** The whole page as the model last saw it; `null` before that. */
	tree: string | null = null;
	#last: Promise<unknown> = Promise.resolve();

	static of(state: ToolState): PreviewTurns {
		return state.get(PREVIEW, () => new PreviewTurns());
	}

	/** Runs `work` when all earlier calls have ended. */
	take<Value>(work: () => Promise<Value>): Promise<Value> {
		const turn = this.#last.then(work);
		this.#last = turn.catch(() => {
			// The failure is reported to that call's own caller.
		});
		return turn;
	}
}
