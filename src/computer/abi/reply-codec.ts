import { SyscallError } from './client.ts';
import type { WireStat } from './syscalls.ts';
import { ReplyKind } from './wire.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface EncodedReply {
	kind: number;
	bytes: Uint8Array;
}

const NOTHING: EncodedReply = { kind: ReplyKind.nothing, bytes: new Uint8Array(0) };
const NULL: EncodedReply = { kind: ReplyKind.null, bytes: new Uint8Array(0) };
const STAT_NUMBERS = 9;
const KINDS = ['file', 'directory', 'symlink', 'fifo', 'socket'] as const;

/** Encodes a result into bytes. A record may contain `Uint8Array`s as direct properties, not deeper. */
export function encodeReply(value: unknown): EncodedReply {
	if (value === undefined) return NOTHING;
	if (value === null) return NULL;
	if (value instanceof Uint8Array) return { kind: ReplyKind.bytes, bytes: value };
	if (isStat(value)) return { kind: ReplyKind.stat, bytes: encodeStat(value) };
	if (typeof value === 'object' && Object.values(value).some((part) => part instanceof Uint8Array)) {
		return { kind: ReplyKind.record, bytes: encodeRecord(value) };
	}
	return { kind: ReplyKind.json, bytes: encoder.encode(JSON.stringify(value)) };
}

export function encodeError(error: unknown): EncodedReply {
	const { code, message, path } = describeError(error);
	return { kind: ReplyKind.error, bytes: encoder.encode(JSON.stringify({ code, message, path })) };
}

/** Describes a failure for a process. An error other than a `SyscallError` is a bug of the kernel: `EIO`. */
export function describeError(error: unknown): { code: string; message: string; path?: string } {
	if (error instanceof SyscallError) return { code: error.code, message: error.message, path: error.path };
	return { code: 'EIO', message: error instanceof Error ? error.message : String(error) };
}

/**
 * Inverse of {@link encodeReply}; byte arrays of a record are views of one buffer.
 * @throws SyscallError for an error reply
 */
export function decodeReply({ kind, bytes }: EncodedReply): unknown {
	if (kind === ReplyKind.nothing) return undefined;
	if (kind === ReplyKind.null) return null;
	if (kind === ReplyKind.bytes) return bytes;
	if (kind === ReplyKind.stat) return decodeStat(bytes);
	if (kind === ReplyKind.record) return decodeRecord(bytes);
	const value: unknown = JSON.parse(decoder.decode(bytes));
	if (kind === ReplyKind.json) return value;
	const { code, message, path } = value as { code: string; message: string; path?: string };
	throw new SyscallError(code, message, path);
}

/** Only results of `stat` have an inode. */
const isStat = (value: unknown): value is WireStat =>
	typeof value === 'object' && value !== null && 'inode' in value && 'links' in value && 'modifiedMs' in value;

/** Encodes the most common reply as {@link STAT_NUMBERS} numbers. */
function encodeStat({
	kind,
	size,
	mode,
	modifiedMs,
	accessedMs,
	changedMs,
	device,
	inode,
	links
}: WireStat): Uint8Array {
	const numbers = [KINDS.indexOf(kind), size, mode, modifiedMs, inode, links, accessedMs, changedMs, device];
	return new Uint8Array(Float64Array.from(numbers).buffer);
}

function decodeStat(bytes: Uint8Array): WireStat {
	const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, STAT_NUMBERS);
	const [kind = 0, size = 0, mode = 0, modifiedMs = 0, inode = 0, links = 0, ...more] = numbers;
	const [accessedMs = 0, changedMs = 0, device = 0] = more;
	return { kind: KINDS[kind] ?? 'file', size, mode, modifiedMs, accessedMs, changedMs, device, inode, links };
}

/** Encodes the 32-bit length of the JSON part, the JSON, then each of the byte arrays it names. */
function encodeRecord(value: object): Uint8Array {
	const plain: [string, unknown][] = [];
	const lengths: [string, number][] = [];
	const parts: Uint8Array[] = [];
	for (const [name, part] of Object.entries(value)) {
		if (part instanceof Uint8Array) {
			lengths.push([name, part.length]);
			parts.push(part);
		} else plain.push([name, part]);
	}
	const head = encoder.encode(JSON.stringify({ plain: Object.fromEntries(plain), lengths }));
	const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 4 + head.length));
	new DataView(bytes.buffer).setUint32(0, head.length, true);
	bytes.set(head, 4);
	let at = 4 + head.length;
	for (const part of parts) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

function decodeRecord(bytes: Uint8Array): unknown {
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
	const { plain, lengths } = JSON.parse(decoder.decode(bytes.subarray(4, 4 + length))) as {
		plain: Record<string, unknown>;
		lengths: [string, number][];
	};
	let at = 4 + length;
	const parts = lengths.map(([name, size]): [string, Uint8Array] => {
		at += size;
		return [name, bytes.subarray(at - size, at)];
	});
	// Names may be file names, including `__proto__`: no plain assignment.
	return Object.fromEntries([...Object.entries(plain), ...parts]);
}
