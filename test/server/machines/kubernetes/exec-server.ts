import { spawn } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { ConfinedPod } from './confined-pod.ts';

const [STDIN, STDOUT, STDERR, ERROR, RESIZE, CLOSE] = [0, 1, 2, 3, 4, 255];
const size = z.strictObject({ Width: z.number().int(), Height: z.number().int() });

export interface ExecServer {
	/** Answers the upgrade of a request for this pod. */
	accept(request: IncomingMessage, socket: Duplex, head: Buffer, pod: ConfinedPod): void;
	/** Open connections. */
	readonly sockets: ReadonlySet<WebSocket>;
	/** Negotiated versions, in order. */
	readonly chosen: string[];
	close(): void;
}

/** Implements the exec protocol like an API server, over real processes. @param versions supported versions */
export function execServer(versions: readonly string[]): ExecServer {
	const chosen: string[] = [];
	const server = new WebSocketServer({
		noServer: true,
		handleProtocols: (offered) => {
			const found = versions.find((version) => offered.has(version)) ?? false;
			if (found) chosen.push(found);
			return found;
		}
	});
	return {
		sockets: server.clients,
		chosen,
		accept: (request, socket, head, pod) =>
			server.handleUpgrade(request, socket, head, (opened) => {
				const { searchParams } = new URL(request.url ?? '', 'http://stand-in');
				const argv = searchParams.getAll('command');
				if (searchParams.get('tty') === 'true') runOnTerminal(opened, pod, argv);
				else runOnPipes(opened, pod, argv);
			}),
		close: () => {
			for (const client of server.clients) client.terminate();
			server.close();
		}
	};
}

const sendTo = (socket: WebSocket, channel: number, data: Buffer | string, sent?: () => void): void =>
	socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]), () => sent?.());

/** Reports how a program ended, and closes the connection. */
function report(socket: WebSocket, code: number): void {
	const failure = {
		metadata: {},
		status: 'Failure',
		message: `command terminated with non-zero exit code: exit status ${code}`,
		reason: 'NonZeroExitCode',
		details: { causes: [{ reason: 'ExitCode', message: String(code) }] }
	};
	sendTo(socket, ERROR, JSON.stringify(code === 0 ? { metadata: {}, status: 'Success' } : failure));
	socket.close(1000);
}

function runOnPipes(socket: WebSocket, pod: ConfinedPod, argv: string[]): void {
	const [program = '', ...args] = pod.words(argv, false);
	const child = spawn(program, args, { stdio: 'pipe' });
	const end = (): void => void child.kill('SIGKILL');
	pod.carriers.add(end);
	child.stdin.on('error', () => undefined);
	child.stdin.once('close', () => socket.resume());
	for (const [channel, output] of [
		[STDOUT, child.stdout],
		[STDERR, child.stderr]
	] as const)
		output.on('data', (data: Buffer) => {
			output.pause();
			sendTo(socket, channel, data, () => output.resume());
		});
	socket.on('message', (message: Buffer) => {
		const bytes = message.subarray(1);
		if (message[0] === STDIN && child.stdin.writable) {
			if (child.stdin.write(bytes)) return;
			socket.pause();
			child.stdin.once('drain', () => socket.resume());
		}
		// Only the newer version has this channel.
		else if (message[0] === CLOSE && bytes[0] === STDIN && socket.protocol.startsWith('v5')) child.stdin.end();
		else if (message[0] !== STDIN) socket.close(1002);
	});
	socket.on('close', () => child.stdin.destroy());
	child.once('close', (code) => {
		pod.carriers.delete(end);
		report(socket, code ?? 137);
	});
}

function runOnTerminal(socket: WebSocket, pod: ConfinedPod, argv: string[]): void {
	const [program = '', ...args] = pod.words(argv, true);
	const device = spawnOnTerminal(program, args, { cols: 1, rows: 1, encoding: null });
	let hasEnded = false;
	const end = (): void => device.kill('SIGKILL');
	pod.carriers.add(end);
	device.onData((data) => sendTo(socket, STDOUT, Buffer.from(data)));
	device.onExit(({ exitCode }) => {
		hasEnded = true;
		pod.carriers.delete(end);
		report(socket, exitCode);
	});
	socket.on('message', (message: Buffer) => {
		const bytes = message.subarray(1);
		if (hasEnded) return;
		if (message[0] === STDIN) device.write(bytes.toString());
		else if (message[0] === RESIZE) {
			const { Width, Height } = size.parse(JSON.parse(bytes.toString()));
			device.resize(Width, Height);
		}
	});
	socket.on('close', () => {
		if (!hasEnded) device.kill('SIGHUP');
	});
}
