import type { SessionEvent } from '#agent/events.ts';
import type { TaskFile, TaskTotals } from './items.ts';
import { Meters } from './meters.ts';

/** Sums up a task's cost and changes from its events. */
export class TaskTally {
	#spent = new Meters();
	readonly #files = new Map<string, TaskFile>();

	/** @param startedAt time when its message was sent; milliseconds since the epoch */
	constructor(readonly startedAt: number) {}

	/** Counts an event. The user's own edits meanwhile do not belong to the task. */
	take(event: SessionEvent): void {
		this.#spent = this.#spent.take(event);
		const change = event.type === 'subagent_event' ? event.event : event;
		if (change.type === 'file_change' && change.by !== 'user') this.#change(change);
	}

	/** @param endedAt milliseconds since the epoch */
	totals(endedAt: number): TaskTotals {
		const files = [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
		return { durationMs: Math.max(0, endedAt - this.startedAt), spent: this.#spent, files };
	}

	#change({ path, kind, added, removed }: TaskFile): void {
		const before = this.#files.get(path);
		// A file that the task created and removed again is not a result.
		if (before?.kind === 'added' && kind === 'removed') {
			this.#files.delete(path);
			return;
		}
		this.#files.set(path, {
			path,
			kind: before?.kind === 'added' ? 'added' : before?.kind === 'removed' && kind === 'added' ? 'modified' : kind,
			added: added + (before?.added ?? 0),
			removed: removed + (before?.removed ?? 0)
		});
	}
}
