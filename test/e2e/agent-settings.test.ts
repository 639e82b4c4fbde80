import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, openFiles, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const count = { toolCalls: [{ name: 'shell', arguments: { command: 'seq 1 500' } }] };
const scripts = [
	['You name coding tasks', [{ text: '“Count the grains.”' }]],
	['count-again', [count, { text: 'Counted again.' }]],
	['count-first', [count, { text: 'Counted.' }]],
	['', [{ text: 'Alright.' }, { text: 'Alright.' }, { text: 'Alright.' }]]
] as const;

let models: ModelServer;
let world: World;
let page: Page;

beforeAll(async () => {
	const rules = scripts.map(([word, turns]): ScenarioRule => ({
		match: ({ body }) => JSON.stringify(body).includes(word),
		scenario: { name: word || 'anything', turns: [...turns] }
	}));
	models = await startModelServer(rules);
	world = await openWorld({ ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_BASE_URL: models.url });
});
afterAll(async () => {
	await world.close();
	await models.close();
});
beforeEach(async () => {
	({ page } = await world.newProfile());
	await page.goto(world.url);
});

const dialog = () => page.getByRole('dialog', { name: 'Settings' });
const lastBody = () => models.requests.at(-1)?.body as { system?: unknown; tools?: { name: string }[] };

async function openSection(section: string): Promise<void> {
	await page.getByRole('button', { name: 'Settings', exact: true }).click();
	await dialog().getByRole('button', { name: section }).click();
}

async function openProject(): Promise<void> {
	await openFiles(page, { 'a.txt': 'one\n' });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
}

async function ask(text: string): Promise<void> {
	const before = models.requests.length;
	await send(page, text);
	await expect.poll(() => models.requests.length).toBeGreaterThan(before);
	await agentIs(page, 'idle');
}

describe('settings of the agent', () => {
	it('take the user’s own instructions into the prompt of every project', async () => {
		await openSection('All projects');
		await dialog().getByLabel('Your instructions for the agent').fill('Always answer in rhymes.');
		await page.keyboard.press('Tab');
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('Escape');
		await openProject();
		await ask('Hello there');
		expect(JSON.stringify(lastBody().system)).toContain('Always answer in rhymes.');
		await openSection('All projects');
		await dialog().getByLabel('Your instructions for the agent').fill('Never answer in rhymes.');
		await page.keyboard.press('Tab');
		await page.keyboard.press('Escape');
		await ask('Hello again');
		expect(JSON.stringify(lastBody().system)).toContain('Never answer in rhymes.');
		expect(JSON.stringify(lastBody().system)).not.toContain('Always answer in rhymes.');
		await page.reload();
		await agentIs(page, 'idle');
		await openSection('All projects');
		expect(await dialog().getByLabel('Your instructions for the agent').inputValue()).toBe('Never answer in rhymes.');
	});

	it('let a model name a session only where the user wants it', async () => {
		const asked = () => models.requests.filter(({ body }) => JSON.stringify(body).includes('You name coding tasks'));
		await openProject();
		await ask('Hello unnamed');
		expect(asked()).toHaveLength(0);
		await openSection('All projects');
		await dialog().getByRole('checkbox', { name: 'Let the model name new sessions' }).focus();
		await page.keyboard.press('Space');
		await page.keyboard.press('Escape');
		await openProject();
		await ask('Hello named');
		await expect.poll(asked).toHaveLength(1);
		// Another tab reads the storage: leaving this one would end the request.
		const other = await page.context().newPage();
		const isListed = async (title: string): Promise<boolean> => {
			await other.goto(world.url);
			const sessions = other.getByRole('list', { name: 'Recent sessions' });
			await sessions.getByText('Hello unnamed').waitFor();
			return (await sessions.getByText(title, { exact: true }).count()) > 0;
		};
		await expect.poll(() => isListed('Count the grains'), { timeout: 30_000 }).toBe(true);
		expect(await isListed('Hello named')).toBe(false);
	});

	it('hold how much of a command’s output the model reads, and refuse what makes no sense', async () => {
		await openProject();
		await ask('Please count-first');
		await openSection('All projects');
		const lines = dialog().getByLabel('Lines of a command’s output the model reads');
		await lines.fill('3');
		await lines.press('Tab');
		await dialog().getByRole('alert').getByText('Enter a whole number from 10').waitFor();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await lines.fill('20');
		await lines.press('Tab');
		await dialog().getByRole('alert').waitFor({ state: 'detached' });
		await page.keyboard.press('Escape');
		await ask('Please count-again');
		await timelineOf(page).getByText('Counted again.').waitFor();
		const { body } = models.requests.at(-1) ?? {};
		const [first, second] = [...JSON.stringify(body).matchAll(/"type":"tool_result".*?(?="type":"tool_result"|$)/g)];
		expect(first?.[0]).toContain('\\n100\\n');
		expect(second?.[0]).not.toContain('\\n100\\n');
		expect(second?.[0]).toContain('\\n500');
	});

	it('switch tools and pictures off for a session, also after a reload', async () => {
		await openProject();
		await openSection('This session');
		await dialog().getByRole('checkbox', { name: 'Bash', exact: true }).focus();
		await page.keyboard.press('Space');
		await dialog().getByRole('checkbox', { name: 'Send images to the model' }).uncheck();
		expect(await violationsInBothThemes(page)).toEqual([]);
		await page.keyboard.press('Escape');
		const names = () => lastBody().tools?.map(({ name }) => name) ?? [];
		await ask('Hello without');
		expect(names()).toContain('Read');
		expect(names()).not.toContain('Bash');
		await page.reload();
		await agentIs(page, 'idle');
		await ask('Hello again without');
		expect(names()).not.toContain('Bash');
		expect(await page.evaluate(() => window.sandglass!.session!.images)).toEqual({ block: true });
		await openSection('This session');
		expect(await dialog().getByRole('checkbox', { name: 'Send images to the model' }).isChecked()).toBe(false);
		await dialog().getByRole('checkbox', { name: 'Bash', exact: true }).check();
		await page.keyboard.press('Escape');
		await ask('Hello with');
		expect(names()).toContain('Bash');
	});
});
