import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { endWithUs, eventually, findProgram, fromPage, inPage, type Engine } from './engine.ts';

const driverProgram = findProgram('WebKitWebDriver');
const displayProgram = findProgram('Xvfb');
const browserProgram = ['x86_64', 'aarch64']
	.map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
	.find((file) => existsSync(file));

export const hasWebKit = Boolean(driverProgram && displayProgram && browserProgram);

const answer = z.object({ value: z.unknown() });
const failure = z.object({ error: z.string(), message: z.string() });
const session = z.object({ sessionId: z.string() });

/**
 * Starts WebKitGTK on a separate screen, controlled over WebDriver.
 *
 * @param sharedMemory whether SharedArrayBuffers can be posted, as in Safari; WebKitGTK disables that by default
 */
export async function startWebKit({ sharedMemory }: { sharedMemory: boolean }): Promise<Engine> {
	const home = mkdtempSync(path.join(tmpdir(), 'sandglass-webkit-'));
	keepStill(home);
	const screen = spawn(
		displayProgram ?? 'Xvfb',
		['-displayfd', '3', '-screen', '0', '1440x900x24', '-nolisten', 'tcp'],
		{
			stdio: ['ignore', 'ignore', 'ignore', 'pipe']
		}
	);
	const display = await firstLine(screen.stdio[3]);
	const port = await freePort();
	const driver = spawn(driverProgram ?? 'WebKitWebDriver', [`--port=${port}`], {
		// A process group: the browser and its helpers end with it.
		detached: true,
		stdio: 'ignore',
		env: {
			...process.env,
			DISPLAY: `:${display}`,
			HOME: home,
			XDG_CACHE_HOME: home,
			XDG_DATA_HOME: home,
			GDK_BACKEND: 'x11',
			LIBGL_ALWAYS_SOFTWARE: '1',
			// Its own process sandbox needs rights that containers do not grant; nothing here depends on it.
			WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
			...(sharedMemory ? { JSC_useSharedArrayBuffer: '1' } : {})
		}
	});
	endWithUs(() => {
		screen.kill('SIGKILL');
		killGroup(driver);
	});
	const call = async (method: string, route: string, body?: object): Promise<unknown> => {
		const response = await fetch(`http://127.0.0.1:${port}${route}`, { method, body: body && JSON.stringify(body) });
		const { value } = answer.parse(await response.json());
		const failed = failure.safeParse(value);
		if (failed.success) throw new Error(`${failed.data.error}: ${failed.data.message}`);
		return value;
	};
	await eventually('WebKitWebDriver', 20_000, () =>
		call('GET', '/status').then(
			() => true,
			() => null
		)
	);
	const browserOptions = { binary: browserProgram, args: ['--automation'] };
	const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } };
	const { sessionId } = session.parse(await call('POST', '/session', { capabilities }));
	const own = `/session/${sessionId}`;
	await call('POST', `${own}/timeouts`, { script: 240_000, pageLoad: 60_000 });
	return {
		open: async (url) => void (await call('POST', `${own}/url`, { url })),
		evaluate: async <Args extends unknown[], Result>(
			run: (...args: Args) => Result | Promise<Result>,
			...args: Args
		) => {
			const script = `const [given, done] = arguments; (async () => {${inPage(run)}})().then(done);`;
			const outcome = await call('POST', `${own}/execute/async`, { script, args: [JSON.stringify(args)] });
			return fromPage<Result>(z.string().parse(outcome));
		},
		close: async () => {
			await call('DELETE', own).catch(() => {
				// It is killed anyway.
			});
			await Promise.all([endGroup(driver), end(screen)]);
			rmSync(home, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}

/** Makes pages prefer reduced motion: each frame is drawn by the CPU here. */
function keepStill(home: string): void {
	const settings = path.join(home, '.config/gtk-3.0');
	mkdirSync(settings, { recursive: true });
	writeFileSync(path.join(settings, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
}

async function firstLine(stream: unknown): Promise<string> {
	const readable = stream as NodeJS.ReadableStream;
	const [line] = (await once(readable, 'data')) as [Buffer];
	return String(line).trim();
}

/** A port that was just free: the driver cannot choose one by itself. */
async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const { port } = probe.address() as AddressInfo;
	probe.close();
	await once(probe, 'close');
	return port;
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGKILL');
	await ended;
}

async function endGroup(leader: ChildProcess): Promise<void> {
	const ended = leader.exitCode === null && leader.signalCode === null ? once(leader, 'exit') : null;
	killGroup(leader);
	await ended;
}

function killGroup({ pid }: ChildProcess): void {
	try {
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
	} catch (error) {
		// None of its processes is left.
		if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
	}
}
