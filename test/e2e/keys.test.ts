import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { violations } from './axe.ts';
import { agentIs, messageBox, openFiles, send, timelineOf, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

const PROVIDERS = [
	{ name: 'Anthropic', host: 'api.anthropic.com', key: 'sk-ant-api03-of-my-own', format: 'anthropic' },
	{ name: 'OpenAI', host: 'api.openai.com', key: 'sk-proj-of-my-own', format: 'openai-responses' },
	{ name: 'Google Gemini', host: 'generativelanguage.googleapis.com', key: 'AIza-of-my-own', format: 'gemini' }
] as const;

let models: ModelServer;
let world: World;
beforeAll(async () => {
	models = await startModelServer({ name: 'hello', turns: [], afterwards: { text: 'Hello from the provider.' } });
	// Like `npm start` without any settings.
	world = await openWorld();
});
afterAll(async () => {
	await world.close();
	await models.close();
});

/**
 * The model server answers instead of the providers, after the browser's own policy and with its checks of the answer.
 */
async function playProviders(context: BrowserContext): Promise<void> {
	for (const { host } of PROVIDERS) {
		await context.route(`https://${host}/**`, async (route) => {
			const { pathname, search } = new URL(route.request().url());
			await route.fulfill({ response: await route.fetch({ url: `${models.url}${pathname}${search}` }) });
		});
	}
}

async function start(options: Parameters<World['newProfile']>[0] = {}): Promise<Page> {
	const { page, context } = await world.newProfile(options);
	await playProviders(context);
	await page.goto(world.url);
	return page;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Add a key' });
const stored = (page: Page, storage: 'localStorage' | 'sessionStorage') =>
	page.evaluate((name) => JSON.stringify({ ...(name === 'localStorage' ? localStorage : sessionStorage) }), storage);

describe('a key of one’s own, on a server without any setting', () => {
	it.each(PROVIDERS)(
		'of $name is recognised, tried, kept for the tab, and sends the message that waited',
		async (provider) => {
			const { name, host, key, format } = provider;
			const page = await start();
			await openFiles(page, { 'a.txt': 'a\n' });
			await send(page, `Hello ${name}`);
			await dialog(page).getByLabel('Key', { exact: true }).fill(`${key}-wrong`);
			await dialog(page).getByText(`${name}, detected from the key`).waitFor();
			await dialog(page).getByText(`straight to ${host}`).waitFor();
			await dialog(page).getByRole('button', { name: 'Use this key' }).click();
			await dialog(page).getByText(`${name} rejected this key.`).waitFor();
			expect(await stored(page, 'sessionStorage')).not.toContain(key);
			await dialog(page).getByLabel('Key', { exact: true }).fill(`${key}-broken`);
			await dialog(page).getByRole('button', { name: 'Use this key' }).click();
			await dialog(page).getByText('could not check the key (503)').waitFor();
			await dialog(page).getByLabel('Key', { exact: true }).fill(` ${key} `);
			await dialog(page).getByRole('button', { name: 'Use this key' }).click();
			await timelineOf(page).getByText('Hello from the provider.').waitFor();
			await agentIs(page, 'idle');
			const request = models.requests.at(-1)!;
			expect(request.format).toBe(format);
			expect(JSON.stringify(request.headers)).toContain(key);
			expect(JSON.stringify(request.body)).toContain(`Hello ${name}`);
			expect(await stored(page, 'sessionStorage')).toContain(key);
			expect(await stored(page, 'localStorage')).not.toContain(key);
			// The site's own server was not involved.
			expect(JSON.stringify(world.log)).not.toContain(key);
			expect(world.log.filter(({ route }) => String(route).includes('/api/llm'))).toEqual([]);
		}
	);

	it.each([
		[PROVIDERS[0], ['claude-haiku-9', 'claude-opus-9']],
		[PROVIDERS[1], ['gpt-9']],
		[PROVIDERS[2], ['gemini-5-neon']]
	])('of $name lists its models, and one that no list has is used and kept', async ({ name, key }, offered) => {
		const page = await start();
		await openFiles(page, { 'a.txt': 'a\n' });
		const picker = page.getByRole('combobox', { name: 'Model' });
		await picker.selectOption({ label: 'Add a key…' });
		await dialog(page).getByLabel('Key', { exact: true }).fill(key);
		await dialog(page).getByRole('button', { name: 'Use this key' }).click();
		await dialog(page).waitFor({ state: 'hidden' });
		const before = await picker.inputValue();
		await picker.selectOption({ label: 'Other model…' });
		const naming = page.getByRole('dialog', { name: 'Use another model' });
		await naming.getByText(`${name} offers ${offered.length}`).waitFor();
		expect(
			await naming.locator('option').evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
		).toEqual(offered);
		expect(await violations(page)).toEqual([]);
		await naming.getByRole('button', { name: 'Cancel' }).click();
		await naming.waitFor({ state: 'hidden' });
		expect(await picker.inputValue()).toBe(before);
		await picker.selectOption({ label: 'Other model…' });
		await naming.getByLabel('Name of the model').fill(' not-in-any-list ');
		await naming.getByText('doesn’t list this name').waitFor();
		await naming.getByText('This model is unknown').waitFor();
		await page.keyboard.press('Enter');
		await naming.waitFor({ state: 'hidden' });
		await send(page, 'Hello');
		await timelineOf(page).getByText('Hello from the provider.').waitFor();
		const { path, body } = models.requests.at(-1)!;
		expect(path + JSON.stringify(body)).toContain('not-in-any-list');
		await page.reload();
		await agentIs(page, 'idle');
		expect(await picker.inputValue()).toContain('not-in-any-list');
	});

	it('is asked for at the demo’s end, under the message box and in the model picker, and is kept where one says', async () => {
		const page = await start();
		await watchDemo(page);
		const end = page.getByRole('region', { name: 'Your turn' });
		await end.getByRole('button', { name: 'Add a key' }).click();
		expect(await violations(page)).toEqual([]);
		await dialog(page).getByRole('button', { name: 'Cancel' }).click();
		await dialog(page).waitFor({ state: 'hidden' });
		await page
			.getByText('This demo follows a script')
			.locator('..')
			.getByRole('button', { name: 'Add a key' })
			.last()
			.click();
		await dialog(page).waitFor();
		const status = page.locator('[role=status][aria-label=Agent]');
		await expect.poll(() => status.textContent()).toBe('Waiting for a key');
		await page.keyboard.press('Escape');
		await dialog(page).waitFor({ state: 'hidden' });
		await agentIs(page, 'idle');
		await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Add a key…' });
		await dialog(page).getByLabel('Key', { exact: true }).fill('a key of an unknown form');
		await dialog(page).getByLabel('Provider').selectOption('Anthropic');
		await dialog(page).getByLabel('Key', { exact: true }).fill(PROVIDERS[0].key);
		await dialog(page).getByLabel('In this browser').check();
		await dialog(page).getByRole('button', { name: 'Use this key' }).click();
		await dialog(page).waitFor({ state: 'hidden' });
		await end.waitFor({ state: 'hidden' });
		expect(await stored(page, 'localStorage')).toContain(PROVIDERS[0].key);
		await page.reload();
		await agentIs(page, 'idle');
		await send(page, 'Hello again');
		await timelineOf(page).getByText('Hello from the provider.').waitFor();
	});

	it('opens again at once when it is asked for before the browser reports the earlier dialog closed', async () => {
		const page = await start();
		await watchDemo(page);
		const models = page.getByRole('combobox', { name: 'Model' });
		await models.selectOption({ label: 'Add a key…' });
		await dialog(page).waitFor();
		await models.evaluate((select: HTMLSelectElement) => {
			// In one task: the first dialog's close event only follows after it.
			document.querySelector<HTMLDialogElement>('dialog[open]')!.close();
			select.value = 'add-key';
			select.dispatchEvent(new Event('change', { bubbles: true }));
		});
		await dialog(page).getByLabel('Key', { exact: true }).fill('a key of an unknown form');
		expect(await dialog(page).getByLabel('Key', { exact: true }).inputValue()).toBe('a key of an unknown form');
	});

	it('leaves the message in the box when no key is given', async () => {
		const page = await start({ viewport: { width: 390, height: 760 } });
		await openFiles(page, { 'a.txt': 'a\n' });
		await send(page, 'Wait for me');
		await dialog(page).getByRole('button', { name: 'Cancel' }).click();
		expect(await messageBox(page).inputValue()).toBe('Wait for me');
		expect(await timelineOf(page).getByText('Wait for me').count()).toBe(0);
	});

	it('opens the providers’ addresses and no other host to the page', async () => {
		const page = await start();
		const outcome = (url: string) =>
			page.evaluate(async (address) => {
				const refused = new Promise((resolve) =>
					addEventListener('securitypolicyviolation', () => resolve('refused by the policy'), { once: true })
				);
				const asked = fetch(address).then(
					() => 'reached',
					() => new Promise((resolve) => setTimeout(resolve, 2000, 'failed'))
				);
				return Promise.race([refused, asked]);
			}, url);
		expect(await outcome('https://api.anthropic.com.example.org/v1/models')).toBe('refused by the policy');
		expect(await outcome('https://www.googleapis.com/')).toBe('refused by the policy');
		expect(await outcome('https://api.openai.com/v1/models')).toBe('reached');
	});
});
