import type { SessionEvent } from '#agent/events.ts';
import { Timeline } from '../timeline/timeline-state.svelte.ts';

const STEP_MS = 600;
const SPEEDS = [1, 2, 4];
/** Longer pauses are shortened: time away from the session is not part of it. */
const LONGEST_PAUSE_MS = 5000;

/** Plays a recorded session: `position` is the number of events shown, from 0 to all. */
export class Replay {
	readonly timeline = new Timeline();
	position = $state(0);
	playing = $state(false);
	/** Speed factor. */
	speed = $state(1);
	#timer: ReturnType<typeof setTimeout> | null = null;
	/** Milliseconds from the start, by position. */
	readonly #elapsed: readonly number[];

	constructor(readonly events: readonly SessionEvent[]) {
		let sum = 0;
		this.#elapsed = events.map(({ timestamp }, index) => {
			const pause = timestamp - (events[index - 1]?.timestamp ?? timestamp);
			return (sum += Math.min(LONGEST_PAUSE_MS, Math.max(0, pause)));
		});
		this.seek(events.length);
	}

	/** Time of a position since the start, e.g. `0:21`. */
	clock(position: number): string {
		const seconds = Math.round((this.#elapsed[position - 1] ?? 0) / 1000);
		return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
	}

	nextSpeed(): void {
		this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length] ?? 1;
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

	/** Advances step by step; restarts from the beginning if it was at the end. */
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
		// Events without a visible effect are skipped, so that each step shows something.
		const before = this.timeline.items;
		do this.seek(this.position + 1);
		while (this.position < this.length && this.timeline.items.length === before.length);
		this.#timer = setTimeout(() => this.#tick(), STEP_MS / this.speed);
	}
}
