import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import type { World } from '../world.ts';
import { startMortalBrowser, type MortalBrowser } from './mortal-browser.ts';

/** A file large enough for a torn write. */
const LINES = 20_000;

export interface Kills {
	kills: number;
	/** Commands that were acknowledged and had to be persisted. */
	acknowledged: number;
}

/**
 * Opens a session in a real browser, runs commands one after the other, kills the browser at a random moment, opens the
 * session again and checks that everything acknowledged is there and nothing is incomplete; repeated `times` times.
 *
 * @param random number between 0 and 1; determines the moments
 */
export async function killOften(world: Pick<World, 'url'>, times: number, random: () => number): Promise<Kills> {
	const profile = await mkdtemp(path.join(tmpdir(), 'sandglass-kills-'));
	let address = world.url;
	let browser: MortalBrowser | undefined;
	const acknowledged = new Set<number>();
	try {
		for (let kill = 0; kill < times; kill++) {
			browser = await startMortalBrowser(profile);
			const { page } = browser;
			await page.goto(address);
			if (kill === 0) {
				await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'imported\n' } }));
				address = page.url();
			}
			const found = await readBack(page, acknowledged);
			const enough = new Promise<void>((resolve) => {
				const moment = Math.floor(random() * 5);
				void page.exposeFunction('acknowledged', (step: number) => {
					acknowledged.add(step);
					if (step >= found + 1 + moment) resolve();
				});
			});
			await page.waitForFunction(() => 'acknowledged' in window);
			// It continues until it is killed: its answer never arrives.
			page.evaluate(work, { from: found + 1, lines: LINES }).catch(() => undefined);
			await enough;
			// At some point during the next command.
			await new Promise((resolve) => setTimeout(resolve, random() * 60));
			await browser.kill();
		}
		browser = await startMortalBrowser(profile);
		await browser.page.goto(address);
		await readBack(browser.page, acknowledged);
	} finally {
		await browser?.kill();
		await rm(profile, { recursive: true, force: true });
	}
	return { kills: times, acknowledged: acknowledged.size };
}

/** Runs in the page: one command after the other, each reported when the page has acknowledged it. */
async function work({ from, lines }: { from: number; lines: number }): Promise<void> {
	const environment = window.sandglass!.environment!;
	for (let step = from; ; step++) {
		// A file written in place is empty for a moment, as on any computer; a file that is moved there never is.
		const write = `yes ${String(step)} | head -${String(lines)} > next && mv next big && echo ${String(step)} > later && mv later step && touch done-${String(step)}`;
		await environment.exec(write);
		await (window as unknown as { acknowledged(step: number): Promise<void> }).acknowledged(step);
	}
}

/**
 * Checks that each acknowledged step is there.
 *
 * @returns the last step found, acknowledged or not
 */
async function readBack(page: Page, acknowledged: ReadonlySet<number>): Promise<number> {
	await page.waitForFunction(() => window.sandglass?.environment);
	const { stdout } = await page.evaluate(() =>
		window.sandglass!.environment!.exec(
			'cat a.txt; cat step 2>/dev/null || echo 0; echo $(ls | grep done-); sort big 2>/dev/null | uniq -c'
		)
	);
	const [imported, step, done = '', ...big] = stdout.trim().split('\n');
	const found = Number(step);
	const steps = new Set(done.split(' ').flatMap((name) => (name === '' ? [] : [Number(name.slice('done-'.length))])));
	expect(imported).toBe('imported');
	expect(found).toBeGreaterThanOrEqual(Math.max(0, ...acknowledged));
	// If killed between two writes of one command, the later one may be missing; of an acknowledged one both are there.
	expect([...acknowledged].filter((one) => !steps.has(one))).toEqual([]);
	expect(Math.max(0, ...steps)).toBeLessThanOrEqual(found);
	const counts = big.map((line) => line.trim().split(' ').map(Number));
	expect(counts.length).toBeLessThanOrEqual(1);
	for (const [count, of] of counts) {
		expect([0, LINES]).toContain(count);
		expect([found, found + 1]).toContain(of);
	}
	return found;
}
