import type { ProbeAnswer, TestProbe, TestStep } from '#environment/preview-testing.ts';

/** A page as its own parts use it. */
export interface PageHandle {
	readonly testIdName: string;
	url(): string;
	/** Sends a query to the page. Rejects if the query is invalid. */
	probe(probe: TestProbe): Promise<ProbeAnswer>;
	/** Performs an action on an element as soon as it is possible. */
	step(name: string, description: string, step: TestStep, timeout?: number): Promise<void>;
	/** Retries until `attempt` returns a result. Rejects as Playwright does after the timeout. */
	within<Value>(
		name: string,
		description: string,
		timeout: number | undefined,
		attempt: () => Promise<Value | null>
	): Promise<Value>;
	picture(selector: string | null, options: { path?: string; fullPage?: boolean }): Promise<Uint8Array>;
	readFile(path: string): Uint8Array<ArrayBuffer> | null;
}
