import type { LocalServers } from '../contract.ts';

/** A port that a program on the machine listens on. */
export type ListeningPort = LocalServers['ports'][number];

/** Both directions of a connection to a server. */
export interface ByteStream {
	/** Next bytes; empty at the end. Only one read may be pending at a time. */
	read(): Promise<Uint8Array>;
	/** Resolves when the bytes have been accepted. Rejects if the connection is closed. */
	write(bytes: Uint8Array): Promise<void>;
	close(): void;
}

/** Servers that run on a machine, as byte streams: HTTP and WebSocket are up to the caller. */
export interface MachineServers {
	/** Ports of the session's own programs, lowest first. */
	readonly ports: readonly ListeningPort[];
	/** Called whenever a port opens or closes. Returns the unsubscriber. */
	onPorts(listener: () => void): () => void;
	/** Updates the listening ports; takes at most a second. Never rejects. */
	refresh(): Promise<void>;
	/** @throws EnvironmentError `ECONNREFUSED` if none of the session's programs listens there */
	connect(port: number): Promise<ByteStream>;
}

/** Part of an environment whose ports can be reached. */
export interface WithServers {
	readonly servers?: MachineServers | undefined;
}

/** Returns the servers of an environment; `undefined` if its ports cannot be reached. */
export function serversOf(environment: object): MachineServers | undefined {
	return 'servers' in environment ? (environment as WithServers).servers : undefined;
}
