import { readdir, readFile, readlink } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { EnvironmentError } from '../errors.ts';
import { PortWatch } from '../remote/port-watch.ts';
import type { ByteStream, ListeningPort, MachineServers } from '../remote/servers.ts';
import { duplexStream } from './duplex-stream.ts';
import { parseListening } from './listening-sockets.ts';

const LOOK_MS = 500;

/**
 * Servers that programs of one environment run on this machine: only processes that have its variable, so that other
 * servers on the user's computer are neither shown nor reachable. Linux only: on other systems there are none.
 */
export class LocalServerPorts implements MachineServers {
	readonly #watch = new PortWatch(() => this.#look(), LOOK_MS);
	#sockets = '';
	#found: readonly ListeningPort[] = [];

	/** @param mark variable of the environment's commands, as `NAME=value` */
	constructor(private readonly mark: string) {}

	get ports(): readonly ListeningPort[] {
		return this.#watch.ports;
	}

	onPorts(listener: () => void): () => void {
		return this.#watch.onPorts(listener);
	}

	refresh(): Promise<void> {
		return this.#watch.refreshSoon();
	}

	async connect(port: number): Promise<ByteStream> {
		await this.#watch.refresh();
		if (!this.ports.some((each) => each.port === port)) throw refused(port);
		const socket = (await open(port, '127.0.0.1')) ?? (await open(port, '::1'));
		if (!socket) throw refused(port);
		return duplexStream(socket);
	}

	stop(): void {
		this.#watch.stop();
	}

	async #look(): Promise<readonly ListeningPort[]> {
		const texts = await Promise.all(
			['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => ''))
		);
		const sockets = texts.flatMap(parseListening);
		const key = sockets.map(({ inode }) => inode).join();
		if (key === this.#sockets) return this.#found;
		this.#found = await this.#owned(new Map(sockets.map(({ inode, port }) => [`socket:[${inode}]`, port])));
		this.#sockets = key;
		return this.#found;
	}

	/** @param ports ports by the names of their sockets in `/proc/…/fd` */
	async #owned(ports: ReadonlyMap<string, number>): Promise<ListeningPort[]> {
		const found: ListeningPort[] = [];
		for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
			// Other users' processes are unreadable, and never belong to the environment.
			const variables = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
			if (!variables.split('\0').includes(this.mark)) continue;
			const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0').join(' ').trim();
			for (const file of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
				const port = ports.get(await readlink(`/proc/${pid}/fd/${file}`).catch(() => ''));
				if (port !== undefined) found.push({ port, pid: Number(pid), command: command.slice(0, 1_000) });
			}
		}
		return found;
	}
}

function open(port: number, host: string): Promise<Socket | undefined> {
	return new Promise((resolve) => {
		const socket = connect({ port, host, noDelay: true, allowHalfOpen: true });
		socket.once('connect', () => resolve(socket));
		socket.once('error', () => resolve(undefined));
	});
}

const refused = (port: number): EnvironmentError =>
	new EnvironmentError('ECONNREFUSED', `No program of this session listens on port ${port}.`);
