import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toBase64Url } from '#session/share/base64.ts';
import { packBundle } from '#session/share/bundle.ts';
import type { SessionEvent } from '#agent/events.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let listener: Server;
let listening: string;
const hits: string[] = [];

beforeAll(async () => {
	world = await openWorld();
	listener = createServer((request, response) => {
		hits.push(`${request.method} ${request.url}`);
		response.setHeader('access-control-allow-origin', '*').end('hit');
	});
	listener.listen(0, '127.0.0.1');
	await once(listener, 'listening');
	listening = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterAll(async () => {
	await world.close();
	listener.close();
});

it('opens a hostile share without starting a sandbox or running anything of it', async () => {
	const text = `Look: <img src="${listening}/picture" onerror="window.hit=1"><script>window.hit=1</script>`;
	const header = { sessionId: 's', timestamp: 1 };
	const events: SessionEvent[] = [
		{ ...header, seq: 1, type: 'user_input', content: [{ type: 'text', text }] },
		{ ...header, seq: 2, type: 'message_start', role: 'assistant' },
		{ ...header, seq: 3, type: 'assistant_text_start' },
		{ ...header, seq: 4, type: 'assistant_text_end', text }
	];
	const bundle = await packBundle({
		version: 1,
		origin: { kind: 'files', name: 'files' },
		title: '<b onclick=1>A share</b>',
		files: { 'package.json': { mode: 0o100644, base64: btoa('{ "scripts": { "prepare": "touch made" } }') } },
		removed: [],
		before: {},
		entries: [
			{ id: '0', parentId: null, timestamp: 1, type: 'session', version: 1, sessionId: 's', title: 'A share' },
			...events.map((event, index) => ({
				id: String(index + 1),
				parentId: String(index),
				timestamp: 1,
				type: 'event' as const,
				event
			}))
		],
		checkpoints: [],
		viewOnly: false
	});
	const { page, errors } = await world.newProfile();
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	await page.goto(`${world.url}/#i=${toBase64Url(bundle)}`);
	await page.getByRole('button', { name: 'Conversation', exact: true }).click();
	await page.getByRole('button', { name: 'package.json' }).click();
	await page.getByText('touch made').waitFor();
	await page.getByText('Look:').first().waitFor();
	const state = await page.evaluate(() => ({
		environment: window.sandglass!.environment,
		frames: document.querySelectorAll('iframe').length,
		hit: 'hit' in window
	}));
	expect(state).toEqual({ environment: null, frames: 0, hit: false });
	expect(asked.filter((path) => path === '/runner' || path.startsWith('/api/llm'))).toEqual([]);
	expect(hits).toEqual([]);
	expect(errors).toEqual([]);
});

it('shows HTML the agent made only after a click, where it reaches neither the page nor the network', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate((address) => {
		const html = `<!doctype html><title>Evil</title><h1>Evil</h1><img src="${address}/img">
			<link rel="stylesheet" href="${address}/css"><script src="${address}/script"></script>
			<script>fetch('${address}/fetch', { mode: 'no-cors' }).catch(() => {})</script>`;
		return window.sandglass!.importRepository({ files: { 'index.html': html } });
	}, listening);
	await page.getByRole('tab', { name: 'Preview' }).click();
	const show = page.getByRole('button', { name: 'Show preview' });
	await show.waitFor();
	expect(page.frames().some((frame) => frame.url().includes('/preview-frame'))).toBe(false);
	await show.click();
	const shown = page.frameLocator('iframe[title*="index.html"]');
	await shown.getByRole('heading', { name: 'Evil' }).waitFor();
	const frame = page.frames().find((each) => each.url().includes('/preview-frame'));
	const outcomes = await frame!.evaluate(async (address) => {
		const attempt = async (run: () => unknown): Promise<string> => {
			try {
				await run();
				return 'done';
			} catch {
				return 'refused';
			}
		};
		return {
			origin: self.origin,
			parent: await attempt(() => parent.document.title),
			storage: await attempt(() => localStorage.length),
			cookie: await attempt(() => document.cookie),
			fetch: await attempt(() => fetch(`${address}/again`, { mode: 'no-cors' })),
			api: await attempt(() => fetch('/api/config')),
			top: await attempt(() => {
				top!.location.href = `${address}/top`;
			})
		};
	}, listening);
	expect(outcomes).toEqual({
		origin: 'null',
		parent: 'refused',
		storage: 'refused',
		cookie: 'refused',
		fetch: 'refused',
		api: 'refused',
		top: 'refused'
	});
	// The page is still there, and the listener counts real requests.
	expect(page.url()).toContain('#session/');
	expect(hits).toEqual([]);
	await fetch(`${listening}/counts`);
	expect(hits).toEqual(['GET /counts']);
});

it('runs nothing of a repository by importing it', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	const ran = await page.evaluate(async () => {
		const evil = '#!/bin/sh\ntouch /tmp/ran /workspace/ran\n';
		const scripts = { preinstall: 'touch /tmp/ran', postinstall: 'touch /tmp/ran', prepare: 'touch /tmp/ran' };
		await window.sandglass!.importRepository({
			files: {
				'package.json': JSON.stringify({ name: 'evil', scripts }),
				'.gitattributes': '* filter=evil\n',
				'.husky/pre-commit': evil,
				'.envrc': evil,
				'.bashrc': evil,
				'.gitconfig': '[core]\n\thooksPath = .husky\n\tfsmonitor = .husky/pre-commit\n'
			}
		});
		const { environment } = window.sandglass!;
		await environment!.exec('git status');
		const look = await environment!.exec('ls -a /tmp/ran /workspace/ran');
		return { exitCode: look.exitCode, stdout: look.stdout, prompts: document.querySelectorAll('.prompt').length };
	});
	expect(ran).toEqual({ exitCode: 2, stdout: '', prompts: 0 });
});
