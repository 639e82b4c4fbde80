import { expect, it } from 'vitest';
import { killMoves } from './kills/moves.ts';

it('has the session whole in one place when its page, browser or server ends in the middle of a move', async () => {
	// Closes the page, kills the server in both directions, and the browser; one move completes.
	const { inMove, acknowledged } = await killMoves(undefined, 5, Number(process.env['SOAK_SEED'] ?? 108));
	expect(inMove).toBeGreaterThan(0);
	expect(acknowledged).toBeGreaterThan(0);
}, 240_000);
