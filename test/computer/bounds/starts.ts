import { EnvironmentError } from '#environment/errors.ts';
import { createWasmEnvironment, type WasmEnvironmentOptions } from '#computer/host/environment.ts';

export interface StartOutcome {
	/** Time until it was ready or failed with a reason. */
	ms: number;
	/** Code of its error; undefined if it ran a command. */
	failed?: string;
}

/**
 * Opens and closes sandboxes in a row. Each has run a command, or has reported its error, before the next is opened.
 */
export async function startInARow(count: number, options: WasmEnvironmentOptions = {}): Promise<StartOutcome[]> {
	const outcomes: StartOutcome[] = [];
	for (let run = 0; run < count; run++) {
		const from = performance.now();
		const sandbox = createWasmEnvironment(options);
		try {
			await sandbox.initialize();
			outcomes.push({ ms: performance.now() - from });
			const { stdout } = await sandbox.exec('echo $((6 * 7))');
			if (stdout !== '42\n') throw new Error(`the command printed ${JSON.stringify(stdout)}`);
		} catch (error) {
			if (!(error instanceof EnvironmentError)) throw error;
			outcomes.push({ ms: performance.now() - from, failed: error.code });
		} finally {
			await sandbox.cleanup();
		}
	}
	return outcomes;
}

/**
 * Memory of this page and everything it has started, after a garbage collection, in bytes. Needs Chromium and
 * cross-origin isolation.
 */
export async function measureMemory(): Promise<number> {
	if (!('measureUserAgentSpecificMemory' in performance)) throw new Error('This browser does not measure memory.');
	const measure = performance.measureUserAgentSpecificMemory as () => Promise<{ bytes: number }>;
	return (await measure.call(performance)).bytes;
}
