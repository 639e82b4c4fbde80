import { mkdirSync } from 'node:fs';
import { createServer } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS, findBrowser } from '../../browser.mjs';
import { LIVE_SHOTS, startLive } from './live.mjs';

/**
 * Takes screenshots of every screen at both sizes and in both themes, through the harness, and of screens that only the
 * built product has. Usage: npm run screenshots -- [directory] [part of a name …]
 */
const [directory = 'test-results/screenshots', ...only] = process.argv.slice(2);

async function openProject(page) {
	await page.getByRole('textbox', { name: 'Git URL' }).fill('https://example.org/example/slugify');
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	await page.getByRole('log', { name: 'Timeline' }).waitFor();
	// The readme opens next to the tree if there is room.
	if (!(await narrow(page))) await page.locator('.cm-content').waitFor();
}

async function pickFile(page) {
	await openProject(page);
	const item = page.getByRole('treeitem', { name: 'replacements.ts' });
	if (!(await item.isVisible())) await page.getByRole('tab', { name: 'Files' }).click();
	await item.click();
	await page.locator('.cm-content').waitFor();
}

const SHOTS = [
	{
		name: 'front',
		address: '',
		act: (page) => page.getByRole('slider', { name: 'Moments of the replay' }).waitFor()
	},
	{ name: 'front-first', address: '?flow=first' },
	{
		name: 'front-error',
		address: '?flow=failing',
		act: async (page) => {
			await page.getByRole('textbox', { name: 'Git URL' }).fill('https://example.org/nothing');
			await page.getByRole('button', { name: 'Import', exact: true }).click();
			await page.getByRole('alert').waitFor();
		}
	},
	{
		name: 'importing',
		address: '?flow=importing',
		act: async (page) => {
			await page.getByRole('textbox', { name: 'Git URL' }).fill('https://example.org/example/slugify');
			await page.getByRole('button', { name: 'Import', exact: true }).click();
			await page.getByText('received').waitFor();
		}
	},
	{ name: 'project', address: '', act: async (page) => ((await narrow(page)) ? openProject(page) : pickFile(page)) },
	{
		name: 'done',
		address: '?flow=done',
		act: async (page) => {
			await openProject(page);
			const review = page.getByRole('button', { name: 'Review changes' });
			if (await narrow(page)) return review.waitFor();
			await review.click();
			await page.locator('.hunk').first().waitFor();
		}
	},
	{
		name: 'steps',
		address: '?flow=done',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('button', { name: /^Worked for/ }).click();
			await page.getByRole('button', { name: 'Ran npm test' }).first().click();
			await page.getByRole('button', { name: 'Edited src/replacements.ts' }).click();
		}
	},
	{ name: 'project-empty', address: '?flow=empty', act: openProject },
	{ name: 'trust', address: '?flow=trust', act: openProject },
	{ name: 'read-only', address: '?flow=read-only', act: openProject },
	{
		name: 'templates',
		address: '',
		act: async (page) => {
			await page.getByRole('button', { name: 'Start from a template' }).click();
			await page.getByRole('dialog').waitFor();
		}
	},
	{ name: 'files', address: '', act: pickFile },
	...[
		['Changes', '.hunk'],
		['Terminal', '.xterm-rows'],
		['Preview', '#surface-preview form']
	].map(([tab, shown]) => ({
		name: tab.toLowerCase(),
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('tab', { name: tab }).click();
			await page.locator(shown).first().waitFor();
		}
	})),
	{
		name: 'share',
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('button', { name: 'Share', exact: true }).click();
			await page.getByRole('button', { name: 'Create link' }).click();
			await page.getByRole('textbox', { name: 'Share link' }).waitFor();
		}
	},
	{
		name: 'shared',
		address: '#s=abc.def',
		act: async (page) => {
			await page.getByRole('slider', { name: 'Replay' }).waitFor();
			await page.locator('.changes .added').first().waitFor();
		}
	},
	{
		name: 'replay',
		address: '#s=abc.def',
		act: async (page) => {
			await page.getByRole('button', { name: 'Play', exact: true }).first().click();
			const replay = page.getByRole('slider', { name: 'Replay' });
			// Just after the edit, before the next step.
			for (let at = Number(await replay.getAttribute('max')); at > 0; at -= 1) {
				await replay.fill(String(at));
				if ((await page.getByText('Fork before Edited replacements.ts').count()) > 0) break;
			}
			await page.locator('.moment .added').first().waitFor();
		}
	},
	...['This session', 'All projects', 'Providers and keys', 'Tool servers', 'This page'].map((section) => ({
		name: `settings-${section.split(' ').at(-1)}`,
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('button', { name: 'Settings' }).click();
			await page.getByRole('dialog').getByRole('button', { name: section }).click();
		}
	})),
	...[
		['publish', 'Push…'],
		['folder', 'Save to a folder…']
	].map(([name, button]) => ({
		name,
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('tab', { name: 'Changes' }).click();
			await page.getByRole('button', { name: button }).click();
			await page
				.getByRole('dialog')
				.getByRole('textbox')
				.or(page.getByRole('dialog').getByRole('button'))
				.first()
				.waitFor();
		}
	})),
	{
		name: 'delete',
		address: '',
		act: async (page) => {
			await page.getByRole('button', { name: 'Delete' }).first().click();
			await page.getByRole('dialog').waitFor();
		}
	},
	...[
		['palette', 'Control+k'],
		['shortcuts', '?']
	].map(([name, key]) => ({
		name,
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('log', { name: 'Timeline' }).focus();
			await page.keyboard.press(key);
			await page.getByRole('dialog').waitFor();
		}
	})),
	{
		name: 'find',
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('button', { name: 'Find in the conversation' }).click();
			await page.getByRole('searchbox').fill('german');
			await page.locator('.marked').waitFor();
		}
	},
	{
		name: 'folders',
		address: '?flow=too-large',
		act: async (page) => {
			await page.getByRole('textbox', { name: 'Git URL' }).fill('https://example.org/acme/everything');
			await page.getByRole('button', { name: 'Import', exact: true }).click();
			await page.getByRole('checkbox', { name: /^docs/ }).check();
		}
	},
	{ name: 'trouble', address: '?flow=trouble', act: openProject },
	{
		name: 'key',
		address: '?flow=no-key',
		act: async (page) => {
			await page.getByRole('button', { name: 'Add a key' }).click();
			await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill('sk-ant-api03-not-a-key-of-anyone');
			await page.getByText('Anthropic').first().waitFor();
		}
	},
	{
		name: 'quick-open',
		address: '',
		act: async (page) => {
			await openProject(page);
			await page.keyboard.press('Control+p');
			await page.getByRole('dialog').getByRole('combobox').fill('repla');
			await page.getByRole('dialog').getByRole('option').first().waitFor();
		}
	},
	{
		name: 'update',
		address: '?flow=outdated',
		act: (page) => page.getByRole('button', { name: 'Reload' }).waitFor()
	},
	{
		name: 'network',
		address: '?flow=egress',
		act: async (page) => {
			await openProject(page);
			await page.getByRole('tab', { name: 'Network' }).click();
			await page.getByRole('group', { name: 'Network' }).waitFor();
		}
	},
	{
		name: 'chinese',
		address: '',
		locale: 'zh-CN',
		act: async (page) => {
			await page.getByRole('textbox').first().fill('https://example.org/example/slugify');
			await page.keyboard.press('Enter');
			await page.getByRole('log').waitFor();
		}
	},
	{
		name: 'go-back',
		address: '?flow=done',
		act: async (page) => {
			await openProject(page);
			if (await narrow(page)) await page.getByRole('tab', { name: 'Files' }).click();
			await page.getByRole('slider', { name: 'Checkpoints' }).fill('3');
			await page
				.getByRole('region', { name: /^as it was/ })
				.locator('.added')
				.first()
				.waitFor();
		}
	}
];

