import { EnvironmentError } from '../errors.ts';
import type { RemoteCaller } from './connection.ts';
import type { ByteStream, ListeningPort, MachineServers } from './servers.ts';

/** Servers on the machine, reached over the connection to it. */
export class RemoteServers implements MachineServers {
	#ports: readonly ListeningPort[] = [];
	readonly #listeners = new Set<() => void>();

	/** @param call also resolves with the call's id, which identifies the connection on the machine */
	constructor(private readonly call: (port: number) => Promise<{ id: number; caller: RemoteCaller }>) {}

	get ports(): readonly ListeningPort[] {
		return this.#ports;
	}

	onPorts(listener: () => void): () => void {
		const own = (): void => listener();
		this.#listeners.add(own);
		return () => this.#listeners.delete(own);
	}

	/** Does nothing, since the machine reports its ports unasked. */
	async refresh(): Promise<void> {}

	async connect(port: number): Promise<ByteStream> {
		const { id, caller } = await this.call(port);
		return new RemoteStream(id, caller);
	}

	/** Updates the listening ports that the machine reports. */
	update(ports: readonly ListeningPort[]): void {
		this.#ports = ports;
		for (const listener of this.#listeners) listener();
	}
}

/**
 * A connection on the machine. Each read requests the next bytes, so that a slow reader here slows down the server
 * there.
 */
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
		// If the machine is gone, the connection is closed too.
		this.call('streamClose', { of: this.of }).catch(() => undefined);
	}
}
