import type { Node } from '@jsonjoy.com/fs-core';
import { errno } from '#computer/abi/errno.ts';
import { isSocketName } from '#computer/abi/special-files.ts';
import { isSocketFile } from '#computer/volume/inode.ts';
import { lookup } from '#computer/volume/lookup.ts';
import type { Volume } from '#computer/volume/volume.ts';
import type { Process } from '../processes/process.ts';
import { Listener } from './listener.ts';
import { connectedPair, type SocketEnd } from './socket.ts';

/**
 * Sockets at files of a volume, and at names without a file. A moved file keeps its listener; when a listener is
 * closed, its file stays.
 */
export class SocketFiles {
	readonly #atFiles = new WeakMap<Node, Listener>();
	readonly #named = new Map<string, Listener>();

	constructor(private readonly volume: Volume) {}

	/** @throws EADDRINUSE if something exists there, and errors of creating a file */
	listen(process: Process, place: string): Listener {
		if (isSocketName(place)) {
			if (this.#named.has(place)) throw errno('EADDRINUSE');
			const listener = new Listener(0, process, () => this.#named.delete(place));
			this.#named.set(place, listener);
			return listener;
		}
		const node = this.volume.asUser(() => this.volume.makeSocket(place)).getNode();
		const listener = new Listener(0, process, () => this.#atFiles.delete(node));
		this.#atFiles.set(node, listener);
		return listener;
	}

	/** @returns the caller's end, not retained yet. @throws ENOENT, ECONNREFUSED */
	connect(place: string): SocketEnd {
		const listener = this.#at(place);
		if (!listener) throw errno('ECONNREFUSED', undefined, `nothing listens at ${place}`);
		const [client, server] = connectedPair(0, 0);
		listener.arrive(server);
		return client;
	}

	/** The process that listens at `place`. @throws ENOENT */
	ownerOf(place: string): Process | undefined {
		return this.#at(place)?.process;
	}

	#at(place: string): Listener | undefined {
		if (isSocketName(place)) return this.#named.get(place);
		const { link } = this.volume.asUser(() => lookup(this.volume.root, place, true));
		if (!link) throw errno('ENOENT', place);
		return isSocketFile(link) ? this.#atFiles.get(link.getNode()) : undefined;
	}
}
