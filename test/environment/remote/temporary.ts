import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { LinkAcceptor } from '#environment/remote/accept.ts';
import { channelPair, type Channel } from '#environment/remote/channel.ts';
import { RemoteExecutionEnvironment } from '#environment/remote/environment.ts';
import { EnvironmentHost } from '#environment/remote/host.ts';
import { hostTerminals } from '#server/machines/host-terminal.ts';
import { webSocketChannel } from '#environment/remote/web-socket-channel.ts';

/** A machine in this process: its folder, and the acceptor that serves it. */
export interface Machine {
	directory: string;
	acceptor: LinkAcceptor;
	/** The environment on the machine's side. */
	there: ExecutionEnvironment | undefined;
	dispose(): Promise<void>;
}

export async function createMachine(patienceMs?: number): Promise<Machine> {
	const directory = await mkdtemp(join(tmpdir(), 'sandglass-machine-'));
	const acceptor = new LinkAcceptor({
		...(patienceMs === undefined ? {} : { patienceMs }),
		open: async (_id, link) => {
			const there = new LocalExecutionEnvironment({
				workingDirectory: join(directory, 'workspace'),
				home: join(directory, 'home'),
				diagnosticsScript: null,
				servers: true,
				terminals: { open: await hostTerminals(), notice: '' }
			});
			await there.initialize();
			machine.there = there;
			return new EnvironmentHost(there, link);
		}
	});
	const machine: Machine = {
		directory,
		acceptor,
		there: undefined,
		dispose: async () => {
			await acceptor.close();
			await rm(directory, { recursive: true, force: true });
		}
	};
	return machine;
}

/** Connects to a machine over pairs of channels. `onChannel` receives each one, to break it. */
export function connectPair(machine: Machine, onChannel?: (channel: Channel) => void): () => Promise<Channel> {
	return async () => {
		const [near, far] = channelPair();
		machine.acceptor.accept(far);
		onChannel?.(near);
		return near;
	};
}

/** Serves a machine over WebSockets on a port of this computer. */
export async function listenOn(machine: Machine): Promise<{ url: string; close(): void }> {
	const server = createServer();
	const sockets = new WebSocketServer({ server });
	sockets.on('connection', (socket) => machine.acceptor.accept(webSocketChannel(socket)));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `ws://127.0.0.1:${port}/`,
		close: () => {
			for (const client of sockets.clients) client.terminate();
			server.close();
		}
	};
}

export async function overPair(machine: Machine): Promise<RemoteExecutionEnvironment> {
	const environment = new RemoteExecutionEnvironment({ connect: connectPair(machine) });
	await environment.initialize();
	return environment;
}

export async function overWebSocket(url: string): Promise<RemoteExecutionEnvironment> {
	const environment = new RemoteExecutionEnvironment({ connect: () => connectSocket(url) });
	await environment.initialize();
	return environment;
}

/** Opens a channel as a page does; Node 20 has no WebSocket. */
function connectSocket(url: string): Promise<Channel> {
	return new Promise((resolve, reject) => {
		const socket = new WebSocket(url);
		socket.once('open', () => resolve(webSocketChannel(socket)));
		socket.once('error', reject);
	});
}
