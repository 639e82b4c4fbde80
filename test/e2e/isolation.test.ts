import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ATTACK, attempts, startListener, type Listener } from './attack.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let listener: Listener;

beforeAll(async () => {
	listener = await startListener();
	world = await openWorld();
});
afterAll(async () => {
	await listener.close();
	await world.close();
});

describe('code that runs in the sandbox', () => {
	it('reads nothing of the page and reaches no address but through the ledger, which refuses and writes it down', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await page.evaluate(() => localStorage.setItem('secret', 'of the page'));
		await page.evaluate((text) => window.sandglass!.importRepository({ files: { 'attack.cjs': text } }), ATTACK);
		listener.hits.length = 0;
		const answered = world.log.length;
		const result = await page.evaluate(
			(targets) => window.sandglass!.environment!.exec(`node attack.cjs ${targets.join(' ')}`, { timeoutMs: 60_000 }),
			[listener.url, world.url.replace(/\/$/, '')]
		);
		expect(result.stderr).toBe('');
		const tries = JSON.parse(result.stdout) as Record<string, string>;
		expect(Object.keys(tries)).toHaveLength(attempts(2));
		expect(Object.entries(tries).filter(([, outcome]) => outcome !== 'refused')).toEqual([]);
		expect(listener.hits).toEqual([]);
		// Our own server was only contacted for programs of the sandbox (304: already cached by the browser), none of
		// which is missing.
		const served = world.log.slice(answered).map(({ method, route, status }) => `${method} ${route} ${status}`);
		expect(served.filter((line) => !['GET /* 200', 'GET /* 304'].includes(line))).toEqual([]);
	});
});
