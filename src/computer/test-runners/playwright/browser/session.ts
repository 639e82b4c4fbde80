import { Channel } from './channel.ts';

/** Settings of a browser context. */
export interface UseOptions {
	baseURL?: string | undefined;
	viewport?: { width: number; height: number } | null | undefined;
	testIdAttribute?: string | undefined;
	actionTimeout?: number | undefined;
	navigationTimeout?: number | undefined;
	extraHTTPHeaders?: Record<string, string> | undefined;
	browserName?: string | undefined;
	[option: string]: unknown;
}

/** The running test as its pages need it. */
export interface TestClock {
	/** Deadline of the test, as in `performance.now()`. */
	deadlineMs(): number;
	timeoutMs(): number;
	/** Records an error that fails the test when its function has ended. */
	fail(error: Error): void;
}

/** Connection of all pages of a run to the preview. */
export class Session {
	readonly channel: Channel;
	clock: TestClock = { deadlineMs: () => performance.now() + 30_000, timeoutMs: () => 30_000, fail: () => {} };
	#contexts = 0;
	readonly #run = Math.random().toString(36).slice(2, 10);

	constructor(send: (request: string) => Promise<string>) {
		this.channel = new Channel(send);
	}

	/** Name for the next browser context. */
	nextContext(): string {
		return `${this.#run}-${++this.#contexts}`;
	}

	/** Deadline of an action with its own timeout; 0: only the test's timeout applies. */
	deadline(timeoutMs: number | undefined): { atMs: number; isOwn: boolean; timeoutMs: number } {
		const testEnds = this.clock.deadlineMs();
		const own = timeoutMs ? performance.now() + timeoutMs : Infinity;
		const isOwn = own <= testEnds;
		return { atMs: Math.min(own, testEnds), isOwn, timeoutMs: isOwn ? (timeoutMs ?? 0) : this.clock.timeoutMs() };
	}
}
