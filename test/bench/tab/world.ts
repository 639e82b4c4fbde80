import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright';
import type { startServer as StartServer } from '../../../server/main.ts';

/** What `run.mjs` finds out before anything is measured. An `Error` says why a part cannot be. */
export interface Product {
	root: string;
	browser: { executablePath: string; env: Record<string, string>; flags: string[] };
}

export interface TabWorld {
	url: string;
	/** A page in a fresh profile, at the front page. */
	open(): Promise<Page>;
	close(): Promise<void>;
}

/** The built product as `npm start` serves it, and a real Chromium. */
export async function openTabWorld({ root, browser }: Product, env: Record<string, string> = {}): Promise<TabWorld> {
	const main: { startServer: typeof StartServer } = await import(
		/* @vite-ignore */ pathToFileURL(path.join(root, 'dist/server/main.js')).href
	);
	const pageDir = path.join(root, 'dist/page');
	const server = await main.startServer({ env: { PORT: '0', HOST: '127.0.0.1', ...env }, pageDir, log: () => {} });
	const chrome = await chromium
		.launch({
			executablePath: browser.executablePath,
			args: browser.flags,
			env: { ...process.env, ...browser.env }
		})
		.catch(async (error: unknown) => {
			await server.close();
			throw error;
		});
	return {
		url: server.url,
		async open() {
			const context = await chrome.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
			// Programs kept in the background would be measured too.
			await context.addInitScript(`if (origin !== 'null') localStorage.setItem('sandglass:offline', 'no');`);
			const page = await context.newPage();
			await page.goto(server.url);
			await page.waitForFunction(() => window.sandglass !== undefined);
			return page;
		},
		async close() {
			await chrome.close();
			await server.close();
		}
	};
}

const PATIENCE_MS = 90_000;

/** The value, or an error when it takes so long that something must be stuck: one row must not hold up the rest. */
export function inTime<T>(work: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`it took more than ${PATIENCE_MS / 1_000} s`)), PATIENCE_MS);
	});
	return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
