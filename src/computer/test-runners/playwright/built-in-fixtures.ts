import type { Host } from './host.ts';
import { Browser, type BrowserContext } from './browser/context.ts';
import type { Page } from './browser/page.ts';
import { naming } from './browser/not-there.ts';
import { RequestContext } from './browser/request-context.ts';
import type { Session, UseOptions } from './browser/session.ts';
import { FixtureTable } from './run/fixtures.ts';
import type { TestInfo } from './run/test-info.ts';

type Use<Value> = (value: Value) => Promise<void>;

const OPTIONS: UseOptions = {
	baseURL: undefined,
	viewport: { width: 1280, height: 720 },
	testIdAttribute: 'data-testid',
	actionTimeout: 0,
	navigationTimeout: 0,
	extraHTTPHeaders: undefined,
	browserName: 'chromium',
	screenshot: 'off',
	headless: true,
	isMobile: false,
	hasTouch: false
};

/** Playwright's own fixtures. */
export function builtInFixtures(session: Session, host: Host): FixtureTable {
	const options = Object.fromEntries(Object.entries(OPTIONS).map(([name, value]) => [name, [value, { option: true }]]));
	return new FixtureTable().extend({
		...options,
		browser: [
			async ({}: object, use: Use<Browser>) => use(naming(new Browser(session, {}, host), 'browser')),
			{ scope: 'worker' }
		],
		context: async (
			{
				browser,
				baseURL,
				viewport,
				testIdAttribute,
				actionTimeout,
				navigationTimeout,
				extraHTTPHeaders
			}: UseOptions & { browser: Browser },
			use: Use<BrowserContext>
		) => {
			const given = { baseURL, viewport, testIdAttribute, actionTimeout, navigationTimeout, extraHTTPHeaders };
			const context = await browser.newContext(given);
			await use(context);
			await context.close();
		},
		page: async (
			{ context, screenshot }: { context: BrowserContext; screenshot: unknown },
			use: Use<Page>,
			info: TestInfo
		) => {
			const page = await context.newPage();
			await use(page);
			await pictureOf(page, screenshot, info);
			await page.close();
		},
		request: async ({ baseURL, extraHTTPHeaders }: UseOptions, use: Use<RequestContext>) =>
			use(naming(new RequestContext({ baseURL, extraHTTPHeaders }), 'request'))
	});
}

/** Takes a screenshot of the page at the end of a test, for its report. */
async function pictureOf(page: Page, screenshot: unknown, info: TestInfo): Promise<void> {
	const mode: unknown =
		typeof screenshot === 'object' && screenshot !== null ? Reflect.get(screenshot, 'mode') : screenshot;
	const hasFailed = info.errors.length > 0;
	if (page.isClosed() || page.url() === 'about:blank') return;
	if (mode !== 'on' && !(mode === 'only-on-failure' && hasFailed)) return;
	try {
		await info.attach('screenshot.png', { body: await page.screenshot(), contentType: 'image/png' });
	} catch (error) {
		// The result of the test does not depend on it.
		info.annotations.push({ type: 'screenshot', description: error instanceof Error ? error.message : String(error) });
	}
}
