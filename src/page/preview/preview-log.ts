import type { PreviewLogEntry, PreviewLogs } from '#environment/preview.ts';
import type { RequestNote } from './served/request-log.ts';

/** Maximum entries: a page in a loop must not fill the memory. */
const KEPT = 500;
const TEXT_LENGTH = 4_000;

/** Numbered log of a preview's output, errors and requests, across all documents it displayed. */
export class PreviewLog {
	#entries: PreviewLogEntry[] = [];
	#lastId = 0;

	addLine(kind: PreviewLogEntry['kind'], text: string, place: string): void {
		const cut = text.slice(0, TEXT_LENGTH);
		const last = this.#entries.at(-1);
		// A repetition counts as a new entry, so that readers of later entries see it.
		if (last?.kind === kind && last.text === cut && last.place === place) {
			this.#entries[this.#entries.length - 1] = { ...last, id: ++this.#lastId, count: last.count + 1 };
			return;
		}
		this.#entries.push({ id: ++this.#lastId, kind, text: cut, place, count: 1 });
		if (this.#entries.length > KEPT) this.#entries = this.#entries.slice(-KEPT);
	}

	addRequest({ method, target, status, durationMs }: RequestNote): void {
		this.addLine('request', `${method} ${target} → ${status ?? 'no answer'} (${Math.round(durationMs)} ms)`, '');
	}

	since(id: number): PreviewLogs {
		return { entries: this.#entries.filter((entry) => entry.id > id), last: this.#lastId };
	}
}
