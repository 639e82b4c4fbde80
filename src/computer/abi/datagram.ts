/** Datagram with the address of its sender. */
export interface Datagram {
	address: string;
	port: number;
	bytes: Uint8Array;
}

/** Largest contents of a datagram: 64 KiB without the headers of IP and UDP. */
export const DATAGRAM_BYTES = { 4: 65_507, 6: 65_527 } as const;

/** Bytes before the address: the port and the length of the address. */
const PREFIX_BYTES = 3;

/** Packs a datagram into the one array that a call returns. */
export function packDatagram({ address, port, bytes }: Datagram): Uint8Array {
	const name = new TextEncoder().encode(address);
	const packed = new Uint8Array(PREFIX_BYTES + name.length + bytes.length);
	packed.set([port >> 8, port & 0xff, name.length]);
	packed.set(name, PREFIX_BYTES);
	packed.set(bytes, PREFIX_BYTES + name.length);
	return packed;
}

export function unpackDatagram(packed: Uint8Array): Datagram {
	const [high = 0, low = 0, length = 0] = packed;
	const start = PREFIX_BYTES + length;
	const address = new TextDecoder().decode(packed.slice(PREFIX_BYTES, start));
	return { address, port: high * 256 + low, bytes: packed.subarray(start) };
}