async function narrow(page) {
	return (page.viewportSize()?.width ?? 0) < 700;
}

/** The requested screenshots. */
function wanted(shots, colorScheme, width) {
	if (only.length === 0) return shots;
	return shots.filter(({ name }) => only.some((part) => `${name}-${colorScheme}-${width}`.includes(part)));
}

/**
 * @param shared context of most screenshots
 * @param shot `own`: options of a separate context, for a shot that needs one; `until`: when the page is loaded
 */
async function take(shared, { file, address, act, own, until = 'networkidle' }) {
	const context = own ? await browser.newContext(own) : shared;
	const page = await context.newPage();
	page.on('pageerror', (error) => console.error(file, error.message));
	page.on('console', (message) => {
		if (message.type() === 'error') console.error(file, message.text());
	});
	try {
		await page.goto(address, { waitUntil: until });
		page.setDefaultTimeout(20_000);
		await act?.(page);
		await page.waitForLoadState(until);
		await page.evaluate(() => document.fonts.ready);
	} catch (error) {
		console.error(file, error instanceof Error ? error.message.split('\n')[0] : error);
	}
	await page.screenshot({ path: `${directory}/${file}.png` });
	await (own ? context : page).close();
}

/** Code for frames is bundled by the product's own plugins. The harness runs none of it. */
const FRAMED = /^virtual:playwright-injected$|\?program$/;
const withoutFrames = {
	name: 'harness:without-frames',
	enforce: 'pre',
	resolveId: (id) => (FRAMED.test(id) ? `\0harness:${id}` : undefined),
	load: (id) => (id.startsWith('\0harness:') ? 'export default "";' : undefined)
};

