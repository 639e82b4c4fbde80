import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { openWorld, type World } from './world.ts';

/**
 * Ways from a closed preview to the network that a Content-Security-Policy does not cover. Each is tried in two frames:
 * as the product serves it, and without its `Connection-Allowlist`. Real listeners and the browser's own network log
 * show which names were resolved and connected to.
 */
const RTC = (server: string, options = ''): string =>
	`const peer = new RTCPeerConnection({ iceServers: [{ ${server} }] ${options} });
	peer.createDataChannel('x');
	peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
const click = (attributes: string): string =>
	`document.body.innerHTML = '<a ${attributes}>x</a>'; document.querySelector('a').click();`;
const form = (attributes: string): string =>
	`document.body.innerHTML = '<form ${attributes}><input name="a"></form>'; document.forms[0].submit();`;
const hint = (relation: string, url: string): string =>
	`document.head.innerHTML = '<link rel="${relation}" href="${url}">';`;

interface Target {
	/** Uses a host name that is unique to this attempt. */
	url: string;
	host: string;
	tcpPort: number;
	udpPort: number;
}

const WAYS: [way: string, arrivesWithoutTheHeader: boolean, script: (target: Target) => string][] = [
	['location', true, ({ url }) => `location.href = '${url}'`],
	['replace', true, ({ url }) => `location.replace('${url}')`],
	['link', true, ({ url }) => click(`href="${url}"`)],
	['download', true, ({ url }) => click(`download href="${url}"`)],
	['refresh', true, ({ url }) => `document.head.innerHTML = '<meta http-equiv="refresh" content="0; url=${url}">'`],
	['open-self', true, ({ url }) => `open('${url}', '_self')`],
	['frame', true, ({ url }) => `document.body.innerHTML = '<iframe src="${url}"></iframe>'`],
	[
		'frame-that-goes',
		true,
		({ url }) =>
			`document.body.innerHTML = '<iframe srcdoc="<script>location.href=\\'${url}\\'</' + 'script>"></iframe>'`
	],
	['stun', true, ({ udpPort }) => RTC(`urls: 'stun:127.0.0.1:${udpPort}'`)],
	[
		'turn',
		true,
		({ tcpPort }) =>
			RTC(
				`urls: 'turn:127.0.0.1:${tcpPort}?transport=tcp', username: 'a', credential: 'b'`,
				`, iceTransportPolicy: 'relay'`
			)
	],
	['open', false, ({ url }) => `open('${url}')`],
	['top', false, ({ url }) => `top.location.href = '${url}'`],
	['link-blank', false, ({ url }) => click(`target="_blank" href="${url}"`)],
	['ping', false, ({ url }) => click(`href="#here" ping="${url}"`)],
	['form-get', true, ({ url }) => form(`action="${url}"`)],
	['form-post', true, ({ url }) => form(`method="post" action="${url}"`)],
	['dns-prefetch', false, ({ url }) => hint('dns-prefetch', url)],
	['preconnect', false, ({ url }) => hint('preconnect', url)],
	['prefetch', false, ({ url }) => hint('prefetch', url)],
	['modulepreload', false, ({ url }) => hint('modulepreload', url)],
	['icon', false, ({ url }) => hint('icon', url)],
	['manifest', false, ({ url }) => hint('manifest', url)],
	['object', false, ({ url }) => `document.body.innerHTML = '<object data="${url}"></object><embed src="${url}">'`],
	['transport', false, ({ host, udpPort }) => `new WebTransport('https://${host}:${udpPort}/')`]
];

const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-netlog-'));
const netLog = path.join(folder, 'log.json');
let world: World;
let closeWorld: Promise<void> | undefined;
beforeAll(async () => {
	world = await openWorld({}, [
		'--disable-features=LocalNetworkAccessChecks',
		'--host-resolver-rules=MAP *.leak.test 127.0.0.1',
		`--log-net-log=${netLog}`,
		'--net-log-capture-mode=Everything'
	]);
});
afterAll(async () => {
	await (closeWorld ?? world.close());
	rmSync(folder, { recursive: true, force: true });
});

/** Opens a TCP and a UDP port that count what arrives. */
async function startPorts() {
	let hits = 0;
	const tcp = createServer((socket) => {
		hits += 1;
		socket.on('error', () => undefined).destroy();
	});
	const udp = createSocket('udp4', () => (hits += 1));
	await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
	await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
	return {
		tcpPort: (tcp.address() as AddressInfo).port,
		udpPort: udp.address().port,
		hits: () => hits,
		async close() {
			await new Promise((resolve) => udp.close(() => resolve(null)));
			await new Promise((resolve) => tcp.close(resolve));
		}
	};
}

/** Shows `script` in a frame of the page, served from `address`. */
const attack = (page: Page, address: string, script: string): Promise<void> =>
	page.evaluate(
		([src, code]) =>
			new Promise((resolve) => {
				const frame = document.createElement('iframe');
				frame.setAttribute('sandbox', 'allow-scripts allow-forms');
				frame.src = src;
				addEventListener('message', ({ source, data }) => {
					if (source !== frame.contentWindow) return;
					if (data === 'shown') resolve();
					if (data !== 'sandglass:preview-ready') return;
					const { port1, port2 } = new MessageChannel();
					frame.contentWindow?.postMessage('sandglass:preview-port', '*', [port2]);
					const html = `<!doctype html><head></head><body><script>parent.postMessage('shown', '*');\n${code}</script>`;
					port1.postMessage({ html });
				});
				document.body.append(frame);
			}),
		[address, script] as const
	);

const NetLog = z.object({
	constants: z.object({ logEventTypes: z.record(z.string(), z.number()) }),
	events: z.array(z.object({ type: z.number(), params: z.unknown().optional() }))
});

/** Names below `leak.test` that the browser resolved, or opened a socket for. */
function namesReached(): Set<string> {
	const { constants, events } = NetLog.parse(JSON.parse(readFileSync(netLog, 'utf8')));
	const types = new Set(
		Object.entries(constants.logEventTypes)
			.filter(([name]) => /HOST_RESOLVER|DNS_TRANSACTION|SOCKET|TCP_CONNECT|CONNECT_JOB/.test(name))
			.map(([, type]) => type)
	);
	const found = events
		.filter(({ type }) => types.has(type))
		.flatMap(({ params }) => [...(JSON.stringify(params) ?? '').matchAll(/([a-z-]+)\.leak\.test/g)]);
	return new Set(found.map(([, name = '']) => name));
}

it(
	'lets a closed preview resolve and reach nothing, by ways that stay open without its list of connections',
	{ timeout: 300_000 },
	async () => {
		const { page, context } = await world.newProfile();
		await context.route(
			(url) => url.pathname === '/preview-frame' && url.search === '?open',
			async (route) => {
				const response = await route.fetch();
				const { 'connection-allowlist': list, ...headers } = response.headers();
				// A header that is missing cannot be what stops the attack.
				if (list === '()') await route.fulfill({ response, headers });
				else await route.abort();
			}
		);
		await page.goto(world.url);
		const tries = await Promise.all(
			WAYS.flatMap(([way, , script]) =>
				(['closed', 'open'] as const).map(async (variant) => ({ way, script, variant, ports: await startPorts() }))
			)
		);
		// The closed ones first: they have more time to arrive.
		for (const wanted of ['closed', 'open']) {
			const chosen = tries.filter(({ variant }) => variant === wanted);
			await Promise.all(
				chosen.map(({ way, variant, script, ports: { tcpPort, udpPort } }) => {
					const host = `${variant}-${way}.leak.test`;
					const code = script({ host, url: `http://${host}:${tcpPort}/x`, tcpPort, udpPort });
					return attack(page, variant === 'open' ? '/preview-frame?open' : '/preview-frame', code);
				})
			);
		}
		const hit = (variant: string): string[] =>
			tries.filter((each) => each.variant === variant && each.ports.hits() > 0).map(({ way }) => way);
		const expected = WAYS.filter(([, arrives]) => arrives).map(([way]) => way);
		await expect.poll(() => hit('open'), { timeout: 120_000 }).toEqual(expected);
		expect(hit('closed')).toEqual([]);

		closeWorld = world.close();
		await closeWorld;
		await Promise.all(tries.map(({ ports }) => ports.close()));
		const names = [...namesReached()];
		expect(names.filter((name) => name.startsWith('closed-'))).toEqual([]);
		const byName = expected.filter((way) => !/stun|turn/.test(way)).map((way) => `open-${way}`);
		expect(names.sort()).toEqual(byName.sort());
	}
);
