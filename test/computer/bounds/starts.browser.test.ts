import { expect, it } from 'vitest';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { startInARow } from './starts.ts';

/** Each may take its time to report that it failed. */
const TEN_MS = 300_000;

it('ten starts in a row: none hangs, each runs a command', { timeout: TEN_MS }, async () => {
	const outcomes = await startInARow(10);
	console.info(outcomes.map(({ ms, failed }) => failed ?? Math.round(ms)).join(' '));
	expect(outcomes.map(({ failed }) => failed)).toEqual(Array.from({ length: 10 }, () => undefined));
});

it('starts where there is no frame name their error', async () => {
	const outcomes = await startInARow(3, { frameUrl: '/no-such-frame', patienceMs: 200 });
	expect(outcomes.map(({ failed }) => failed)).toEqual(['EUNAVAILABLE', 'EUNAVAILABLE', 'EUNAVAILABLE']);
});

it('a closed sandbox refuses with a sentence', async () => {
	const sandbox = createWasmEnvironment();
	await sandbox.initialize();
	await sandbox.cleanup();
	await expect(sandbox.exec('true')).rejects.toMatchObject({ code: 'ECLOSED', message: /Open a new one/ });
});
