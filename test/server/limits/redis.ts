import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Reason why there is no Redis to test with; `undefined` if there is one. */
export const noRedis: string | undefined =
	spawnSync('redis-server', ['--version']).error === undefined ? undefined : 'redis-server is not installed';

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('There is no free port.');
	return address.port;
}

/** Starts a real redis-server without persistence. */
export async function startRedis(port?: number) {
	port ??= await freePort();
	const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']);
	for await (const chunk of child.stdout) if (String(chunk).includes('Ready to accept connections')) break;
	return {
		port,
		url: `redis://127.0.0.1:${port}`,
		/** Keeps connections open and stops answering. */
		pause: () => void child.kill('SIGSTOP'),
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	};
}
