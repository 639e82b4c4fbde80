import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APPS, PORT, type App } from './preview-faults/apps.ts';
import { FAULTS, filesWith, type Fault } from './preview-faults/faults.ts';
import { Inspector } from './preview-faults/inspector.ts';
import { inspect } from './preview-faults/journeys.ts';
import { openWorld, type World } from './world.ts';

/** All fifty faults in all five apps; otherwise some of them. */
const isWhole = process.env['PREVIEW_FAULTS'] === 'all';
const APPS_HERE: readonly App[] = isWhole ? APPS : ['shop'];
const FAULTS_HERE = isWhole ? FAULTS : FAULTS.filter(({ app }, index) => APPS_HERE.includes(app) && index % 5 === 3);
/** Of fifty faults, at least 45 must be found; of the sample all. */
const LEAST = isWhole ? 45 : FAULTS_HERE.length;
const LONG_MS = 1_200_000;

let world: World;
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(() => world?.close());

const complaintsOf = async (app: App, fault: Fault | null): Promise<string[]> => {
	await page.evaluate((files) => window.sandglass!.importRepository({ files }), filesWith(fault));
	await page.evaluate(() => void window.sandglass!.environment!.start('node server.cjs'));
	await page.waitForFunction(
		(port) => window.sandglass!.environment!.loopback!.ports.some((each) => each.port === port),
		PORT
	);
	return inspect(new Inspector(page, app), app);
};

describe('an agent that has only the preview', () => {
	it('has nothing to say about a sound app', { timeout: LONG_MS }, async () => {
		for (const app of APPS_HERE) expect(await complaintsOf(app, null), app).toEqual([]);
	});

	it('finds the faults that were put in', { timeout: LONG_MS }, async () => {
		const missed: string[] = [];
		for (const fault of FAULTS_HERE) {
			const complaints = await complaintsOf(fault.app, fault);
			if (complaints.length === 0) missed.push(`${fault.app}: ${fault.name}`);
			if (isWhole) console.log(`${fault.app}: ${fault.name}: ${complaints[0] ?? 'NOT FOUND'}`);
		}
		expect(FAULTS_HERE.length - missed.length, missed.join('\n')).toBeGreaterThanOrEqual(LEAST);
	});
});
