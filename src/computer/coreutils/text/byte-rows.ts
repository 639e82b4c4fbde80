import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { eachInput } from '../input/each-input.ts';

/** Everything in the files that are named, or on stdin. */
export async function bytesOf(call: Call, names: readonly string[]): Promise<{ bytes: Uint8Array; status: number }> {
	const pieces: Uint8Array[] = [];
	const status = await eachInput(
		call,
		names,
		async (file) => void pieces.push(await call.shell.control.race(file.readAll()))
	);
	return { bytes: concat(pieces), status };
}

export const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');

/** Bytes as printable characters, with a dot for each other one. */
export const visible = (bytes: Uint8Array) =>
	[...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');

export const rows = (bytes: Uint8Array, width: number) =>
	Array.from({ length: Math.ceil(bytes.length / width) }, (_row, index) =>
		bytes.subarray(index * width, (index + 1) * width)
	);
