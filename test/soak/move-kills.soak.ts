import { expect, it } from 'vitest';
import { killMoves } from '#test/e2e/kills/moves.ts';
import { startDaemon } from '#test/server/machines/docker-daemon.ts';
import { soak } from './size.ts';

it('200 moves of a real page whose page, browser, server or container ends: the session is whole in one place', async () => {
	const { seed, size } = soak(200);
	const started = await startDaemon();
	if ('reason' in started) console.log(`Without containers: ${started.reason}`);
	const daemon = 'reason' in started ? undefined : started;
	const figures = await killMoves(daemon, size, seed).finally(() => daemon?.stop());
	console.log(`Moves with kills, seed ${seed}: ${JSON.stringify(figures)}`);
	expect(figures.inMove).toBeGreaterThan(0);
});
