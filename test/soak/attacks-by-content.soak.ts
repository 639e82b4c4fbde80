import { expect, it } from 'vitest';
import { playHostileLoads } from '#test/contract/environment/hostile-paths.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { playWorktreePaths } from '#test/computer/git/worktree-paths.ts';
import { startModelServer } from '#test/model-server/server.ts';
import { playChangedShares } from '#test/session/share/changed-shares.ts';
import { playUnshown } from '#test/session/share/unshown.ts';
import { playDamage } from '#test/session/storage/damaged.ts';
import { playHostileImports } from '#test/workspace/import/hostile-trees.ts';
import { soak } from './size.ts';

/** Prints the figures of one kind of attack. */
function report(what: string, seed: number, figures: object): void {
	console.log(`Attacks by ${what}, seed ${seed}: ${JSON.stringify(figures)}`);
}

it('2,000 loads of hostile paths and links: nothing changes beside the directory', async () => {
	const { seed, size } = soak(2_000);
	const environment = await createTemporary();
	const figures = await playHostileLoads(environment, { count: size, seed, hasLinks: true });
	report('loads', seed, figures);
	expect(figures.refused).toBeGreaterThan(size / 4);
	expect(figures.tried - figures.refused).toBeGreaterThan(size / 20);
	await environment.cleanup();
	await removeTemporary();
});

it('400 imports of hostile folders, archives and zips: nothing lands beside the project', async () => {
	const { seed, size } = soak(400);
	const environment = await createTemporary();
	await environment.writeFile('~/mine.txt', 'mine');
	const figures = await playHostileImports(environment, { count: size, seed });
	report('imports', seed, figures);
	expect(figures.tried).toBe(size);
	await environment.cleanup();
	await removeTemporary();
});

it('100,000 paths of git trees: none that is checked out climbs', () => {
	const { seed, size } = soak(100_000);
	const figures = playWorktreePaths({ count: size, seed });
	report('git trees', seed, figures);
	expect(figures.taken + figures.refused).toBe(size);
});

it('20,000 changed shares: each is opened or refused, in a bounded number of steps', async () => {
	const { seed, size } = soak(20_000);
	const figures = await playChangedShares({ count: size, seed });
	report('shares', seed, figures);
	expect(figures.opened + figures.refused).toBe(size);
});

it('1,500 shares with messages that no event shows: all that the model is sent is shown', async () => {
	const { seed, size } = soak(1_500);
	const environment = await createTemporary();
	const turns = Array.from({ length: size * 2 }, () => ({ text: 'Done.' }));
	const server = await startModelServer({ name: 'any', turns });
	const figures = await playUnshown({ server, environment }, { count: size, seed });
	report('what shares do not show', seed, figures);
	expect(figures.tried).toBe(size);
	await server.close();
	await environment.cleanup();
	await removeTemporary();
});

it('5,000 damaged sessions: no content is false, and what is lost is reported', async () => {
	const { seed, size } = soak(5_000);
	const figures = await playDamage({ count: size, seed });
	report('damage', seed, figures);
	expect(figures.tried).toBe(size);
});
