import type { ProbeAnswer, TestProbe, TestStep } from '#environment/preview-testing.ts';

/** A page, as far as its own parts use it. */
export interface PageHandle {
	readonly testIdName: string;
	url(): string;
	/** Asks the page something. Rejects with what makes the question meaningless. */
	probe(probe: TestProbe): Promise<ProbeAnswer>;
	/** Does something with an element as soon as it can be done. */
	step(name: string, description: string, step: TestStep, timeout?: number): Promise<void>;
	/** Tries again until `attempt` gives something. Rejects as Playwright does when the time is up. */
	within<Value>(
		name: string,
		description: string,
		timeout: number | undefined,
		attempt: () => Promise<Value | null>
	): Promise<Value>;
	picture(selector: string | null, options: { path?: string; fullPage?: boolean }): Promise<Uint8Array>;
	readFile(path: string): Uint8Array<ArrayBuffer> | null;
}
