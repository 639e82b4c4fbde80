import type { SessionEvent } from '#agent/events.ts';
import { Timeline } from '../timeline/timeline-state.svelte.ts';

const STEP_MS = 600;

/** Plays a recorded session back: `position` counts the events shown, from 0 to all of them. */
export class Replay {
	readonly timeline = new Timeline();
	position = $state(0);
	playing = $state(false);
	#timer: ReturnType<typeof setTimeout> | null = null;

	constructor(readonly events: readonly SessionEvent[]) {
		this.seek(events.length);
	}

	get length(): number {
		return this.events.length;
	}

	seek(position: number): void {
		const to = Math.max(0, Math.min(position, this.length));
		if (to < this.position) {
			this.timeline.reset();
			this.position = 0;
		}
		this.timeline.load(this.events.slice(this.position, to));
		this.position = to;
	}

	/** Advances step by step, from the beginning if it was at the end. */
	play(): void {
		if (this.position === this.length) this.seek(0);
		this.playing = true;
		this.#tick();
	}

	pause(): void {
		this.playing = false;
		if (this.#timer !== null) clearTimeout(this.#timer);
		this.#timer = null;
	}

	#tick(): void {
		if (!this.playing) return;
		if (this.position === this.length) return this.pause();
		// Events that show nothing pass at once, so that each step is one to see.
		const before = this.timeline.items;
		do this.seek(this.position + 1);
		while (this.position < this.length && this.timeline.items.length === before.length);
		this.#timer = setTimeout(() => this.#tick(), STEP_MS);
	}
}
