import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright';
import { CHROMIUM_FLAGS } from '../../browser.mjs';

/** A real Chromium over a profile that outlives it. */
export interface MortalBrowser {
	page: Page;
	/** Ends all of its processes as a crash of the machine's software does: at once, without a word. */
	kill(): Promise<void>;
}

/** @param profile a folder; what the last browser stored there is there again */
export async function startMortalBrowser(profile: string): Promise<MortalBrowser> {
	const flags = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--disable-gpu'];
	const browser = spawn(process.env['CHROME_PATH'] ?? '/usr/bin/chromium', [...CHROMIUM_FLAGS, ...flags], {
		stdio: ['ignore', 'ignore', 'pipe'],
		// A group of its own, so that all of its processes end together.
		detached: true
	});
	const address = await debuggingAddress(browser.stderr);
	const connection = await chromium.connectOverCDP(address);
	const [context] = connection.contexts();
	if (!context) throw new Error('The browser has no profile.');
	const page = await context.newPage();
	return {
		page,
		async kill() {
			const ended = once(browser, 'exit');
			process.kill(-(browser.pid ?? 0), 'SIGKILL');
			await ended;
			await connection.close();
		}
	};
}

async function debuggingAddress(stderr: NodeJS.ReadableStream): Promise<string> {
	let said = '';
	for await (const line of createInterface({ input: stderr })) {
		const found = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
		if (found) {
			stderr.resume();
			return found;
		}
		said += `${line}\n`;
	}
	throw new Error(`Chromium ended before it listened:\n${said}`);
}
