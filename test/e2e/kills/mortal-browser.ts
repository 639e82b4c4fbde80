import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright';
import { CHROMIUM_FLAGS } from '#test/browser.mjs';

/** A real Chromium with a profile that survives it. */
export interface MortalBrowser {
	page: Page;
	/** Ends all of its processes like a crash: at once, without notice. One call is enough. */
	kill(): Promise<void>;
}

/** @param profile a folder with the storage of the previous browser */
export async function startMortalBrowser(profile: string): Promise<MortalBrowser> {
	// No window of its own: one that is still opening after a crash can block a connecting client forever.
	const flags = ['--headless', '--remote-debugging-port=0', '--no-startup-window', `--user-data-dir=${profile}`];
	const browser = spawn(process.env['CHROME_PATH'] ?? '/usr/bin/chromium', [...CHROMIUM_FLAGS, ...flags], {
		stdio: ['ignore', 'ignore', 'pipe'],
		// A process group, so that all of its processes end together.
		detached: true
	});
	const end = async (): Promise<void> => {
		if (browser.exitCode !== null || browser.signalCode !== null) return;
		const ended = once(browser, 'exit');
		process.kill(-(browser.pid ?? 0), 'SIGKILL');
		await ended;
	};
	try {
		const address = await debuggingAddress(browser.stderr);
		const connection = await chromium.connectOverCDP(address, { timeout: 120_000 });
		const [context] = connection.contexts();
		if (!context) throw new Error('The browser has no profile.');
		const page = await context.newPage();
		return {
			page,
			async kill() {
				await end();
				await connection.close();
			}
		};
	} catch (error) {
		await end();
		throw error;
	}
}

/** Read to its end: a browser whose output is not read blocks. */
function debuggingAddress(stderr: NodeJS.ReadableStream): Promise<string> {
	return new Promise((resolve, reject) => {
		const lines = createInterface({ input: stderr });
		const said: string[] = [];
		lines.on('line', (line) => {
			const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
			if (address) resolve(address);
			else if (said.length < 50) said.push(line);
		});
		lines.on('close', () => reject(new Error(`Chromium ended before it listened:\n${said.join('\n')}`)));
	});
}