const server = await createServer({
	configFile: false,
	root: process.cwd(),
	plugins: [svelte(), withoutFrames],
	server: { port: 0, host: '127.0.0.1' },
	logLevel: 'error',
	// A package discovered later than this reloads the page, which has removed the share from its address by then.
	optimizeDeps: {
		entries: ['test/page/harness/index.html', 'src/page/**/*.svelte', 'src/page/**/*.svelte.ts'],
		// The scan does not reach the module that imports it.
		include: ['zod/v4/core']
	},
	cacheDir: 'node_modules/.cache/harness'
});
await server.listen();
const base = `${server.resolvedUrls?.local[0] ?? ''}test/page/harness/index.html`;
const found = await findBrowser();
if (!found) throw new Error('No Chromium was found. Set CHROME_PATH to one.');
const browser = await chromium.launch({
	executablePath: found.executablePath,
	env: { ...process.env, ...found.env },
	args: [...CHROMIUM_FLAGS, '--disable-gpu']
});
mkdirSync(directory, { recursive: true });

/** Takes every requested screenshot in one size and theme. */
async function takeAll(width, height, colorScheme) {
	const look = { viewport: { width, height }, colorScheme, reducedMotion: 'reduce' };
	const context = await browser.newContext(look);
	for (const { name, address, act, locale } of wanted(SHOTS, colorScheme, width)) {
		const own = locale && { ...look, locale };
		await take(context, { file: `${name}-${colorScheme}-${width}`, address: base + address, act, own });
	}
	for (const { name, act, offersFolder } of wanted(LIVE_SHOTS, colorScheme, width)) {
		// Each script of the model plays once.
		const live = await startLive(server, offersFolder);
		if (!live) break;
		// Its programs keep loading for seconds after the screen is shown.
		await take(context, { file: `${name}-${colorScheme}-${width}`, address: live.url, act, until: 'load' });
		await live.close();
	}
	await context.close();
}

try {
	for (const [width, height] of [
		[1440, 900],
		[390, 844]
	])
		await Promise.all(['light', 'dark'].map((colorScheme) => takeAll(width, height, colorScheme)));
} finally {
	await browser.close();
	await server.close();
}
