import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { installedVersion, plainEnvironment } from '../native-program.ts';
import type { Subject } from './load.ts';
import type { UpstreamCounts, Used } from './messages.ts';

/** A subject that reports the resources it used. */
export interface Measurable extends Subject {
	used(): Promise<Used>;
}

export interface ServerBench {
	upstream: { url: string; counts(): Promise<UpstreamCounts> };
	straight: Subject;
	bare: Measurable;
	ours: Measurable;
	/** The subject, or why it could not be started. */
	portkey: Subject | Error;
	close(): void;
}

const PORTKEY_START_MS = 20_000;
/** The same for all of them: as in a deployment, without Node options of the shell that starts the benchmark. */
const ENVIRONMENT = { ...plainEnvironment(), NODE_ENV: 'production' };

/**
 * @param built directory with the bundles
 * @param server the built `dist/server/main.js`
 * @param peers the directory with the peers' packages, or why there is none
 */
export async function startServerBench(built: string, server: string, peers: string | Error): Promise<ServerBench> {
	const children: ChildProcess[] = [];
	async function child(script: string, ...args: string[]) {
		// The log is written as in a deployment, but not printed here.
		const started = fork(path.join(built, script), args, {
			env: ENVIRONMENT,
			stdio: ['ignore', 'ignore', 'inherit', 'ipc']
		});
		children.push(started);
		const [port] = await once(started, 'message');
		return {
			url: `http://127.0.0.1:${String(port)}`,
			async ask(): Promise<unknown> {
				const answer = once(started, 'message');
				started.send('?');
				return (await answer)[0];
			}
		};
	}
	const provider = await child('upstream.js');
	const bare = await child('bare-proxy.js', provider.url);
	const ours = await child('ours.js', provider.url, server);
	const plain = (url: string) => (kind: string) => `${url}/${kind}/v1/chat/completions`;
	const used = (of: typeof bare) => async () => (await of.ask()) as Used;
	return {
		upstream: { url: provider.url, counts: async () => (await provider.ask()) as UpstreamCounts },
		straight: { name: 'straight', url: plain(provider.url), headers: () => ({}) },
		bare: {
			name: `bare proxy, Node ${process.versions.node}`,
			url: plain(bare.url),
			headers: () => ({}),
			used: used(bare)
		},
		ours: {
			name: 'ours',
			url: (kind) => `${ours.url}/api/llm/compatible-${kind.replace('/', '-')}/chat/completions`,
			headers: () => ({}),
			used: used(ours)
		},
		portkey: await startPortkey(provider.url, peers, children).catch((error: unknown) =>
			error instanceof Error ? error : new Error(String(error))
		),
		close() {
			for (const each of children) each.kill('SIGKILL');
		}
	};
}

async function startPortkey(upstream: string, peers: string | Error, children: ChildProcess[]): Promise<Subject> {
	if (typeof peers !== 'string') throw peers;
	const port = await freePort();
	const script = path.join(peers, 'node_modules/@portkey-ai/gateway/build/start-server.js');
	const started = spawn(process.execPath, [script, `--port=${port}`, '--headless'], {
		env: ENVIRONMENT,
		stdio: 'ignore'
	});
	children.push(started);
	const url = `http://127.0.0.1:${port}`;
	const deadline = performance.now() + PORTKEY_START_MS;
	for (;;) {
		const up = await fetch(url).then(
			() => true,
			() => false
		);
		if (up) break;
		if (started.exitCode !== null || performance.now() > deadline) throw new Error('the gateway did not start');
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return {
		name: `Portkey ${installedVersion(peers, '@portkey-ai/gateway')}`,
		url: () => `${url}/v1/chat/completions`,
		headers: (kind) => ({
			authorization: 'Bearer key',
			'x-portkey-provider': 'openai',
			'x-portkey-custom-host': `${upstream}/${kind}/v1`
		})
	};
}

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('there is no free port');
	return address.port;
}
