import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Frame, Page } from 'playwright';
import { startListener, type Listener } from './attack.ts';
import { openWorld, type World } from './world.ts';

/**
 * Attacks from the documents of the two frames, each made twice: on the product as it is, and with its defense removed
 * on the way to the browser (directives of a policy, the frame's attribute). The second must succeed.
 */

/**
 * A document provided by a test has no address, and Chromium would block its access to loopback, where the listener is.
 */
const FLAGS = ['--disable-features=LocalNetworkAccessChecks'];

let world: World;
let listener: Listener;
let page: Page;
/** A separate header besides the policy; it alone stops most of what the policy stops. */
const CONNECTIONS = 'connection-allowlist';
/** Path of a document → directives removed from its policy, and {@link CONNECTIONS}. */
let dropped: Record<string, string[]> = {};
beforeAll(async () => {
	[world, listener] = await Promise.all([openWorld({}, FLAGS), startListener()]);
	const profile = await world.newProfile();
	page = profile.page;
	const own = new URL(world.url).origin;
	await profile.context.route(
		({ origin, pathname }) => origin === own && dropped[pathname] !== undefined,
		async (route) => {
			const response = await route.fetch();
			const headers = response.headers();
			const policy = (headers['content-security-policy'] ?? '').split('; ');
			const directives = dropped[new URL(route.request().url()).pathname] ?? [];
			const left = policy.filter((directive) => !directives.includes(directive.split(' ')[0] ?? ''));
			const isListed = directives.includes(CONNECTIONS) && headers[CONNECTIONS] !== undefined;
			if (isListed) delete headers[CONNECTIONS];
			// A directive that is missing cannot be what stops the attack.
			const lost = policy.length - left.length + (isListed ? 1 : 0);
			const missing = lost === directives.length ? '' : 'no such directive';
			await route.fulfill({ response, headers: { ...headers, 'content-security-policy': missing || left.join('; ') } });
		}
	);
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await listener.close();
});

const PAGE = '/';
const PREVIEW = '/preview-frame';

/** Opens a fresh page, with policies that lack `directives`. */
async function openPage(directives: Record<string, string[]>): Promise<void> {
	dropped = directives;
	await page.goto('about:blank');
	await page.goto(world.url);
}

/** Shows `html` in a preview's frame, as the preview does after a click, and resolves when it is loaded. */
async function preview(html: string, directives: string[] = [], attribute = true): Promise<Frame> {
	dropped = directives.length > 0 ? { ...dropped, [PREVIEW]: directives } : dropped;
	const text = `<!doctype html>${html}<script>addEventListener('load', () => document.body.append('All of it is loaded'))</script>`;
	await page.evaluate(
		([content, isSandboxed]) => {
			document.querySelector('iframe[title=Attack]')?.remove();
			const frame = document.createElement('iframe');
			frame.title = 'Attack';
			if (isSandboxed) frame.setAttribute('sandbox', 'allow-scripts allow-forms');
			frame.src = '/preview-frame';
			addEventListener('message', function ready({ source, data }) {
				if (source !== frame.contentWindow || data !== 'sandglass:preview-ready') return;
				removeEventListener('message', ready);
				const { port1, port2 } = new MessageChannel();
				frame.contentWindow?.postMessage('sandglass:preview-port', '*', [port2]);
				port1.postMessage({ html: content });
			});
			document.body.append(frame);
		},
		[text, attribute] as const
	);
	await page.frameLocator('iframe[title=Attack]').getByText('All of it is loaded').waitFor();
	return page.frames().findLast((frame) => frame.url().includes(PREVIEW))!;
}

/** Requests that have arrived, once a later request of our own has. */
async function arrived(): Promise<string[]> {
	await fetch(`${listener.url}/end`);
	return listener.hits.splice(0).filter((hit) => hit !== 'GET /end');
}

/** Requests that arrive, however late. */
async function arrives(): Promise<string[]> {
	await expect.poll(() => listener.hits.length, { timeout: 10_000 }).toBeGreaterThan(0);
	return arrived();
}

