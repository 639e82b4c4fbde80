import type { SessionEvent } from '#agent/events.ts';
import { Fold } from './fold.ts';
import type { Item } from './items.ts';
import { Meters } from './meters.ts';
import { oncePerFrame } from './schedule.ts';

/** State of the timeline: events arrive at any rate, the displayed items change at most once per frame. */
export class Timeline {
	/** Items in display order. */
	items: readonly Item[] = $state.raw([]);
	/** Cost, tokens and context so far. */
	meters: Meters = $state.raw(new Meters());
	#fold = new Fold();
	#meters = new Meters();
	#frame = oncePerFrame(() => this.publish());

	push(event: SessionEvent): void {
		this.#meters = this.#meters.take(event);
		this.#fold.push(event);
		this.#frame.request();
	}

	/** Adds many stored events at once and shows them. */
	load(events: Iterable<SessionEvent>): void {
		for (const event of events) {
			this.#meters = this.#meters.take(event);
			this.#fold.push(event);
		}
		this.publish();
	}

	/** Clears everything, for going back and for a replay that jumps. */
	reset(): void {
		this.#frame.cancel();
		this.#fold = new Fold();
		this.#meters = new Meters();
		this.publish();
	}

	/** Shows pending events without waiting for a frame. */
	publish(): void {
		this.items = this.#fold.items.slice();
		this.meters = this.#meters;
	}

	/** Last item before a checkpoint; `undefined` for one of another branch. Not reactive. */
	happenedBefore(checkpointId: string): Item | undefined {
		return this.#fold.happenedBefore(checkpointId);
	}

	get lastSeq(): number {
		return this.#fold.lastSeq;
	}
}
