import type { UseOptions } from '../browser/session.ts';

/** Annotation of a test, for reports. */
export interface Annotation {
	type: string;
	description?: string | undefined;
}

export type Status = 'passed' | 'failed' | 'timedOut' | 'skipped';

/** Thrown by `test.skip()` within a test. */
export class SkipSignal extends Error {
	override readonly name = 'SkipSignal';
}

interface Attachment {
	name: string;
	contentType: string;
	body?: Uint8Array | undefined;
	path?: string | undefined;
}

/** Named step of a test, for reports. */
export interface StepRecord {
	title: string;
	durationMs: number;
	error: string | null;
}

/** Playwright's `TestInfo`: the running test. */
export class TestInfo {
	readonly annotations: Annotation[];
	readonly attachments: Attachment[] = [];
	readonly errors: Error[] = [];
	readonly steps: StepRecord[] = [];
	readonly startedMs = performance.now();
	status: Status = 'passed';
	expectedStatus: Status = 'passed';
	timeout: number;
	#isSlow = false;

	constructor(
		readonly title: string,
		readonly titlePath: string[],
		readonly file: string,
		readonly line: number,
		readonly column: number,
		readonly retry: number,
		readonly project: { name: string; use: UseOptions },
		readonly outputDir: string,
		timeoutMs: number,
		annotations: readonly Annotation[],
		private readonly write: (path: string, bytes: Uint8Array) => void,
		readonly config: object
	) {
		this.timeout = timeoutMs;
		this.annotations = [...annotations];
	}

	get error(): Error | undefined {
		return this.errors[0];
	}
	get duration(): number {
		return performance.now() - this.startedMs;
	}
	/** As in `performance.now()`; with a timeout of 0 there is no deadline. */
	get deadlineMs(): number {
		return this.timeout === 0 ? Infinity : this.startedMs + this.timeout;
	}
	readonly workerIndex = 0;
	readonly parallelIndex = 0;
	readonly repeatEachIndex = 0;

	setTimeout(timeoutMs: number): void {
		this.timeout = timeoutMs;
	}
	skip(condition: unknown = true, description?: string): void {
		if (!condition) return;
		this.expectedStatus = 'skipped';
		this.annotations.push({ type: 'skip', description });
		throw new SkipSignal(description ?? 'skipped');
	}
	fixme(condition: unknown = true, description?: string): void {
		if (!condition) return;
		this.expectedStatus = 'skipped';
		this.annotations.push({ type: 'fixme', description });
		throw new SkipSignal(description ?? 'to be fixed');
	}
	fail(condition: unknown = true, description?: string): void {
		if (!condition) return;
		this.expectedStatus = 'failed';
		this.annotations.push({ type: 'fail', description });
	}
	slow(condition: unknown = true, description?: string): void {
		if (!condition || this.#isSlow) return;
		this.#isSlow = true;
		this.timeout *= 3;
		this.annotations.push({ type: 'slow', description });
	}
	outputPath(...parts: string[]): string {
		return [this.outputDir, ...parts].join('/');
	}
	async attach(
		name: string,
		given: { body?: string | Uint8Array; path?: string; contentType?: string } = {}
	): Promise<void> {
		const body = typeof given.body === 'string' ? new TextEncoder().encode(given.body) : given.body;
		const { path, contentType = body ? 'text/plain' : 'application/octet-stream' } = given;
		this.attachments.push({ name, contentType, body, path });
		if (body) this.write(this.outputPath('attachments', name.replace(/[^\w.-]+/g, '-')), body);
		await Promise.resolve();
	}
}
