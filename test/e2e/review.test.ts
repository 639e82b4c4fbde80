import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const DRAFT = 'Number the third line\n\nIt was the only one without.';
const SLOW = 'This draft is never read to its end. '.repeat(400);

let models: ModelServer;
let world: World;
let page: Page;
let errors: string[];

const lines = (change: Record<number, string> = {}): string =>
	Array.from({ length: 40 }, (_, index) => `${change[index + 1] ?? `line ${index + 1}`}\n`).join('');

beforeAll(async () => {
	models = await startModelServer([
		{
			match: ({ body }) => JSON.stringify(body).includes('slow.txt'),
			scenario: { name: 'slow', turns: [{ text: SLOW, pace: { chunkCharacters: 4, delayMs: 20 } }] }
		},
		{
			match: ({ body }) => JSON.stringify(body).includes('Write the commit message.'),
			scenario: { name: 'draft', turns: [{ text: DRAFT }] }
		},
		{ match: () => true, scenario: { name: 'talk', turns: [], afterwards: { text: 'I read your comments.' } } }
	]);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'list.txt': lines(), 'b.txt': 'b\n' });
	await write('list.txt', lines({ 3: 'third', 36: 'late' }));
	await write('b.txt', 'b\nmore\n');
	await page.getByRole('tab', { name: 'Changes' }).click();
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const idle = () => agentIs(page, 'idle');
const write = (path: string, text: string) =>
	page.evaluate(([name, content]) => window.sandglass!.environment!.writeFile(name!, content!), [path, text]);
const toReview = () => page.getByRole('list', { name: 'Changed files' });
const drafts = () => page.getByRole('region', { name: 'Comments to send' });
const lastSent = (): string => JSON.stringify(models.requests.at(-1)?.body);

describe('comments on a diff', () => {
	it('wait in a list, over a reload, and go to the agent alone', async () => {
		await toReview().getByRole('button', { name: 'Comment on line 3', exact: true }).click();
		const box = page.getByRole('textbox', { name: 'Comment on list.txt, line 3' });
		await box.fill('Say “3rd” instead.');
		await page.keyboard.press('Control+Enter');
		await drafts().getByText('list.txt:3').waitFor();
		await page.reload();
		await idle();
		await drafts().getByText('Say “3rd” instead.').waitFor();
		await page.getByRole('button', { name: 'Send', exact: true }).click();
		await timelineOf(page).getByText('I read your comments.').waitFor();
		await idle();
		expect(lastSent()).toContain('list.txt, line 3:\\n> third\\n\\nSay “3rd” instead.');
		await drafts().waitFor({ state: 'detached' });
	});

	it('are written by keyboard, on old lines and side by side, and go along with a message', async () => {
		await page.getByRole('tab', { name: 'Changes' }).click();
		await toReview().getByRole('button', { name: 'Comment on line 3', exact: true }).focus();
		await page.keyboard.press('ArrowUp');
		await page.keyboard.press('Enter');
		await page.getByRole('textbox', { name: 'Comment on list.txt, line 3' }).fill('Why did this go?');
		await page.keyboard.press('Control+Enter');
		await page.getByRole('button', { name: 'Side by side' }).click();
		await toReview().getByRole('button', { name: 'Comment on line 2', exact: true }).nth(0).click();
		// The box receives the focus automatically.
		const focused = page.locator('textarea:focus');
		await focused.waitFor();
		await page.keyboard.type('This one is new.');
		await expect.poll(() => focused.inputValue()).toBe('This one is new.');
		expect(await violations(page)).toEqual([]);
		await page.getByRole('button', { name: 'Add comment' }).click();
		await drafts().getByText('2 comments go with your next message').waitFor();
		await page.getByRole('button', { name: 'Unified' }).click();
		await send(page, 'Please look at these');
		await drafts().waitFor({ state: 'detached' });
		await expect.poll(lastSent).toContain('list.txt, line 3 as it was before:\\n> line 3\\n\\nWhy did this go?');
		expect(lastSent()).toContain('Please look at these');
		expect(lastSent()).toContain('> more\\n\\nThis one is new.');
		await idle();
	});
});

describe('accepting', () => {
	it('takes a part out of the review until it changes again, over a reload', async () => {
		const accept = toReview().getByRole('button', { name: 'Accept this part' });
		await expect.poll(() => accept.count()).toBe(3);
		await toReview().getByRole('button', { name: 'Accept file: b.txt' }).click();
		await expect.poll(() => accept.count()).toBe(2);
		await accept.last().click();
		await expect.poll(() => accept.count()).toBe(1);
		await page.getByText('1 accepted file').waitFor();
		await page.reload();
		await idle();
		await page.getByRole('tab', { name: 'Changes' }).click();
		await toReview().getByText('accepted', { exact: true }).waitFor();
		await expect.poll(() => accept.count()).toBe(1);
		// Reverting what was not accepted leaves nothing to review here.
		await toReview().getByRole('button', { name: 'Revert', exact: true }).click();
		await page.getByText('All changes accepted.').waitFor();
		await write('b.txt', 'b\nother\n');
		await toReview().getByText('b.txt', { exact: true }).waitFor();
		expect(await toReview().getByText('list.txt', { exact: true }).count()).toBe(0);
		await page.getByText('1 accepted file').click();
		await page.getByRole('button', { name: 'Review again: list.txt' }).click();
		await toReview().getByText('list.txt', { exact: true }).waitFor();
	});
});

describe('the message of a commit', () => {
	const message = () => page.getByRole('textbox', { name: 'Commit message' });

	it('is drafted by the model over the diff, can be changed, and is committed', async () => {
		const cost = page.getByRole('status', { name: 'Cost' });
		const dollars = async () => Number((await cost.innerText()).slice(1));
		const before = await dollars();
		await page.getByRole('button', { name: 'Draft', exact: true }).click();
		await page.getByText('Read it before you commit.').waitFor();
		await expect.poll(dollars).toBeGreaterThan(before);
		await expect.poll(() => message().inputValue()).toBe(DRAFT);
		expect(lastSent()).toContain('+other');
		await message().fill(`${DRAFT} Truly.`);
		await message().press('Control+Enter');
		await page
			.getByText(/Committed as [0-9a-f]{7}/)
			.first()
			.waitFor();
		const log = await page.evaluate(() => window.sandglass!.environment!.exec('git log -1 --format=%B'));
		expect(log.stdout.trim()).toBe(`${DRAFT} Truly.`);
	});

	it('stops on request, and leaves what was there', async () => {
		await write('slow.txt', 'slow\n');
		await message().fill('Mine');
		await page.getByRole('button', { name: 'Draft', exact: true }).click();
		await expect.poll(() => message().inputValue()).toContain('never read');
		await page.getByRole('button', { name: 'Stop writing' }).click();
		await expect.poll(() => message().inputValue()).toBe('Mine');
		expect(errors).toEqual([]);
	});
});
