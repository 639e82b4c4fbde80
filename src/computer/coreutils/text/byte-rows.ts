import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { eachInput } from '../input/each-input.ts';

const PIECE_BYTES = 65_536;

/** Reads the first bytes, or all, of the named files or of stdin. The rest is left to the next reader. */
export async function bytesOf(
	call: Call,
	names: readonly string[],
	most = Infinity
): Promise<{ bytes: Uint8Array; status: number }> {
	const pieces: Uint8Array[] = [];
	let left = most;
	const status = await eachInput(call, names, async (file) => {
		while (left > 0) {
			const piece = await call.shell.control.race(file.read(Math.min(left, PIECE_BYTES)));
			if (piece.length === 0) return;
			pieces.push(piece.slice());
			left -= piece.length;
		}
	});
	return { bytes: concat(pieces), status };
}

export const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');

export const rows = (bytes: Uint8Array, width: number) =>
	Array.from({ length: Math.ceil(bytes.length / width) }, (_row, index) =>
		bytes.subarray(index * width, (index + 1) * width)
	);
