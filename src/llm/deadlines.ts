import { providerLabel, TimeoutError } from './errors.ts';

/** Time limits for the parts of a response, in ms; `0` disables a limit. */
export interface Deadlines {
	/** Limit until the provider starts to respond. */
	headersMs: number;
	/** Limit until the first text, reasoning or tool call: models may think silently before it. */
	firstContentMs: number;
	/**
	 * Limit between two chunks after that, including pings. Models also think in the middle of a response, and not
	 * every wire format has pings.
	 */
	silenceMs: number;
}

export const defaultDeadlines: Deadlines = { headersMs: 60_000, firstContentMs: 600_000, silenceMs: 300_000 };

type Phase = 'headers' | 'content' | 'silence';

/** Watches one attempt and calls `expire` once when it has taken too long. */
export class DeadlineWatch {
	private phase: Phase = 'headers';
	private since = performance.now();
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** Time counts only while the client waits for the provider, not while the consumer is busy. */
	private waiting = false;

	constructor(
		private readonly provider: string,
		private readonly deadlines: Deadlines,
		private readonly expire: (error: TimeoutError) => void
	) {}

	wait(): void {
		this.waiting = true;
		if (this.phase === 'silence') this.since = performance.now();
		this.arm();
	}

	rest(): void {
		this.waiting = false;
	}

	headersArrived(): void {
		if (this.phase === 'headers') this.enter('content');
	}

	contentArrived(): void {
		if (this.phase !== 'silence') this.enter('silence');
	}

	/** Reports that bytes of any kind arrived. */
	lifeSign(): void {
		if (this.phase === 'silence') this.since = performance.now();
	}

	stop(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		this.waiting = false;
	}

	private enter(phase: Phase): void {
		this.phase = phase;
		this.since = performance.now();
		clearTimeout(this.timer);
		this.timer = undefined;
		if (this.waiting) this.arm();
	}

	private get limit(): number {
		if (this.phase === 'headers') return this.deadlines.headersMs;
		return this.phase === 'content' ? this.deadlines.firstContentMs : this.deadlines.silenceMs;
	}

	/** Only one timer runs at a time; if it fires too early it is restarted with the remaining time. */
	private arm(): void {
		if (this.timer !== undefined || this.limit <= 0) return;
		const left = Math.max(1, this.since + this.limit - performance.now());
		this.timer = setTimeout(() => {
			this.timer = undefined;
			if (!this.waiting) return;
			if (performance.now() - this.since < this.limit) this.arm();
			else this.expire(new TimeoutError({ provider: this.provider, message: this.sentence() }));
		}, left);
	}

	private sentence(): string {
		const seconds = Math.round(this.limit / 1000);
		const name = providerLabel(this.provider);
		if (this.phase === 'headers') return `${name} did not answer within ${seconds} s. Try again.`;
		if (this.phase === 'content') return `${name} sent nothing within ${seconds} s. Try again.`;
		return `${name} fell silent for ${seconds} s in the middle of its response. Try again.`;
	}
}
