import type { Address } from './address.ts';

/** Address on which the servers of several processes listen. */
export interface SharedPlace {
	/** Host, or path of a socket file; null for any address. */
	address: string | null;
	/** -1 for a socket file. */
	port: number;
	/** Family as Node's messages have it; -1 for a socket file. */
	addressType: 4 | 6 | -1 | 'udp4' | 'udp6';
	/** Lets other sockets of datagrams bind the same address. */
	reuseAddr?: boolean;
	/** Leaves datagrams over IPv4 to others. */
	ipv6Only?: boolean;
}

/** Answer for a server: its own descriptor of the shared socket, or the code of the error. */
export type SharedAnswer =
	| {
			descriptor: number;
			port: number;
			/** Reports that the server is closed. */
			release(): void;
	  }
	| { code: string };

/** Server or socket that listens on a shared address. */
export interface SharedUser {
	once(event: string, listener: () => void): unknown;
	address(): Address | string | Record<string, never> | null;
	close(done: () => void): unknown;
}

/** Listening in a worker of a cluster: the primary opens each address, and the workers share it. */
export interface SharedListening {
	listen(user: SharedUser, place: SharedPlace, answered: (answer: SharedAnswer) => void): void;
}
