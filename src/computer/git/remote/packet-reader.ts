import { concat, decode } from '../bytes.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import { HEAD_BYTES, packetLength } from './packet.ts';

const READ_BYTES = 65_536;

/** Reads pkt-lines from a stream, one at a time. */
export class PacketReader {
	#bytes: Uint8Array = new Uint8Array(0);

	/** @param more reads the next bytes; none at the end */
	constructor(private readonly more: () => Promise<Uint8Array>) {}

	/**
	 * Bytes of the next packet, with its length. A packet of length 0 is a flush.
	 *
	 * @returns null at the end of the stream
	 * @throws GitError if there is no packet
	 */
	async next(): Promise<Uint8Array | null> {
		if (!(await this.#fill(HEAD_BYTES))) {
			if (this.#bytes.length === 0) return null;
			throw fatal('the remote end hung up unexpectedly');
		}
		const digits = decode(this.#bytes.subarray(0, HEAD_BYTES));
		const length = packetLength(digits);
		if (Number.isNaN(length)) throw fatal(`protocol error: bad line length character: ${digits}`);
		if (length > 0 && length < HEAD_BYTES) throw fatal(`protocol error: bad line length ${length}`);
		const end = Math.max(length, HEAD_BYTES);
		if (!(await this.#fill(end))) throw fatal('the remote end hung up unexpectedly');
		const packet = this.#bytes.slice(0, end);
		this.#bytes = this.#bytes.subarray(end);
		return packet;
	}

	/** The bytes that were read beyond the last packet. */
	takeRest(): Uint8Array {
		const rest = this.#bytes;
		this.#bytes = new Uint8Array(0);
		return rest;
	}

	async #fill(size: number): Promise<boolean> {
		while (this.#bytes.length < size) {
			const bytes = await this.more();
			if (bytes.length === 0) return false;
			this.#bytes = this.#bytes.length === 0 ? bytes : concat([this.#bytes, bytes]);
		}
		return true;
	}
}

/** Packets at stdin. */
export const inputPackets = ({ context: { sync } }: Invocation): PacketReader =>
	new PacketReader(() => Promise.resolve(sync.read(0, READ_BYTES)));

/** Reads packets up to the end of a section, or of the stream. */
export async function readSection(packets: PacketReader): Promise<Uint8Array[]> {
	const section: Uint8Array[] = [];
	for (let packet = await packets.next(); packet !== null && !isFlush(packet); packet = await packets.next())
		section.push(packet);
	return section;
}

/** Content of a packet as text, without its length and the end of the line. */
export const packetText = (packet: Uint8Array): string => decode(packet.subarray(HEAD_BYTES)).replace(/\n$/, '');

/** Returns whether a packet ends a section. */
export const isFlush = (packet: Uint8Array): boolean => packet.length === HEAD_BYTES;
