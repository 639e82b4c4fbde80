import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import recorded from './playwright-suite/verdicts.json' with { type: 'json' };
import { nativeVerdicts } from './playwright-suite/native.ts';
import { suiteFiles, verdictsOf } from './playwright-suite/suite.ts';
import { openWorld, type World } from './world.ts';

/** All thirty tests, also in Playwright itself; otherwise some of them, compared with its recorded results. */
const isWhole = process.env['PLAYWRIGHT_SUITE'] === 'all';
const LONG_MS = 900_000;

let world: World;
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(() => world?.close());

const verdictsHere = async (files: Record<string, string>, grep: string): Promise<Record<string, string>> => {
	await page.evaluate((given) => window.sandglass!.importRepository({ files: given }), files);
	const command = `npx playwright test --reporter=json --grep='${grep}'`;
	const { stdout } = await page.evaluate(
		([line, timeoutMs]) => window.sandglass!.environment!.exec(line, { timeoutMs }),
		[command, LONG_MS] as const
	);
	return verdictsOf(stdout);
};

it.each([
	['sound', false],
	['faulty', true]
] as const)(
	'gives the verdicts of Playwright itself over a small app that is %s',
	async (name, isFaulty) => {
		const files = suiteFiles(isFaulty);
		const here = await verdictsHere(files, isWhole ? '.' : '@sample');
		const there: Record<string, string> = isWhole ? nativeVerdicts(files, '.') : recorded[name];
		expect(Object.keys(here).length).toBeGreaterThanOrEqual(isWhole ? 30 : 6);
		expect(here).toEqual(Object.fromEntries(Object.keys(here).map((title) => [title, there[title]])));
	},
	LONG_MS
);
