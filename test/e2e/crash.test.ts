import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

it('says that the computer in the tab stopped, and starts it again with every file', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'imported\n' } }));
	await page.evaluate(() => window.sandglass!.environment!.exec('echo made > b.txt && git add b.txt'));
	await page.evaluate(() => document.querySelector('iframe[src*="/runner"]')!.remove());
	const after = await page.evaluate(async () => {
		const environment = window.sandglass!.environment!;
		const again = async () => {
			const { stdout, exitCode } = await environment.exec('cat a.txt b.txt && git status --short');
			return { stdout, exitCode };
		};
		// The first call may reach the computer while it stops.
		return again().catch(again);
	});
	expect(after).toEqual({ stdout: 'imported\nmade\nA  b.txt\n', exitCode: 0 });
	const said = /stopped.*files are safe.*restarts/;
	await page.getByRole('alert').filter({ hasText: said }).first().waitFor();
});