describe('HTML in the preview', () => {
	it.each<[what: string, html: (url: string) => string, directives: string[]]>([
		['a picture', (url) => `<img src="${url}/x">`, ['default-src', 'img-src']],
		['a style sheet', (url) => `<link rel="stylesheet" href="${url}/x">`, ['default-src', 'style-src']],
		['an import of CSS', (url) => `<style>@import url("${url}/x");</style>`, ['default-src', 'style-src']],
		['a background of CSS', (url) => `<style>body { background: url("${url}/x") }</style>`, ['default-src', 'img-src']],
		[
			'a font',
			(url) => `<style>@font-face { font-family: x; src: url("${url}/x") } body { font-family: x }</style><p>text`,
			['default-src', 'font-src']
		],
		['a script', (url) => `<script src="${url}/x"></script>`, ['default-src', 'script-src']],
		['a module', (url) => `<script type="module">import '${url}/x'</script>`, ['default-src', 'script-src']],
		['a frame', (url) => `<iframe src="${url}/x"></iframe>`, ['default-src']],
		['media', (url) => `<video autoplay muted src="${url}/x"></video>`, ['default-src', 'media-src']],
		[
			'fetch',
			(url) => `<script>fetch('${url}/x', { mode: 'no-cors' }).catch(() => {})</script>`,
			['default-src', 'connect-src']
		],
		['a beacon', (url) => `<script>navigator.sendBeacon('${url}/x', 'x')</script>`, ['default-src', 'connect-src']],
		[
			'WebSocket',
			(url) => `<script>new WebSocket('${url.replace('http', 'ws')}/x')</script>`,
			['default-src', 'connect-src']
		],
		['EventSource', (url) => `<script>new EventSource('${url}/x')</script>`, ['default-src', 'connect-src']]
	])('reaches nothing by %s, and does without the policy', async (_what, html, directives) => {
		dropped = {};
		await preview(html(listener.url));
		expect(await arrived()).toEqual([]);
		await preview(html(listener.url), [...directives, CONNECTIONS]);
		expect(await arrives()).toEqual([expect.stringMatching(/ \/x$/)]);
	});

	const go = (frame: Frame, how: 'location' | 'refresh' | 'form', url: string) =>
		frame.evaluate(
			([way, address]) => {
				if (way === 'location') location.href = `${address}/x`;
				else if (way === 'refresh')
					document.head.innerHTML = `<meta http-equiv="refresh" content="0; url=${address}/x">`;
				else {
					document.body.innerHTML = `<form method="post" action="${address}/x"><input name="a" value="b"></form>`;
					document.querySelector('form')!.submit();
				}
			},
			[how, url] as const
		);
	it.each(['location', 'refresh', 'form'] as const)(
		'goes nowhere by %s, and does without its defences',
		async (how) => {
			await openPage({});
			await go(await preview(''), how, listener.url);
			expect(await arrived()).toEqual([]);
			await openPage({ [PAGE]: ['frame-src', 'default-src'] });
			const form = how === 'form';
			await go(
				await preview('', form ? ['sandbox', 'form-action', 'default-src', CONNECTIONS] : [CONNECTIONS], !form),
				how,
				listener.url
			).catch(() => {
				// The frame was removed while it answered.
			});
			expect(await arrives()).toEqual([expect.stringMatching(/ \/x$/)]);
		}
	);

	it('has an origin of its own: no page, store, cookie, service worker or top, which are there without it', async () => {
		const look = (frame: Frame) =>
			frame.evaluate(async () => {
				const attempt = async (run: () => unknown): Promise<string> => {
					try {
						await run();
						return 'arrived';
					} catch {
						return 'refused';
					}
				};
				return [
					await attempt(() => parent.document.title),
					await attempt(() => localStorage.length),
					await attempt(() => document.cookie),
					await attempt(() => navigator.serviceWorker.getRegistrations()),
					await attempt(() => void (top!.location.hash = '#gone'))
				];
			});
		await openPage({});
		expect(await look(await preview(''))).toEqual(Array.from({ length: 5 }, () => 'refused'));
		expect(await look(await preview('', ['sandbox'], false))).toEqual(Array.from({ length: 5 }, () => 'arrived'));
	});
});

describe('the document of the sandbox', () => {
	it('goes nowhere, and does without the page’s list of frames', async () => {
		const leave = async (): Promise<void> => {
			await page.evaluate(() => window.sandglass!.importRepository({ files: { a: '' } }));
			const frame = page.frames().find((each) => each.url().includes('/runner'))!;
			await frame
				.evaluate((url) => void (location.href = `${url}/x`), listener.url)
				.catch(() => {
					// It was removed while it answered.
				});
		};
		await openPage({});
		await leave();
		expect(await arrived()).toEqual([]);
		await openPage({ [PAGE]: ['frame-src', 'default-src'] });
		await leave();
		expect(await arrives()).toEqual(['GET /x']);
	});
});
