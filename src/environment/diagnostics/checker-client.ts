import type { LineProcess, StartLineProcess } from './line-process.ts';
import { letHostEnd } from './let-host-end.ts';
import { parseReply, type CheckerReply, type CheckerRequest } from './messages.ts';

/** Crashes after which it is not restarted. */
const MOST_CRASHES = 3;
/** Idle time after which it is ended and its memory freed. */
const IDLE_MS = 5 * 60_000;

/** A request without its number. */
export type Asked = CheckerRequest extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

/**
 * Queries a checker in its own process: starts it for the first question and again after a crash, and never waits for
 * it longer than allowed.
 */
export class CheckerClient {
	#process: Promise<LineProcess | null> | null = null;
	#waiting = new Map<number, (reply: CheckerReply | null) => void>();
	#lastId = 0;
	#crashes = 0;
	#idle: ReturnType<typeof setTimeout> | undefined;
	#isClosed = false;
	#isMissing = false;

	/** @param onStart called for each new process, which has no state yet */
	constructor(
		private readonly start: StartLineProcess,
		private readonly onStart: () => void = () => {}
	) {}

	/** Number of unanswered questions, including those that have timed out. */
	get pending(): number {
		return this.#waiting.size;
	}

	get isRunning(): boolean {
		return this.#process !== null;
	}

	/** Reason why it is no longer started. */
	get notice(): string | undefined {
		return this.#crashes < MOST_CRASHES
			? undefined
			: `Looking for new problems was given up: it has failed ${MOST_CRASHES} times.`;
	}

	/** Returns the answer; `null` if it does not arrive in time. Never rejects. */
	async ask(asked: Asked, withinMs: number): Promise<CheckerReply | null> {
		if (this.#isClosed || this.#isMissing || this.#crashes >= MOST_CRASHES) return null;
		const id = ++this.#lastId;
		const answered = new Promise<CheckerReply | null>((resolve) => this.#waiting.set(id, resolve));
		if (!this.#process) this.onStart();
		this.#process ??= this.#begin();
		void this.#process.then((process) => process?.send(JSON.stringify({ ...asked, id })));
		this.#restartIdle();
		return within(answered, withinMs);
	}

	/** Ends it permanently. */
	close(): void {
		this.#isClosed = true;
		this.#end();
	}

	#end(): void {
		clearTimeout(this.#idle);
		const ended = this.#process;
		this.#process = null;
		this.#nothing();
		void ended?.then((process) => process?.kill());
	}

	#begin(): Promise<LineProcess | null> {
		const listener = { onLine: (line: string) => this.#settle(line), onEnd: () => this.#ended(own) };
		const own: Promise<LineProcess | null> = this.start(listener).then(
			(process) => {
				this.#isMissing = process === null;
				if (!process) this.#nothing();
				return process;
			},
			() => {
				this.#ended(own);
				return null;
			}
		);
		return own;
	}

	#ended(which: Promise<LineProcess | null>): void {
		if (this.#process !== which) return;
		this.#crashes++;
		this.#process = null;
		this.#nothing();
	}

	#settle(line: string): void {
		const reply = parseReply(line);
		if (!reply) return;
		this.#waiting.get(reply.id)?.(reply);
		this.#waiting.delete(reply.id);
	}

	#nothing(): void {
		for (const resolve of this.#waiting.values()) resolve(null);
		this.#waiting.clear();
	}

	#restartIdle(): void {
		clearTimeout(this.#idle);
		this.#idle = setTimeout(() => this.#end(), IDLE_MS);
		letHostEnd(this.#idle);
	}
}

/** Resolves with the value, or with `null` at the time limit. */
async function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
	const first = await Promise.race([work, late]);
	clearTimeout(timer);
	return first;
}
