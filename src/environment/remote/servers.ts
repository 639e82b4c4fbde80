import type { LocalServers } from '../contract.ts';

/** A port that a program of the machine listens on. */
export type ListeningPort = LocalServers['ports'][number];

/** Both directions of one connection to a server. */
export interface ByteStream {
	/** The next bytes; empty at the end. Only one read waits at a time. */
	read(): Promise<Uint8Array>;
	/** Resolves when the bytes are taken. Rejects when the connection is closed. */
	write(bytes: Uint8Array): Promise<void>;
	close(): void;
}

/** Servers that run on a machine, as connections of bytes: HTTP and WebSocket are spoken by who asks for one. */
export interface MachineServers {
	/** Ports of the session's own programs, lowest first. */
	readonly ports: readonly ListeningPort[];
	/** Called whenever a port opens or closes. Returns the unsubscriber. */
	onPorts(listener: () => void): () => void;
	/** Looks which ports listen now, for as long as that takes at most a second. Never rejects. */
	refresh(): Promise<void>;
	/** @throws EnvironmentError `ECONNREFUSED` if none of the session's programs listens there */
	connect(port: number): Promise<ByteStream>;
}

/** Part of an environment that can be reached by its ports. */
export interface WithServers {
	readonly servers?: MachineServers | undefined;
}

/** Returns the servers of an environment; `undefined` where its ports are out of reach. */
export function serversOf(environment: object): MachineServers | undefined {
	return 'servers' in environment ? (environment as WithServers).servers : undefined;
}
