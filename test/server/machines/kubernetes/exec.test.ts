import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import type { TerminalSize } from '#environment/contract.ts';
import type { ExecChannel, ExecProcess, ExecTerminal } from '#environment/prefix/exec-channel.ts';
import { KubernetesApi } from '#server/machines/kubernetes/api.ts';
import { kubernetesChannel } from '#server/machines/kubernetes/exec.ts';
import { openExec, type ExecProtocol } from '#server/machines/kubernetes/exec-socket.ts';
import { inTime } from '#test/in-time.ts';

const V5 = 'v5.channel.k8s.io';
const V4 = 'v4.channel.k8s.io';
const TARGET = { pod: 'one', container: 'machine' };
const SUCCESS = '{"metadata":{},"status":"Success"}';
const failed = (code: number) =>
	JSON.stringify({
		status: 'Failure',
		reason: 'NonZeroExitCode',
		details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
	});

/** A program that a server was asked to start: the data of each channel, and ways to answer. */
interface Started {
	query: URLSearchParams;
	socket: WebSocket;
	messages: Buffer[];
	/** All data received on a channel. */
	got(channel: number): string;
	send(channel: number, data: string | Buffer): void;
	/** Waits until all data sent was received, by a connection that is still open. */
	isTaken(): Promise<unknown>;
	/** Reports how it ended, and closes the connection. */
	end(status: string): void;
}

interface Options {
	versions?: readonly ExecProtocol[];
	heartbeatMs?: number;
	/** Whether it answers pings. */
	autoPong?: boolean;
}

/** A server of the exec protocol, without any programs. */
async function start({ versions = [V5, V4], heartbeatMs, autoPong = true }: Options = {}) {
	const programs: Started[] = [];
	const offers: { url: string; protocols: string; authorization: string | undefined }[] = [];
	const sockets = new WebSocketServer({
		noServer: true,
		autoPong,
		handleProtocols: (offered) => versions.find((version) => offered.has(version)) ?? false
	});
	const server = http.createServer();
	server.on('upgrade', (request, socket, head) => {
		const { authorization, 'sec-websocket-protocol': protocols = '' } = request.headers;
		offers.push({ url: request.url ?? '', protocols, authorization });
		sockets.handleUpgrade(request, socket, head, (opened) => {
			const query = new URL(request.url ?? '', 'http://cluster').searchParams;
			// The program that requests the version.
			if (query.getAll('command').join() === 'true') return;
			const messages: Buffer[] = [];
			opened.on('message', (data: Buffer) => messages.push(data));
			const of = (channel: number) => messages.filter((message) => message[0] === channel);
			const send = (channel: number, data: string | Buffer) =>
				opened.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]));
			programs.push({
				query,
				socket: opened,
				messages,
				got: (channel) => Buffer.concat(of(channel).map((message) => message.subarray(1))).toString(),
				send,
				isTaken: () => {
					const pong = once(opened, 'pong');
					opened.ping();
					return inTime(pong, 'a sign of life');
				},
				end: (status) => {
					send(3, status);
					opened.close(1000);
				}
			});
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => {
		for (const client of sockets.clients) client.terminate();
		server.close();
		server.closeAllConnections();
	});
	const { port } = server.address() as AddressInfo;
	const cluster = { server: `http://127.0.0.1:${port}`, namespace: 'machines', tls: {}, token: () => 'word' };
	const api = new KubernetesApi(cluster);
	const program = async (index = 0): Promise<Started> => {
		await expect.poll(() => programs.length).toBeGreaterThan(index);
		const found = programs[index];
		if (!found) throw new Error('No program was started.');
		return found;
	};
	return { api, server, offers, programs, program, channel: kubernetesChannel(api, TARGET, { heartbeatMs }) };
}

const textOf = async (output: NodeJS.ReadableStream): Promise<string> => {
	const readAll = async (): Promise<string> => {
		let text = '';
		for await (const chunk of output) text += String(chunk);
		return text;
	};
	return inTime(readAll(), 'the end of an output');
};

const exitOf = (terminal: ExecTerminal): Promise<number> => inTime(terminal.exited, 'the end of the terminal');

/** Exit code and errors of a program. */
function ending(program: ExecProcess) {
	program.stdout.resume();
	program.stderr.resume();
	const errors: string[] = [];
	program.once('error', (error) => errors.push(error.message));
	const end = new Promise<{ code: unknown; errors: string[] }>((resolve) =>
		program.once('close', (code) => resolve({ code, errors }))
	);
	return inTime(end, 'the end of the program');
}

