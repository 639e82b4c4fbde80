import type { LookupFunction } from 'node:net';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import { onTestFinished, TestRunner } from 'vitest';
import type { startServer as StartServer } from '#server/main.ts';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';

export interface World {
	url: string;
	/** Answers of the server, from its log. */
	log: Readonly<Record<string, string | number | undefined>>[];
	/**
	 * Opens a page in a fresh profile, without any earlier data. If opened by a test, it is closed at the test's end.
	 */
	newProfile(options?: ProfileOptions): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
	/** Nothing answers at {@link url} until {@link startServer}. */
	stopServer(): Promise<void>;
	startServer(): Promise<void>;
	close(): Promise<void>;
}

export type Product = Pick<World, 'url' | 'log' | 'close'>;

type ProfileOptions = Parameters<Browser['newContext']>[0] & {
	/** The page saves itself for offline use: a minute of CPU time, off by default. */
	keepsPage?: boolean;
};

const contexts = new Set<BrowserContext>();

/** Open pages of this worker. */
export const openPages = (): Page[] => [...contexts].flatMap((context) => context.pages());

/** Sets the user's choice. Frames of the sandbox and of previews have no storage, and do not need it. */
export const KEEP_NOTHING = `if (self === top && origin !== 'null') localStorage.setItem('sandglass:offline', 'no');`;

/**
 * Starts the built product as `npm start` does.
 *
 * @param pageDir used instead of `dist/page`
 */
export async function startProduct(
	env: Record<string, string> = {},
	lookup?: LookupFunction,
	pageDir?: string
): Promise<Product> {
	// The bundle that `npm start` runs, not the sources.
	const { startServer } = (await import('../../dist/server/main.js' as string)) as { startServer: typeof StartServer };
	const log: World['log'] = [];
	const server = await startServer({
		env: { PORT: '0', HOST: '127.0.0.1', ...env },
		log: (line) => log.push(line),
		lookup,
		pageDir
	});
	return { url: server.url, log, close: () => server.close() };
}

/**
 * Same, plus a real Chromium.
 *
 * @param flags flags of that Chromium, in addition to the usual ones
 * @param lookup resolves the names of outside hosts
 * @param pageDir used instead of `dist/page`
 */
export function openWorld(
	env: Record<string, string> = {},
	flags: string[] = [],
	lookup?: LookupFunction,
	pageDir?: string
): Promise<World> {
	return openWorldOf((settings) => startProduct({ ...env, ...settings }, lookup, pageDir), flags);
}

/**
 * Starts a product with the given function, plus a real Chromium.
 *
 * @param start accepts further settings: the port to listen on again
 */
export async function openWorldOf(
	start: (settings: Record<string, string>) => Promise<Product>,
	flags: string[] = []
): Promise<World> {
	let product = await start({});
	const { url, log } = product;
	const browser = await chromium.launch({
		executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
		args: [...CHROMIUM_FLAGS, ...flags]
	});
	return {
		url,
		log,
		async newProfile({ keepsPage = false, ...options } = {}) {
			const context = await browser.newContext({
				viewport: { width: 1440, height: 900 },
				reducedMotion: 'reduce',
				...options
			});
			context.setDefaultTimeout(30_000);
			contexts.add(context);
			context.once('close', () => contexts.delete(context));
			// An open page is a computer that keeps running.
			if (TestRunner.getCurrentTest()) onTestFinished(() => context.close());
			if (!keepsPage) await context.addInitScript(KEEP_NOTHING);
			const page = await context.newPage();
			const errors: string[] = [];
			page.on('pageerror', (error) => errors.push(`${error.name}: ${error.message}`));
			return { context, page, errors };
		},
		async close() {
			await browser.close();
			await product.close();
		},
		stopServer: () => product.close(),
		async startServer() {
			product = await start({ PORT: new URL(url).port });
		}
	};
}
