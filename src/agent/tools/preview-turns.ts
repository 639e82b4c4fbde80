import type { ToolState } from '../tool.ts';

const PREVIEW = Symbol('preview');

/** The one preview of a session: calls take turns, since they share one page. */
export class PreviewTurns {
	/** The whole page as the model saw it last; `null` before it did. */
	tree: string | null = null;
	#last: Promise<unknown> = Promise.resolve();

	static of(state: ToolState): PreviewTurns {
		return state.get(PREVIEW, () => new PreviewTurns());
	}

	/** Runs `work` when all earlier calls have ended. */
	take<Value>(work: () => Promise<Value>): Promise<Value> {
		const turn = this.#last.then(work);
		this.#last = turn.catch(() => {
			// The failure is reported to the caller of that operation.
		});
		return turn;
	}
}
