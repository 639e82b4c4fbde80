import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type FrameLocator, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';
import { startListener } from './attack.ts';
import { openWorld, type World } from './world.ts';

const TOKEN = 'a-token-of-this-test-0123456789';
let world: World;
beforeAll(async () => {
	world = await openWorld({ SANDGLASS_TOKEN: TOKEN });
});
afterAll(() => world.close());

/** A browser that allows storage in third-party frames, unlike Debian's Chromium and private windows. */
async function withThirdPartyStorage(): Promise<BrowserContext> {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-profile-'));
	mkdirSync(path.join(folder, 'Default'));
	const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } };
	writeFileSync(path.join(folder, 'Default/Preferences'), JSON.stringify(preferences));
	const context = await chromium.launchPersistentContext(folder, {
		executablePath: process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
		args: CHROMIUM_FLAGS,
		viewport: { width: 1440, height: 900 },
		reducedMotion: 'reduce'
	});
	onTestFinished(async () => {
		await context.close();
		rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	});
	await context.addInitScript(`if (origin !== 'null') localStorage.setItem('sandglass:offline', 'no');`);
	return context;
}
const withoutThirdPartyStorage = async (): Promise<BrowserContext> => (await world.newProfile()).context;

async function openPage(context: BrowserContext): Promise<Page> {
	const page = await context.newPage();
	page.setDefaultTimeout(60_000);
	await page.goto(world.url);
	await giveToken(page);
	return page;
}

async function giveToken(page: Page): Promise<void> {
	const dialog = page.getByRole('dialog', { name: 'Enter this server’s access token' });
	// A tab next to one that has the cookie does not have to log in.
	const asked = await page.evaluate(() => fetch('/api/config').then(({ status }) => status === 401));
	if (!asked) return;
	await dialog.getByLabel('Token', { exact: true }).fill(TOKEN);
	await dialog.getByRole('button', { name: 'Open' }).click();
	await dialog.waitFor({ state: 'hidden' });
}

const SITE = {
	'index.html': '<!doctype html><h1>Shown</h1>',
	'shared.js': `let kept = 'nothing';
onconnect = ({ ports: [port] }) => {
	port.onmessage = ({ data }) => { if (data) kept = data; port.postMessage(kept); };
};`
};

/** Opens a separate project in a tab, with its files shown. */
async function showProject(context: BrowserContext, secret: string): Promise<{ page: Page; site: FrameLocator }> {
	const page = await openPage(context);
	await page.evaluate((files) => window.sandglass!.importRepository({ files }), { ...SITE, 'secret.txt': secret });
	await page.getByRole('tab', { name: 'Preview' }).click();
	await page.getByRole('button', { name: 'Show preview' }).click();
	await page.getByRole('checkbox', { name: 'With its files' }).check();
	const site = page.frameLocator('iframe[title="Document index.html"]').frameLocator('iframe');
	await site.getByRole('heading', { name: 'Shown' }).waitFor();
	return { page, site };
}

/** Stores a value everywhere, and answers with it on a channel. */
const leave = (site: FrameLocator, value: string): Promise<string> =>
	site.locator('body').evaluate(async (body, text) => {
		localStorage.setItem('left', text);
		sessionStorage.setItem('left', text);
		await (await caches.open('left')).put('/left', new Response(text));
		await new Promise((resolve, reject) => {
			const request = indexedDB.open('left');
			request.onsuccess = resolve;
			request.onerror = reject;
		});
		await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true });
		const channel = new BroadcastChannel('left');
		channel.onmessage = () => channel.postMessage(text);
		const worker = new SharedWorker('/shared.js');
		worker.port.postMessage(text);
		await new Promise((resolve) => (worker.port.onmessage = resolve));
		document.cookie = `left=${text}`;
		// The browser's own cookies, which the document's first script hides.
		const frame = body.appendChild(document.createElement('iframe'));
		const own = Object.getOwnPropertyDescriptor(Reflect.get(frame.contentWindow!, 'Document').prototype, 'cookie')!;
		own.set!.call(document, `planted=${text}; path=/`);
		own.set!.call(document, `planted-wide=${text}; path=/; domain=localhost`);
		return location.origin;
	}, value);

