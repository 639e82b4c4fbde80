import { utility } from '../options.ts';
import { bytesOf, rows, hex, visible } from './byte-rows.ts';

/** `hexdump -C` and its plain form. */
export const hexdump = utility('C|canonical n|length= s|skip= v e= x', async (call, options) => {
	const { bytes: all, status } = await bytesOf(call, options.operands);
	const from = options.number('s', 0);
	const bytes = all.subarray(from, from + options.number('n', all.length));
	let output = '';
	for (const [index, row] of rows(bytes, 16).entries()) {
		const at = from + index * 16;
		if (options.has('C')) {
			const halves = [row.subarray(0, 8), row.subarray(8)].map((half) =>
				[...half]
					.map((byte) => hex(byte, 2))
					.join(' ')
					.padEnd(23)
			);
			output += `${hex(at, 8)}  ${halves.join('  ')}  |${visible(row)}|\n`;
		} else {
			const words = rows(row, 2).map((pair) => hex((pair[1] ?? 0) * 256 + (pair[0] ?? 0), 4));
			output += `${hex(at, 7)} ${words.join(' ').padEnd(39)}\n`;
		}
	}
	if (bytes.length) output += `${hex(from + bytes.length, options.has('C') ? 8 : 7)}\n`;
	await call.out(output);
	return status;
});
