import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { abortSignal, functionValue } from '../../runtime/validate.ts';

/** `dns.lookup`, or a resolver of the program with its signature. */
export type Lookup = (
	host: string,
	family: 4 | 6,
	done: (error: Error | null, address: string, family: number) => void
) => void;

export interface SocketOptions {
	type: 'udp4' | 'udp6';
	reuseAddr?: boolean;
	reusePort?: boolean;
	ipv6Only?: boolean;
	recvBufferSize?: number;
	sendBufferSize?: number;
	lookup?: Lookup;
	signal?: AbortSignal;
}

/**
 * Parses `createSocket(type | options)`.
 * @throws ERR_SOCKET_BAD_TYPE, ERR_INVALID_ARG_TYPE
 */
export function socketOptions(given: unknown): SocketOptions {
	const options = (typeof given === 'object' && given !== null ? given : { type: given }) as SocketOptions;
	const { type, lookup, signal, recvBufferSize, sendBufferSize } = options;
	if (lookup !== undefined) functionValue(lookup, 'lookup');
	if (type !== 'udp4' && type !== 'udp6') {
		const words = 'Bad socket type specified. Valid types are: udp4, udp6';
		throw nodeError(TypeError, 'ERR_SOCKET_BAD_TYPE', words);
	}
	for (const [name, size] of Object.entries({ recvBufferSize, sendBufferSize })) {
		if (size && typeof size !== 'number') throw invalidArgument(`options.${name}`, 'of type number', size);
	}
	if (signal !== undefined) abortSignal(signal, 'options.signal');
	return options;
}

/** Converts a port of another socket. @throws RangeError `ERR_SOCKET_BAD_PORT` */
export function remotePort(value: unknown): number {
	const isText = typeof value === 'string' && value.trim() !== '';
	const port = isText || typeof value === 'number' ? Number(value) : Number.NaN;
	if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
	const shown =
		typeof value === 'object' || value === undefined ? String(value) : `type ${typeof value} (${shownValue(value)})`;
	throw nodeError(RangeError, 'ERR_SOCKET_BAD_PORT', `Port should be > 0 and < 65536. Received ${shown}.`);
}

const shownValue = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value));

const BYTES = 'of type string or an instance of Buffer, TypedArray, or DataView';

function bytesOf(value: unknown): Buffer | null {
	if (typeof value === 'string') return Buffer.from(value);
	return ArrayBuffer.isView(value) ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : null;
}

/** Contents of a datagram: one value, or several that are joined. @throws ERR_INVALID_ARG_TYPE */
function messageOf(given: unknown): Buffer {
	if (Array.isArray(given)) {
		const parts = given.map(bytesOf);
		if (parts.some((part) => part === null)) throw invalidArgument('buffer list arguments', BYTES, given);
		return Buffer.concat(parts as Buffer[]);
	}
	const bytes = bytesOf(given);
	if (!bytes) throw invalidArgument('buffer', BYTES, given);
	return bytes;
}

/** Part of the contents. @throws ERR_INVALID_ARG_TYPE, ERR_BUFFER_OUT_OF_BOUNDS */
function partOf(given: unknown, offset: unknown, length: unknown): Buffer {
	const bytes = bytesOf(given);
	if (!bytes) throw invalidArgument('buffer', BYTES, given);
	const [from, size] = [Number(offset) >>> 0, Number(length) >>> 0];
	for (const [name, end] of [
		['offset', from],
		['length', from + size]
	] as const) {
		if (end > bytes.length)
			throw nodeError(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', `"${name}" is outside of buffer bounds`);
	}
	return bytes.subarray(from, from + size);
}

export type Sent = (error: Error | null, count?: number) => void;

export interface SendArguments {
	message: Buffer;
	/** Null for a connected socket. */
	port: number | null;
	address: string | undefined;
	done: Sent | undefined;
}

/**
 * Parses `send(message, offset?, length?, port?, address?, callback?)`.
 * @throws ERR_INVALID_ARG_TYPE, ERR_SOCKET_BAD_PORT, ERR_BUFFER_OUT_OF_BOUNDS, ERR_SOCKET_DGRAM_IS_CONNECTED
 */
export function sendArguments(args: unknown[], isConnected: boolean): SendArguments {
	const [given, second, third, fourth, fifth, sixth] = args;
	if (isConnected) return connectedArguments(args);
	const hasPart = Boolean(fifth || (fourth && typeof fourth !== 'function'));
	const message = hasPart ? partOf(given, second, third) : messageOf(given);
	const [port] = hasPart ? [fourth] : [second];
	let [address, done] = hasPart ? [fifth, sixth] : [third, fourth];
	const to = remotePort(port);
	if (typeof address === 'function') [address, done] = [undefined, address];
	else if (address !== undefined && address !== null && typeof address !== 'string')
		throw invalidArgument('address', 'of type string', address);
	return {
		message,
		port: to,
		address: typeof address === 'string' ? address : undefined,
		done: typeof done === 'function' ? (done as Sent) : undefined
	};
}

/** The same for a connected socket: `send(message, offset?, length?, callback?)`. */
function connectedArguments([given, second, third, fourth, fifth]: unknown[]): SendArguments {
	const hasPart = typeof third === 'number';
	const part = hasPart ? partOf(given, second, third) : null;
	const done = hasPart ? fourth : second;
	const port = hasPart && typeof fourth === 'function' ? undefined : fourth;
	if (port || fifth) throw alreadyConnected();
	return {
		message: part ?? messageOf(given),
		port: null,
		address: undefined,
		done: typeof done === 'function' ? (done as Sent) : undefined
	};
}

export const alreadyConnected = () => nodeError(Error, 'ERR_SOCKET_DGRAM_IS_CONNECTED', 'Already connected');