const openTerminal = (channel: ExecChannel, argv: string[], size: TerminalSize): ExecTerminal => {
	if (!channel.openTerminal) throw new Error('There are terminals.');
	return channel.openTerminal(argv, size);
};

afterEach(() => void vi.useRealTimers());

describe('a program in a pod', () => {
	it('is started by words in its input, gets more of it, and gives outputs and code', async () => {
		const { channel, program, offers } = await start();
		expect(channel.name).toBe('Kubernetes');
		const process = channel.open(['echo', 'a b']);
		process.stdin.end('input');
		const started = await program();
		const words = "exec 'echo' 'a b'";
		expect(Object.fromEntries(started.query)).toMatchObject({
			container: 'machine',
			stdin: 'true',
			stdout: 'true',
			stderr: 'true',
			tty: 'false'
		});
		expect(started.query.getAll('command')).toEqual(['sh', '-c', expect.any(String), 'sh', String(words.length)]);
		const asking = new URL(offers[0]?.url ?? '', 'http://cluster').searchParams;
		expect([asking.getAll('command'), asking.get('tty')]).toEqual([['true'], 'false']);
		expect(offers.map(({ url }) => url.replace(/\?.*/, ''))).toEqual(
			Array(2).fill('/api/v1/namespaces/machines/pods/one/exec')
		);
		expect(offers.map(({ protocols, authorization }) => [protocols, authorization])).toEqual([
			[`${V5},${V4}`, 'Bearer word'],
			[V5, 'Bearer word']
		]);
		// The last message signals the end of the input.
		await expect.poll(() => started.messages.at(-1)).toEqual(Buffer.from([255, 0]));
		expect(started.got(0)).toBe(`${words}input`);
		const exited = inTime(new Promise((resolve) => process.once('exit', resolve)), 'the exit of the program');
		const outputs = Promise.all([textOf(process.stdout), textOf(process.stderr)]);
		started.send(1, 'out');
		started.send(2, 'err');
		started.send(1, '');
		started.send(255, Buffer.from([1]));
		await started.isTaken();
		started.end(failed(3));
		expect([await outputs, await exited]).toEqual([['out', 'err'], 3]);
		expect(process.stdin.destroyed).toBe(true);
	});

	it('asks for the version of the protocol once', async () => {
		const { channel, program, offers } = await start();
		for (const index of [0, 1]) {
			const end = ending(channel.open(['true']));
			(await program(index)).end(SUCCESS);
			expect(await end).toEqual({ code: 0, errors: [] });
		}
		expect(offers).toHaveLength(3);
	});

	it('gets its input in pieces from a server that cannot say where it ends', async () => {
		const { channel, program, offers } = await start({ versions: [V4] });
		const process = channel.open(['cat']);
		process.stdin.end('input');
		const started = await program();
		await expect.poll(() => started.got(0)).toBe("exec 'cat'5\ninput0\n");
		expect(offers.at(-1)?.protocols).toBe(V4);
		expect(started.got(255)).toBe('');
		started.end(SUCCESS);
	});

	it('gets a large input in messages of 32 KB', async () => {
		const { channel, program } = await start();
		const process = channel.open(['cat']);
		const bytes = Buffer.from(new Uint8Array(98_304).map((_, index) => index % 251));
		process.stdin.end(bytes);
		const { messages } = await program();
		await expect.poll(() => messages.at(-1)?.[0]).toBe(255);
		const input = messages.filter(([channelOf]) => channelOf === 0).map((message) => message.subarray(1));
		expect(Buffer.concat(input).subarray("exec 'cat'".length).equals(bytes)).toBe(true);
		const lengths = input.map(({ length }) => length);
		expect([Math.max(...lengths), Math.min(...lengths) > 0]).toEqual([32_768, true]);
	});

	it('waits while its output is not read, and loses nothing', async () => {
		const { channel, program } = await start();
		const process = channel.open(['yes']);
		process.stderr.resume();
		const started = await program();
		const total = 64;
		for (let count = 0; count < total; count += 1) started.send(1, Buffer.alloc(2 ** 18, count));
		started.end(SUCCESS);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(started.socket.bufferedAmount).toBeGreaterThan(0);
		let bytes = 0;
		for await (const chunk of process.stdout) bytes += (chunk as Buffer).length;
		expect(bytes).toBe(total * 2 ** 18);
	});

	it('goes on where its output is of no interest any more', async () => {
		const { channel, program } = await start();
		const process = channel.open(['yes']);
		const exited = inTime(new Promise((resolve) => process.once('exit', resolve)), 'the exit of the program');
		const started = await program();
		const block = Buffer.alloc(2 ** 18);
		for (let count = 0; count < 64; count += 1) started.send(1, block);
		// It is not read any further once the buffers on the way are full.
		await expect.poll(() => process.stdout.readableLength).toBeGreaterThan(0);
		process.stdout.destroy();
		await started.isTaken();
		started.send(1, block);
		started.end(failed(2));
		expect(await exited).toBe(2);
	});

	it('is not taken for lost while its output is not read', async () => {
		vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
		const { channel, program } = await start({ heartbeatMs: 1_000 });
		const process = channel.open(['yes']);
		process.stderr.resume();
		const closed = inTime(new Promise((resolve) => process.once('close', resolve)), 'the end of the program');
		const started = await program();
		started.send(1, Buffer.alloc(2 ** 18));
		await expect.poll(() => process.stdout.readableLength).toBeGreaterThan(0);
		vi.advanceTimersByTime(10_000);
		process.stdout.resume();
		await started.isTaken();
		started.end(SUCCESS);
		expect(await closed).toBe(0);
	});

	it('that is killed has no code, before it runs and while it does', async () => {
		for (const isEarly of [true, false]) {
			const { channel, program } = await start();
			const process = channel.open(['sleep', '9']);
			const end = ending(process);
			if (!isEarly) await program();
			expect(process.kill()).toBe(true);
			expect(await end).toEqual({ code: null, errors: [] });
		}
	});

	it.each<[what: string, act: (started: Started) => void]>([
		['goes away', ({ socket }) => socket.terminate()],
		['closes without a word', ({ socket }) => socket.close()],
		['names a channel that is none', (started) => started.send(9, 'x')],
		['sends input', (started) => started.send(0, 'x')],
		['sends more than 4 MB at once', (started) => started.send(1, Buffer.alloc(4_194_304))]
	])('is lost where its server %s', async (_what, act) => {
		const { channel, program } = await start();
		const end = ending(channel.open(['true']));
		act(await program());
		expect(await end).toEqual({ code: 127, errors: ['The connection to the pod was lost.'] });
	});

	it('that fails ends also where its errors are of no interest', async () => {
		const { channel, program } = await start();
		const process = channel.open(['none']);
		const closed = new Promise((resolve) => process.once('close', resolve));
		(await program()).socket.terminate();
		expect(await inTime(closed, 'the end of the program')).toBe(127);
	});

	it('ends with the reason of its server where it could not run', async () => {
		const { channel, program } = await start();
		const end = ending(channel.open(['none']));
		(await program()).end('{"status":"Failure","reason":"InternalError","message":"no such program"}');
		expect(await end).toEqual({ code: 127, errors: ['Kubernetes could not run the command: no such program'] });
	});

	it('reads no endless word of how it ended', async () => {
		const { channel, program } = await start();
		const end = ending(channel.open(['true']));
		const started = await program();
		const message = 'x'.repeat(90_000);
		started.send(3, `{"status":"Failure","message":"${message}"`);
		started.send(3, ' '.repeat(262_144 - message.length - 32));
		started.send(3, '}}');
		// The data before it is not JSON.
		expect((await end).errors).toEqual(['Kubernetes did not say how the command ended.']);
	});

	it('may have a long word of how it ended, and an empty one before', async () => {
		const { channel, program } = await start();
		const end = ending(channel.open(['true']));
		const started = await program();
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		started.send(3, '');
		await started.isTaken();
		expect(vi.getTimerCount()).toBe(0);
		vi.useRealTimers();
		started.end(SUCCESS.padEnd(262_144));
		expect(await end).toEqual({ code: 0, errors: [] });
	});

	it('is over some seconds after its server said how it ended, closed or not', async () => {
		const { channel, program } = await start();
		const end = ending(channel.open(['true']));
		const started = await program();
		vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
		started.send(3, SUCCESS);
		await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
		vi.advanceTimersByTime(4_999);
		expect(started.socket.readyState).toBe(started.socket.OPEN);
		vi.advanceTimersByTime(1);
		expect(await end).toEqual({ code: 0, errors: [] });
	});

	it('is lost where its server gives no sign of life, and is not where it does', async () => {
		const silent = await start({ heartbeatMs: 20, autoPong: false });
		const lost = ending(silent.channel.open(['sleep', '9']));
		expect(await lost).toEqual({ code: 127, errors: ['The connection to the pod was lost.'] });
		const { channel, program } = await start({ heartbeatMs: 20 });
		const end = ending(channel.open(['sleep', '9']));
		const started = await program();
		let pings = 0;
		started.socket.on('ping', () => (pings += 1));
		await expect.poll(() => pings).toBeGreaterThan(3);
		started.end(SUCCESS);
		expect(await end).toEqual({ code: 0, errors: [] });
	});

	it('asks for the version again where its server could not be reached', async () => {
		const { channel, server, program } = await start();
		const [listener] = server.listeners('upgrade') as ((...args: unknown[]) => void)[];
		server.removeAllListeners('upgrade');
		server.once('upgrade', (_request, socket) => socket.destroy());
		const refusing = ending(channel.open(['true']));
		expect((await refusing).errors).toEqual([expect.stringMatching(/^Kubernetes/)]);
		if (listener) server.on('upgrade', listener);
		const end = ending(channel.open(['true']));
		(await program()).end(SUCCESS);
		expect(await end).toEqual({ code: 0, errors: [] });
	});
});

