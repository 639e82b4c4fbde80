import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright';
import type { startServer as StartServer } from '../../../server/main.ts';

/** Results of the preparation in `run.mjs`. An `Error` says why a part is not available. */
export interface Product {
	root: string;
	browser: { executablePath: string; env: Record<string, string>; flags: string[] };
}

export interface TabWorld {
	url: string;
	/** Opens a page in a fresh profile, at the front page. */
	open(): Promise<Page>;
	/** Same with a profile on disk, as users have it: an in-memory profile keeps its storage in another process. */
	openOnDisk(): Promise<Page>;
	close(): Promise<void>;
}

/** The built product as `npm start` serves it, and a real Chromium. */
export async function openTabWorld({ root, browser }: Product, env: Record<string, string> = {}): Promise<TabWorld> {
	const main: { startServer: typeof StartServer } = await import(
		/* @vite-ignore */ pathToFileURL(path.join(root, 'dist/server/main.js')).href
	);
	const pageDir = path.join(root, 'dist/page');
	const server = await main.startServer({ env: { PORT: '0', HOST: '127.0.0.1', ...env }, pageDir, log: () => {} });
	const { executablePath, flags: args } = browser;
	const launch = { executablePath, args, env: { ...process.env, ...browser.env } };
	const chrome = await chromium.launch(launch).catch(async (error: unknown) => {
		await server.close();
		throw error;
	});
	const look = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
	const pageOf = async (context: BrowserContext): Promise<Page> => {
		// Programs running in the background would be measured too.
		await context.addInitScript(`if (origin !== 'null') localStorage.setItem('sandglass:offline', 'no');`);
		const page = await context.newPage();
		await page.goto(server.url);
		await page.waitForFunction(() => window.sandglass !== undefined);
		return page;
	};
	return {
		url: server.url,
		open: async () => pageOf(await chrome.newContext(look)),
		async openOnDisk() {
			const folder = await mkdtemp(path.join(tmpdir(), 'sandglass-profile-'));
			const context = await chromium.launchPersistentContext(folder, { ...launch, ...look });
			context.once('close', () => void rm(folder, { recursive: true, force: true, maxRetries: 5 }));
			return pageOf(context);
		},
		async close() {
			await chrome.close();
			await server.close();
		}
	};
}

const PATIENCE_MS = 90_000;

/**
 * Resolves to the value, or rejects if it takes so long that something must be stuck: one row must not hold up the
 * rest.
 */
export function inTime<T>(work: Promise<T>, limitMs = PATIENCE_MS): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`it took more than ${limitMs / 1_000} s`)), limitMs);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Requests something from the registry and allows it. */
export async function allowRegistry(page: Page): Promise<void> {
	const asking = page.evaluate(() => window.sandglass!.environment!.exec('npm view express version'));
	await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow', exact: true }).click();
	await inTime(asking);
}
