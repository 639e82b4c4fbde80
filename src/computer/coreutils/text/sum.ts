import { concat } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { utility } from '../options.ts';
import { eachInput } from '../input/each-input.ts';

/** `sum`: the checksums of BSD and System V. */
export const sum = utility('r s|sysv', (call, options) =>
	writeOldSums(call, options.operands, options.last('r', 's') === 's')
);

/** Prints System V's or BSD's checksum of each operand. */
export const writeOldSums = (call: Call, operands: readonly string[], isSystemV: boolean): Promise<number> =>
	eachInput(call, operands, async (file, name) => {
		const bytes = concat([await call.shell.control.race(file.readAll())]);
		const shown = isSystemV ? systemV(bytes) : berkeley(bytes);
		const isNamed = operands.length > 0;
		await call.out(`${shown}${isNamed ? ` ${name}` : ''}\n`);
	});

/** BSD: rotates a 16-bit sum for each byte, and counts blocks of 1 KB. */
function berkeley(bytes: Uint8Array): string {
	let total = 0;
	for (const byte of bytes) total = (((total >> 1) | ((total & 1) << 15)) + byte) & 0xffff;
	return `${String(total).padStart(5, '0')} ${String(Math.ceil(bytes.length / 1024)).padStart(5)}`;
}

/** System V: folds the sum of all bytes to 16 bits, and counts blocks of 512 bytes. */
function systemV(bytes: Uint8Array): string {
	let total = 0;
	for (const byte of bytes) total = (total + byte) >>> 0;
	const folded = (total & 0xffff) + (total >>> 16);
	return `${(folded & 0xffff) + (folded >>> 16)} ${Math.ceil(bytes.length / 512)}`;
}