describe('a program that a server does not start', () => {
	const open = (server: http.RequestListener) => {
		const created = http.createServer(server);
		const refused = new Promise<unknown>((resolve) =>
			created.listen(0, '127.0.0.1', () => {
				onTestFinished(() => {
					created.close();
					created.closeAllConnections();
				});
				const { port } = created.address() as AddressInfo;
				const cluster = { server: `http://127.0.0.1:${port}`, namespace: 'n', tls: {}, token: () => undefined };
				const request = { ...TARGET, argv: ['true'], isTerminal: false, protocols: [V5] } as const;
				openExec(new KubernetesApi(cluster), request).catch(resolve);
			})
		);
		return inTime(refused, 'the refusal of the program');
	};

	it('has the reason of its server', async () => {
		expect(
			await open((_request, response) => response.writeHead(403).end('{"message":"pods is forbidden"}'))
		).toMatchObject({ name: 'KubernetesError', code: 403, message: 'Kubernetes answered 403: pods is forbidden' });
	});

	it('has no endless reason', async () => {
		const long = (length: number): http.RequestListener => {
			return (_request, response) => response.writeHead(500).end(`{"message":"${'x'.repeat(length - 14)}"}`);
		};
		expect(await open(long(65_536))).toMatchObject({ message: expect.stringMatching(/^Kubernetes answered 500: x+$/) });
		expect(await open(long(65_537))).toMatchObject({ code: 500, message: 'Kubernetes answered 500: no reason given' });
	});
});

