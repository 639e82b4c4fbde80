import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import * as z from 'zod/mini';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';

const answer = z.object({
	id: z.optional(z.int()),
	result: z.optional(z.record(z.string(), z.unknown())),
	error: z.optional(z.object({ message: z.string() }))
});
const evaluated = z.object({
	result: z.object({ value: z.optional(z.unknown()) }),
	exceptionDetails: z.optional(z.looseObject({ text: z.string() }))
});

export interface DevtoolsPage {
	/** @param expression may return a promise. @returns its value, as JSON. Rejects if it throws */
	evaluate(expression: string): Promise<unknown>;
	close(): Promise<void>;
}

/**
 * Opens a page in a separate Chromium, using only DevTools: Playwright abandons a page when one of its frames crashes.
 */
export async function openDevtoolsPage(address: string): Promise<DevtoolsPage> {
	const profile = mkdtempSync(path.join(tmpdir(), 'sandglass-devtools-'));
	const browser = spawn(
		process.env['CHROME_PATH'] ?? '/usr/bin/chromium',
		[...CHROMIUM_FLAGS, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
		{ stdio: ['ignore', 'ignore', 'pipe'] }
	);
	const ended = once(browser, 'exit');
	const socket = new WebSocket(await devtoolsAddress(browser.stderr));
	await once(socket, 'open');
	const waiting = new Map<number, (message: z.infer<typeof answer>) => void>();
	socket.on('message', (data) => {
		const message = answer.parse(JSON.parse(String(data)));
		if (message.id !== undefined) waiting.get(message.id)?.(message);
	});
	let last = 0;
	const send = async (method: string, params: object, sessionId?: string): Promise<Record<string, unknown>> => {
		const id = ++last;
		const message = await new Promise<z.infer<typeof answer>>((resolve) => {
			waiting.set(id, resolve);
			socket.send(JSON.stringify({ id, method, params, sessionId }));
		});
		waiting.delete(id);
		if (message.error) throw new Error(`${method}: ${message.error.message}`);
		return message.result ?? {};
	};
	const { targetId } = await send('Target.createTarget', { url: address });
	const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
	return {
		async evaluate(expression) {
			const params = { expression, awaitPromise: true, returnByValue: true };
			const { result, exceptionDetails } = evaluated.parse(await send('Runtime.evaluate', params, String(sessionId)));
			if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
			return result.value;
		},
		async close() {
			socket.close();
			browser.kill('SIGKILL');
			await ended;
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}

async function devtoolsAddress(stderr: NodeJS.ReadableStream): Promise<string> {
	for await (const line of createInterface({ input: stderr })) {
		const [, found] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
		if (found !== undefined) {
			// Later output must not fill the pipe.
			stderr.resume();
			return found;
		}
	}
	throw new Error('Chromium has not said where DevTools listen.');
}
