import { expect, it } from 'vitest';
import { killMoves } from './kills/moves.ts';

it('has the session whole in one place when its page, browser or server ends in the middle of a move', async () => {
	const { inMove, acknowledged } = await killMoves(undefined, 6, Number(process.env['SOAK_SEED'] ?? 1));
	expect(inMove).toBeGreaterThan(0);
	expect(acknowledged).toBeGreaterThan(0);
}, 240_000);