describe('a terminal in a pod', () => {
	const SIZE = { columns: 80, rows: 24 };

	it('has one output, a size, an input and a code', async () => {
		const { channel, program } = await start();
		const terminal = openTerminal(channel, ['sh', '-l'], SIZE);
		const output = textOf(terminal.output);
		const started = await program();
		expect(started.query.getAll('command')).toEqual(['sh', '-l']);
		expect(Object.fromEntries(started.query)).toMatchObject({
			stdin: 'true',
			stdout: 'true',
			stderr: 'false',
			tty: 'true'
		});
		terminal.input.write('typed');
		await expect.poll(() => started.got(0)).toBe('typed');
		terminal.resize({ columns: 100, rows: 50 });
		await expect.poll(() => started.got(4)).toBe('{"Width":80,"Height":24}{"Width":100,"Height":50}');
		started.send(1, 'shown');
		started.end(failed(5));
		expect([await exitOf(terminal), await output]).toEqual([5, 'shown']);
		expect(terminal.input.destroyed).toBe(true);
		// Without a client, a new size has no effect.
		terminal.resize(SIZE);
	});

	it('lets go of its input where its connection is lost', async () => {
		const { channel, program } = await start();
		const terminal = openTerminal(channel, ['sh'], SIZE);
		terminal.output.resume();
		(await program()).socket.terminate();
		expect(await exitOf(terminal)).toBe(127);
		terminal.input.write('typed');
		await expect.poll(() => terminal.input.destroyed).toBe(true);
	});

	it('has no second output', async () => {
		const { channel, program } = await start();
		const terminal = openTerminal(channel, ['sh'], SIZE);
		const output = textOf(terminal.output);
		(await program()).send(2, 'x');
		expect([await exitOf(terminal), await output]).toEqual([127, '\r\nThe connection to the pod was lost.\r\n']);
	});

	it('that is closed ends by a hangup and shows nothing, before it runs and while it does', async () => {
		for (const isEarly of [true, false]) {
			const { channel, program } = await start();
			const terminal = openTerminal(channel, ['sh'], SIZE);
			const output = textOf(terminal.output);
			if (!isEarly) await program();
			terminal.close();
			expect([await exitOf(terminal), await output]).toEqual([129, '']);
		}
	});
});
