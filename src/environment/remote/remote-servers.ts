import { EnvironmentError } from '../errors.ts';
import type { RemoteCaller } from './connection.ts';
import type { ByteStream, ListeningPort, MachineServers } from './servers.ts';

/** Servers on the machine, reached over the connection to it. */
export class RemoteServers implements MachineServers {
	#ports: readonly ListeningPort[] = [];
	readonly #listeners = new Set<() => void>();

	/** @param call resolves with the call's id too, by which a connection is known over there */
	constructor(private readonly call: (port: number) => Promise<{ id: number; caller: RemoteCaller }>) {}

	get ports(): readonly ListeningPort[] {
		return this.#ports;
	}

	onPorts(listener: () => void): () => void {
		const own = (): void => listener();
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	/** The machine reports its ports by itself. */
	async refresh(): Promise<void> {}

	async connect(port: number): Promise<ByteStream> {
		const { id, caller } = await this.call(port);
		return new RemoteStream(id, caller);
	}

	/** The machine's word on which ports listen. */
	update(ports: readonly ListeningPort[]): void {
		this.#ports = ports;
		for (const listener of this.#listeners) listener();
	}
}

/** A connection over there. Reads ask for the next bytes, so that a slow reader here slows the server there. */
class RemoteStream implements ByteStream {
	#isClosed = false;

	constructor(
		private readonly of: number,
		private readonly call: RemoteCaller
	) {}

	async read(): Promise<Uint8Array> {
		if (this.#isClosed) return new Uint8Array();
		const { bytes } = await this.call('streamRead', { of: this.of });
		return bytes.slice();
	}

	async write(bytes: Uint8Array): Promise<void> {
		if (this.#isClosed) throw new EnvironmentError('EPIPE', 'The connection is closed.');
		await this.call('streamWrite', { of: this.of }, { bytes });
	}

	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		// A machine that is gone has closed it too.
		this.call('streamClose', { of: this.of }).catch(() => undefined);
	}
}
