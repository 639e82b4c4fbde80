import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import * as z from 'zod';
import { endWithUs, eventually, findProgram, fromPage, inPage, type Engine } from './engine.ts';

export const firefoxProgram = findProgram('firefox-esr') ?? findProgram('firefox');

const PREFERENCES = {
	'ui.prefersReducedMotion': 1,
	'browser.shell.checkDefaultBrowser': false,
	'datareporting.policy.dataSubmissionEnabled': false,
	'app.update.enabled': false,
	'network.captive-portal-service.enabled': false,
	'network.connectivity-service.enabled': false
};

const reply = z.object({ id: z.number(), type: z.string(), result: z.unknown(), message: z.optional(z.string()) });
const tree = z.object({ contexts: z.array(z.object({ context: z.string() })).min(1) });
const called = z.union([
	z.object({ type: z.literal('success'), result: z.object({ value: z.optional(z.string()) }) }),
	z.object({ type: z.literal('exception'), exceptionDetails: z.object({ text: z.string() }) })
]);

/** Starts a headless Firefox, controlled over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
	const profile = mkdtempSync(path.join(tmpdir(), 'sandglass-firefox-'));
	const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
	writeFileSync(path.join(profile, 'user.js'), lines.join(''));
	const flags = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
	const browser = spawn(firefoxProgram ?? 'firefox', flags, { stdio: ['ignore', 'ignore', 'pipe'] });
	const ended = once(browser, 'exit');
	endWithUs(() => browser.kill('SIGKILL'));
	const address = await new Promise<string>((resolve, reject) => {
		let said = '';
		browser.stderr.on('data', (text: Buffer) => {
			said += String(text);
			const found = /WebDriver BiDi listening on (\S+)/.exec(said)?.[1];
			if (found) resolve(found);
		});
		browser.on('exit', () => reject(new Error(`Firefox ended by itself: ${said}`)));
		browser.on('error', reject);
	});
	const socket = new WebSocket(`${address}/session`);
	await once(socket, 'open');
	const waiting = new Map<number, (message: z.infer<typeof reply>) => void>();
	socket.on('message', (data) => {
		const message = reply.safeParse(JSON.parse(String(data)));
		if (message.success) waiting.get(message.data.id)?.(message.data);
	});
	let last = 0;
	const call = (method: string, params: object): Promise<unknown> => {
		const id = ++last;
		socket.send(JSON.stringify({ id, method, params }));
		return new Promise((resolve, reject) =>
			waiting.set(id, ({ type, result, message }) =>
				type === 'success' ? resolve(result) : reject(new Error(`${method}: ${message}`))
			)
		);
	};
	await call('session.new', { capabilities: {} });
	const context = tree.parse(await call('browsingContext.getTree', {})).contexts[0]!.context;
	/** Runs a synchronous script; it returns a text or nothing. */
	const inWindow = async (script: string): Promise<string | null> => {
		const outcome = called.parse(
			await call('script.callFunction', {
				functionDeclaration: `() => {${script}}`,
				awaitPromise: false,
				target: { context }
			})
		);
		if (outcome.type === 'exception') throw new Error(outcome.exceptionDetails.text);
		return outcome.result.value ?? null;
	};
	let asked = 0;
	return {
		open: async (url) => void (await call('browsingContext.navigate', { context, url, wait: 'complete' })),
		evaluate: async <Args extends unknown[], Result>(
			run: (...args: Args) => Result | Promise<Result>,
			...args: Args
		) => {
			// Firefox sometimes never resolves a promise it should wait for, so the page stores the outcome and is
			// polled.
			const slot = `outcome${++asked}`;
			const given = JSON.stringify(JSON.stringify(args));
			await inWindow(`(async (given) => {${inPage(run)}})(${given}).then((text) => (window.${slot} = text));`);
			const text = await eventually('an answer of the page', 240_000, () => inWindow(`return window.${slot};`));
			return fromPage<Result>(text);
		},
		close: async () => {
			socket.terminate();
			browser.kill('SIGKILL');
			await ended;
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}
