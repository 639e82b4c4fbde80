import type { SyscallName } from './syscalls.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const HEAD_BYTES = 4;

/** Calls with bytes inside one of their records, which only a message carries. */
const NESTED: ReadonlySet<SyscallName> = new Set(['run', 'fetch']);

/**
 * Puts a synchronous call into `memory`: 32-bit length of the JSON part, the JSON (`[name, lengths, args]`,
 * where `lengths` says which arguments are bytes), then those bytes.
 *
 * @returns how many bytes it takes; 0 where it does not fit or has to go as a message
 */
export function putRequest(memory: Uint8Array, name: SyscallName, args: readonly unknown[]): number {
	if (NESTED.has(name)) return 0;
	const lengths: [number, number][] = [];
	let plain = args;
	let size = 0;
	for (const [position, value] of args.entries()) {
		if (!(value instanceof Uint8Array)) continue;
		if (plain === args) plain = [...args];
		(plain as unknown[])[position] = null;
		lengths.push([position, value.length]);
		size += value.length;
	}
	const json = encoder.encode(JSON.stringify([name, lengths, plain]));
	let at = HEAD_BYTES + json.length;
	if (at + size > memory.length) return 0;
	for (let shift = 0; shift < HEAD_BYTES; shift++) memory[shift] = json.length >>> (8 * shift);
	memory.set(json, HEAD_BYTES);
	for (const [position, length] of lengths) {
		memory.set(args[position] as Uint8Array, at);
		at += length;
	}
	return at;
}

/**
 * The opposite of {@link putRequest}; the bytes among the arguments are arrays of their own.
 * An argument left out, or `null`, is `undefined`.
 *
 * @param bytes a copy: a process may write into the memory while its call is read
 * @returns `null` for what is no request
 */
export function readRequest(bytes: Uint8Array): { name: unknown; args: unknown[] } | null {
	const length = bytes.length < HEAD_BYTES ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getInt32(0, true);
	if (length < 0 || HEAD_BYTES + length > bytes.length) return null;
	let at = HEAD_BYTES + length;
	let parsed: unknown;
	try {
		parsed = JSON.parse(decoder.decode(bytes.subarray(HEAD_BYTES, at)));
	} catch {
		return null;
	}
	if (!Array.isArray(parsed)) return null;
	const [name, lengths, given] = parsed as unknown[];
	if (!Array.isArray(lengths) || !Array.isArray(given)) return null;
	const args = given.map((value: unknown) => value ?? undefined);
	for (const entry of lengths as unknown[]) {
		if (!Array.isArray(entry)) return null;
		const [position, size] = entry as unknown[];
		if (!isCount(position, args.length - 1) || !isCount(size, bytes.length - at)) return null;
		args[position] = bytes.slice(at, at + size);
		at += size;
	}
	return { name, args };
}

const isCount = (value: unknown, most: number): value is number =>
	Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
