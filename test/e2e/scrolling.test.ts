import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { agentIs, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

/** Paragraphs of one answer: taller than the window, in few items. */
const answer = Array.from({ length: 14 }, (_, index) => `Paragraph ${index + 1} of a long answer.`).join('\n\n');
const turns = Array.from({ length: 200 }, (): ScenarioTurn => ({ text: answer }));

let models: ModelServer;
let world: World;
beforeAll(async () => {
	models = await startModelServer({ name: 'long', turns });
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
});
afterAll(async () => {
	await world.close();
	await models.close();
});

/** Scroll offset of the document and of every part of the frame that is not a scroll area, in pixels. */
const displacement = (page: Page): Promise<Record<string, number>> =>
	page.evaluate(() => {
		const moved: Record<string, number> = {};
		const root = document.scrollingElement!;
		if (root.scrollTop !== 0 || root.scrollLeft !== 0) moved['document'] = root.scrollTop + root.scrollLeft;
		const header = document.querySelector('header')!.getBoundingClientRect();
		if (header.top !== 0) moved['header'] = header.top;
		for (let at: Element | null = document.querySelector('[role=log]'); at; at = at.parentElement) {
			if (at.getAttribute('role') === 'log') continue;
			if (at.scrollTop !== 0) moved[`${at.tagName}.${at.className}`] = at.scrollTop;
		}
		return moved;
	});

/** Pixels by which the page is larger than the window. */
const overflow = (page: Page): Promise<[number, number]> =>
	page.evaluate(() => {
		const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.scrollingElement!;
		return [scrollHeight - clientHeight, scrollWidth - clientWidth];
	});

async function wheelOver(page: Page, selector: string): Promise<void> {
	const box = (await page.locator(selector).first().boundingBox())!;
	await page.mouse.move(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
	for (let step = 0; step < 6; step += 1) await page.mouse.wheel(0, 1200);
	// The compositor scrolls after the event: two frames later it is done.
	await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * Tries everything that makes a browser scroll: the wheel, keys, focus, and scripts that scroll something into view.
 */
async function tryToScroll(page: Page, foot = 'textarea'): Promise<void> {
	for (const selector of ['header', '[role=log]', foot]) await wheelOver(page, selector);
	for (const key of ['End', 'PageDown', 'Space']) {
		await timelineOf(page).focus();
		await page.keyboard.press(key);
		await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
		await page.keyboard.press(key);
	}
	await page.evaluate(() => {
		for (const element of document.querySelectorAll<HTMLElement>('main *')) {
			element.scrollIntoView({ block: 'start' });
			element.focus();
		}
		scrollTo(0, 10_000);
	});
}

const WIDTHS = [
	[1440, 900],
	[820, 700],
	[390, 760]
] as const;

describe('a long session', () => {
	it.each(WIDTHS)('keeps the app in the window, %i pixels wide', async (width, height) => {
		const { page, errors } = await world.newProfile({ viewport: { width, height } });
		await page.goto(world.url);
		await openFiles(page, { 'a.txt': 'a\n' });
		for (let count = 1; count <= 4; count += 1) {
			await send(page, `Message ${count}`);
			await agentIs(page, 'idle');
		}
		expect(await overflow(page)).toEqual([0, 0]);
		await tryToScroll(page);
		expect(await displacement(page)).toEqual({});
		expect(errors).toEqual([]);
	});

	it('keeps it there when the timeline is so long that only a part of it is drawn, and in its replay', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await openFiles(page, { 'a.txt': 'a\n' });
		await page.evaluate(async () => {
			for (let count = 0; count < 45; count += 1) await window.sandglass!.ask(`Message ${count}`);
		});
		await agentIs(page, 'idle');
		await page.waitForFunction(() => document.querySelectorAll('[role=log] [data-index]').length < 120);
		expect(await overflow(page)).toEqual([0, 0]);
		await tryToScroll(page);
		expect(await displacement(page)).toEqual({});

		const { url } = await page.evaluate(() => window.sandglass!.share());
		const replay = await (await world.newProfile({ viewport: { width: 390, height: 760 } })).context.newPage();
		await replay.goto(url);
		await replay.getByRole('button', { name: 'Conversation', exact: true }).click();
		await timelineOf(replay).getByText('Message 44', { exact: true }).waitFor();
		expect(await overflow(replay)).toEqual([0, 0]);
		await tryToScroll(replay, 'footer');
		expect(await displacement(replay)).toEqual({});
	});
});
