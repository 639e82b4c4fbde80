import { expect } from 'vitest';

/**
 * Far longer than local work takes on a busy machine, and shorter than the limit of a test: its failure names what did
 * not happen. In a mutant's run, a test that waits for four seconds is ended without a verdict.
 */
const LIMIT_MS = process.env['MUTANTS_FOLDER'] === undefined ? 20_000 : 3_000;
/** Saved before a test replaces it. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/**
 * Resolves to the value of `work`; fails the test if it does not settle, instead of waiting for the limit of the whole
 * test.
 */
export async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
	let timer: ReturnType<typeof startTimer> | undefined;
	const late = new Promise<'late'>((resolve) => (timer = startTimer(() => resolve('late'), LIMIT_MS)));
	const settled = work.then((value) => ({ value }));
	try {
		const first = await Promise.race([settled, late]);
		if (first === 'late') expect.fail(`Nothing came within ${LIMIT_MS / 1_000} s: ${what}.`);
		return first.value;
	} finally {
		stopTimer(timer);
	}
}
