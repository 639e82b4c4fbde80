import type { WebServer } from './config.ts';
import type { Host } from './host.ts';
import { pause, until } from './browser/patience.ts';

const STARTING_MS = 60_000;
const LOOK_AGAIN_MS = [100, 250, 500];

/**
 * Starts a project's server and waits for its URL. Returns the function that ends it.
 * @throws Error with Playwright's message
 */
export async function startWebServer(server: WebServer, host: Host, rootDir: string): Promise<() => void> {
	const { command, timeout = STARTING_MS, reuseExistingServer = false, cwd = rootDir, env = {} } = server;
	const address = addressOf(server);
	if (await answers(server, host)) {
		if (reuseExistingServer) return () => {};
		throw new Error(
			`${address} is already used, make sure that nothing is running on the port/url or set reuseExistingServer:true in config.webServer.`
		);
	}
	const strings = Object.fromEntries(
		Object.entries(host.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
	);
	const folder = cwd.startsWith('/') ? cwd : `${rootDir}/${cwd}`;
	const running = host.start(command, { cwd: folder, env: { ...strings, ...env } });
	let code: number | null = null;
	void running.exited.then((ended) => (code = ended));
	const isUp = await until(
		performance.now() + timeout,
		async () => {
			if (code !== null) return 'ended';
			return (await answers(server, host)) ? 'up' : null;
		},
		LOOK_AGAIN_MS
	);
	if (isUp === 'up') return () => running.kill();
	running.kill();
	if (isUp === 'ended')
		throw new Error(`Process from config.webServer was not able to start. Exit code: ${String(code)}`);
	throw new Error(`Timed out waiting ${timeout}ms from config.webServer.`);
}

function addressOf({ url, port }: WebServer): string {
	if (url === undefined && port === undefined)
		throw new Error('Either "port" or "url" should be specified in config.webServer.');
	return url ?? `http://localhost:${port}`;
}

async function answers({ url, port }: WebServer, host: Host): Promise<boolean> {
	const wanted = url === undefined ? port : Number(new URL(url).port || 80);
	if (wanted === undefined || !host.isListening(wanted)) return false;
	if (url === undefined) return true;
	try {
		const late = pause(5_000).then(() => null);
		const response = await Promise.race([fetch(url), late]);
		return response !== null && (response.status < 400 || (response.status >= 400 && response.status <= 403));
	} catch {
		// Not running yet, which is what was asked.
		return false;
	}
}
