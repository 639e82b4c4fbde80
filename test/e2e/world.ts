import type { LookupFunction } from 'node:net';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import type { startServer as StartServer } from '../../server/main.ts';
import { CHROMIUM_FLAGS } from '../browser.mjs';

export interface World {
	url: string;
	/** What the server answered, as its log has it. */
	log: Readonly<Record<string, string | number | undefined>>[];
	/** A page in a fresh profile: nothing of an earlier one is there. */
	newProfile(
		options?: Parameters<Browser['newContext']>[0]
	): Promise<{ context: BrowserContext; page: Page; errors: string[] }>;
	close(): Promise<void>;
}

/** The built product as `npm start` serves it. */
export async function startProduct(
	env: Record<string, string> = {},
	lookup?: LookupFunction
): Promise<Pick<World, 'url' | 'log' | 'close'>> {
	// The bundle that `npm start` runs, not the sources.
	const { startServer } = (await import('../../dist/server/main.js' as string)) as { startServer: typeof StartServer };
	const log: World['log'] = [];
	const server = await startServer({
		env: { PORT: '0', HOST: '127.0.0.1', ...env },
		log: (line) => log.push(line),
		lookup
	});
	return { url: server.url, log, close: () => server.close() };
}

/**
 * The same, and a real Chromium.
 *
 * @param flags of that Chromium, beside the usual ones
 * @param lookup resolves the names of hosts outside
 */
export async function openWorld(
	env: Record<string, string> = {},
	flags: string[] = [],
	lookup?: LookupFunction
): Promise<World> {
	const { url, log, close } = await startProduct(env, lookup);
	const browser = await chromium.launch({
		executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
		args: [...CHROMIUM_FLAGS, ...flags]
	});
	return {
		url,
		log,
		async newProfile(options = {}) {
			const context = await browser.newContext({
				viewport: { width: 1440, height: 900 },
				reducedMotion: 'reduce',
				...options
			});
			context.setDefaultTimeout(30_000);
			const page = await context.newPage();
			const errors: string[] = [];
			page.on('pageerror', (error) => errors.push(`${error.name}: ${error.message}`));
			return { context, page, errors };
		},
		async close() {
			await browser.close();
			await close();
		}
	};
}
