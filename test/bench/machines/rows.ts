import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import type { ExecutionEnvironment } from '../../../src/environment/contract.ts';
import { LocalExecutionEnvironment } from '../../../src/environment/local/environment.ts';
import type { Channel } from '../../../src/environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '../../../src/environment/remote/environment.ts';
import { webSocketChannel } from '../../../src/environment/remote/web-socket-channel.ts';
import { moveTree } from '../../../src/environment/tree/move.ts';
import { startDaemon, type Daemon } from '../../server/machines/docker-daemon.ts';
import { benchProvider } from './provider.ts';
import { median, percentile, row, type Row } from '../row.ts';

const RUNS = 40;
const FILE_BYTES = 4_096;
const OUTPUT_BYTES = 100_000_000;
const OUTPUT_RUNS = 3;
const FILES = 5_000;
const MOVE_LIMIT_S = 5;
const OUTPUT = `yes 0123456789abcdef0123456789abcdef0123456789abcdef | head -c ${OUTPUT_BYTES}`;

interface Bench {
	daemon: Daemon;
	/** Name of the container, for the engine's own program. */
	id: string;
	/** The same container as seen by a page. */
	there: ExecutionEnvironment;
}

/**
 * Measures a machine of a real Docker Engine as a page reaches it, over a WebSocket, compared with the engine's own
 * program on the same container, alternately.
 */
export async function machineRows(built: string): Promise<Row[]> {
	const daemon = await startDaemon();
	if ('reason' in daemon) throw new Error(daemon.reason);
	const provider = benchProvider(daemon.socket);
	const { id } = await provider.create();
	const served = await serve(built, daemon.socket, id);
	const there = new RemoteExecutionEnvironment({ connect: () => connect(served.url) });
	try {
		await there.initialize();
		const bench = { daemon, id, there };
		return [
			await commandRow(bench),
			await readRow(bench),
			await outputRow(bench),
			await echoRow(bench),
			await moveRow(bench)
		];
	} finally {
		await there.cleanup();
		await served.close();
		await provider.destroy(id);
		await daemon.stop();
	}
}

async function commandRow(bench: Bench): Promise<Row> {
	const [ours, peer] = await alternately(
		() => bench.there.exec('true'),
		() => engine(bench, ['true'])
	);
	return row({
		name: 'true in a container, p50',
		unit: 'ms',
		ours: median(ours),
		against: { name: 'docker exec', value: median(peer) },
		bound: 2,
		note: `p50 of ${RUNS}, the scan of the files included`
	});
}

async function readRow(bench: Bench): Promise<Row> {
	await bench.there.writeFile('small.txt', 'x'.repeat(FILE_BYTES));
	const [ours, peer] = await alternately(
		() => bench.there.readFile('small.txt'),
		() => engine(bench, ['cat', '/workspace/small.txt'])
	);
	return row({
		name: 'readFile of 4 KB in a container, p50',
		unit: 'ms',
		ours: median(ours),
		against: { name: 'docker exec cat', value: median(peer) },
		note: `p50 of ${RUNS}`
	});
}

async function outputRow(bench: Bench): Promise<Row> {
	const [ours, peer] = await alternately(
		async () => {
			let characters = 0;
			await bench.there.exec(OUTPUT, {
				maxOutputCharacters: 0,
				onOutput: ({ data }) => void (characters += data.length)
			});
			if (characters !== OUTPUT_BYTES) throw new Error(`${characters} characters arrived.`);
		},
		() => engine(bench, ['sh', '-c', OUTPUT]),
		OUTPUT_RUNS
	);
	return row({
		name: '100 MB of output from a container',
		unit: 'ms',
		ours: median(ours),
		against: { name: 'docker exec', value: median(peer) },
		bound: 1.2,
		note: `median of ${OUTPUT_RUNS}`
	});
}

/** Time from a key to its echo on a terminal. */
async function echoRow({ there }: Bench): Promise<Row> {
	const terminal = await there.openTerminal({ columns: 80, rows: 24 });
	let arrived = (): void => undefined;
	terminal.onData(() => arrived());
	terminal.write('cat\r');
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	const times: number[] = [];
	for (let run = -5; run < RUNS * 5; run++) {
		const taken = await timed(
			() =>
				new Promise<void>((resolve) => {
					arrived = resolve;
					terminal.write('k');
				})
		);
		if (run >= 0) times.push(taken);
	}
	await terminal.close();
	return row({
		name: 'echo of a key on a terminal in a container, p95',
		unit: 'ms',
		ours: percentile(times, 0.95),
		note: `p50 ${median(times).toFixed(2)} ms, of ${times.length} keys`
	});
}

async function moveRow({ there }: Bench): Promise<Row> {
	const directory = mkdtempSync(path.join(tmpdir(), 'sandglass-bench-move-'));
	const home = new LocalExecutionEnvironment({ workingDirectory: directory, diagnosticsScript: null });
	try {
		for (let index = 0; index < FILES; index++) {
			const folder = path.join(directory, 'src', String(Math.floor(index / 50)));
			mkdirSync(folder, { recursive: true });
			writeFileSync(path.join(folder, `${index}.js`), `export default ${'x'.repeat(index % 4_000)};\n`);
		}
		const files = { sent: 0 };
		const taken = await timed(async () => {
			files.sent = (await moveTree(home, there)).files;
		});
		if (files.sent !== FILES) throw new Error(`${files.sent} files were moved.`);
		return row({
			name: 'move of 5,000 files, 10 MB, into a container',
			unit: 's',
			ours: taken / 1_000,
			against: { name: 'limit', value: MOVE_LIMIT_S },
			bound: 1,
			note: 'both snapshots, the transfer and the check of the trees included'
		});
	} finally {
		await home.cleanup();
		rmSync(directory, { recursive: true, force: true });
	}
}

/** Runs the engine's own program until it ends. */
async function engine({ daemon, id }: Bench, words: readonly string[]): Promise<void> {
	const child = spawn('docker', ['--host', `unix://${daemon.socket}`, 'exec', id, ...words], {
		stdio: ['ignore', 'pipe', 'inherit']
	});
	child.stdout.resume();
	const [code] = (await once(child, 'close')) as [number];
	if (code !== 0) throw new Error(`docker exec ended with ${code}.`);
}

async function alternately(
	ours: () => Promise<unknown>,
	peer: () => Promise<unknown>,
	runs = RUNS
): Promise<[number[], number[]]> {
	const times: [number[], number[]] = [[], []];
	for (let run = -1; run < runs; run++) {
		const [own, other] = [await timed(ours), await timed(peer)];
		if (run < 0) continue;
		times[0].push(own);
		times[1].push(other);
	}
	return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

/** Serves the machine like Sandglass, in a process of its own. */
async function serve(built: string, engine: string, machine: string): Promise<{ url: string; close(): Promise<void> }> {
	const child = fork(path.join(built, 'serve-machine.js'), [engine, machine]);
	const [url] = (await once(child, 'message')) as [string];
	return {
		url,
		close: async () => {
			child.send('close');
			await once(child, 'exit');
		}
	};
}

function connect(url: string): Promise<Channel> {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url);
		socket.once('open', () => resolve(webSocketChannel(socket)));
		socket.once('error', reject);
	});
}