/** Everything that another preview could have left, as visible to this one. */
const look = (site: FrameLocator, other: string) =>
	site.locator('body').evaluate(async (body, origin) => {
		const attempt = async (run: () => unknown): Promise<unknown> => {
			try {
				return await run();
			} catch {
				return 'refused';
			}
		};
		const channel = new BroadcastChannel('left');
		let heard: unknown = null;
		channel.onmessage = ({ data }) => (heard = data);
		channel.postMessage('anyone?');
		const worker = new SharedWorker('/shared.js');
		worker.port.postMessage(null);
		const kept = await new Promise((resolve) => (worker.port.onmessage = ({ data }) => resolve(data)));
		const frame = body.appendChild(document.createElement('iframe'));
		const own = Object.getOwnPropertyDescriptor(Reflect.get(frame.contentWindow!, 'Document').prototype, 'cookie')!;
		const names: string[] = [];
		for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
		return {
			local: localStorage.getItem('left'),
			session: sessionStorage.getItem('left'),
			caches: await caches.keys(),
			databases: (await indexedDB.databases()).map(({ name }) => name),
			files: names,
			channel: heard,
			sharedWorker: kept,
			workers: (await navigator.serviceWorker.getRegistrations()).map(
				({ scope }) => new URL(scope).origin === location.origin
			),
			cookie: document.cookie,
			browserCookie: own.get!.call(document) as string,
			otherFile: await attempt(() => fetch(`${origin}/secret.txt`)),
			otherFrame: await attempt(async () => {
				const made = document.createElement('iframe');
				made.src = `${origin}/secret.txt`;
				body.append(made);
				await new Promise((resolve) => (made.onload = resolve));
				return made.contentDocument!.body.textContent;
			})
		};
	}, other);

const NOTHING = {
	local: null,
	session: null,
	caches: [],
	databases: [],
	files: [],
	channel: null,
	sharedWorker: 'nothing',
	workers: [true],
	cookie: '',
	otherFile: 'refused',
	otherFrame: 'refused'
};

describe('previews of two projects', () => {
	it.each([
		{ where: 'that allows third-party storage', open: withThirdPartyStorage, sharesCookies: false },
		{ where: 'that blocks third-party storage', open: withoutThirdPartyStorage, sharesCookies: true }
	])('share no file, storage, worker or channel in a browser $where', async ({ open, sharesCookies }) => {
		const context = await open();
		const first = await showProject(context, 'of the first');
		const origin = await leave(first.site, 'first');
		const second = await showProject(context, 'of the second');
		const { browserCookie, ...seen } = await look(second.site, origin);
		expect(seen).toEqual(NOTHING);
		expect(await second.site.locator('body').evaluate(() => fetch('/secret.txt').then((answer) => answer.text()))).toBe(
			'of the second'
		);
		expect(browserCookie).toBe(sharesCookies ? 'planted=first' : '');
		const sent = (await context.cookies(world.url)).map(({ name }) => name);
		expect(sent.includes('planted')).toBe(sharesCookies);
		expect(sent).not.toContain('planted-wide');
		if (!sharesCookies) expect(new URL(origin).hostname).toMatch(/^p[0-9a-f]{32}\.localhost$/);

		// The first is shown as before, and finds its own values when shown again.
		await first.page.getByRole('button', { name: 'Reload', exact: true }).click();
		await first.site.getByRole('heading', { name: 'Shown' }).waitFor();
		await expect
			.poll(() => first.site.locator('body').evaluate(() => [localStorage.getItem('left'), document.cookie]))
			.toEqual(['first', 'left=first']);
	});

	it('finds nothing of a preview that had the address before it', async () => {
		const context = await withoutThirdPartyStorage();
		const origins = new Set<string>();
		// One more than there are preview addresses.
		for (let turn = 0; turn < 5; turn += 1) {
			const { page, site } = await showProject(context, `turn ${turn}`);
			const { browserCookie: _shared, ...seen } = await look(site, 'http://localhost:1');
			expect(seen).toEqual(NOTHING);
			origins.add(await leave(site, `turn ${turn}`));
			await page.close();
		}
		expect(origins.size).toBe(4);
	});

	it('is shown by one tab at a time, and answers no one outside its frame', async () => {
		const context = await withThirdPartyStorage();
		const { site } = await showProject(context, 'mine');
		const origin = await site.locator('body').evaluate(() => location.origin);
		const stranger = await context.newPage();
		await stranger.goto(`${origin}/secret.txt`);
		expect(await stranger.locator('body').textContent()).not.toContain('mine');
	});
});

