import fc from 'fast-check';
import { it } from 'vitest';
import { history } from './histories/history.ts';
import { play } from './histories/play.ts';

it('keeps every acknowledged step and none half, whatever happens to tab, disk and clock', async () => {
	await fc.assert(fc.asyncProperty(history, play), { numRuns: 300, seed: 20261121 });
});