describe('cookies that a preview plants for the page', () => {
	const plant = (site: FrameLocator, cookies: string[]): Promise<void> =>
		site.locator('body').evaluate((body, lines) => {
			const frame = body.appendChild(document.createElement('iframe'));
			const own = Object.getOwnPropertyDescriptor(Reflect.get(frame.contentWindow!, 'Document').prototype, 'cookie')!;
			for (const line of lines) own.set!.call(document, line);
		}, cookies);
	const dialog = (page: Page) => page.getByRole('dialog', { name: 'Enter this server’s access token' });

	it('do not win over the token’s own', async () => {
		const { page, site } = await showProject(await withoutThirdPartyStorage(), '');
		await plant(site, ['sandglass_token=planted; path=/api/config', 'sandglass_token=planted; path=/']);
		await page.reload();
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		expect(await dialog(page).count()).toBe(0);
		expect(await page.evaluate(() => fetch('/api/config').then(({ status }) => status))).toBe(200);
	});

	it('do not lock the page out, as many as the browser keeps of 4 KB, and are gone after one reload', async () => {
		const context = await withoutThirdPartyStorage();
		const { page, site } = await showProject(context, '');
		const value = 'x'.repeat(4000);
		await plant(
			site,
			Array.from({ length: 180 }, (_, index) => `flood${index}=${value}; path=/; max-age=31536000`)
		);
		// The browser stores them one by one, and drops the oldest; once the last one is there, all have arrived.
		const kept = async () => (await context.cookies(world.url)).map(({ name }) => name);
		await expect.poll(kept).toContain('flood179');
		expect((await kept()).length).toBeGreaterThan(30);
		const response = await page.reload();
		expect(response?.status()).toBe(200);
		expect((await context.cookies(world.url)).filter(({ name }) => name.startsWith('flood'))).toEqual([]);
		await giveToken(page);
		await page.getByRole('status', { name: 'Agent' }).waitFor();
		// Its sessions still exist: only cookies were cleared.
		await page.getByRole('tab', { name: 'Preview' }).waitFor();
	});
});

it('lets a shown site go to no other host, by navigation or WebRTC', async () => {
	const listener = await startListener();
	let packets = 0;
	const stun = createSocket('udp4', () => (packets += 1));
	await new Promise<void>((resolve) => stun.bind(0, '127.0.0.1', resolve));
	onTestFinished(async () => {
		await listener.close();
		await new Promise((resolve) => stun.close(() => resolve(null)));
	});
	const context = await withThirdPartyStorage();
	const { page, site } = await showProject(context, '');
	expect(await site.locator('body').evaluate(() => typeof RTCPeerConnection)).toBe('undefined');
	await site.locator('body').evaluate((_body, url) => void (location.href = `${url}/x`), listener.url);
	await page.getByRole('button', { name: 'Reload', exact: true }).click();
	await site.getByRole('heading', { name: 'Shown' }).waitFor();

	/** By the constructor of a frame, since the document's own was removed. */
	const connect = async (body: HTMLElement, port: number): Promise<void> => {
		const frame = body.appendChild(document.createElement('iframe'));
		const Native = Reflect.get(frame.contentWindow!, 'RTCPeerConnection') as typeof RTCPeerConnection;
		const peer = new Native({ iceServers: [{ urls: `stun:127.0.0.1:${port}` }] });
		peer.createDataChannel('x');
		await peer.setLocalDescription(await peer.createOffer());
	};
	const { port } = stun.address();
	await site
		.locator('body')
		.evaluate(connect, port)
		.catch(() => {
			// The browser may end the frame's process because of the attempt.
		});
	// A page without that header succeeds, later.
	const control = await context.newPage();
	await control.goto(`${listener.url}/control`);
	const before = packets;
	await control.locator('body').evaluate(connect, port);
	await expect.poll(() => packets).toBeGreaterThan(0);
	expect(before).toBe(0);
	expect(listener.hits.filter((hit) => hit === 'GET /x')).toEqual([]);
});
