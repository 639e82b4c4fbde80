import { fromLatin1 } from '#computer/process/text.ts';
import { utility } from '../options.ts';
import { rows, hex, bytesOf } from './byte-rows.ts';
import { visible } from './byte-text.ts';

/** `xxd -i`: formats a C array; it gets a name if the input is a file. */
function asArray(bytes: Uint8Array, width: number, file: string | undefined, upper: (text: string) => string): string {
	const lines = rows(bytes, width).map((row) => `  ${[...row].map((byte) => `0x${upper(hex(byte, 2))}`).join(', ')}`);
	const items = lines.length > 0 ? `${lines.join(',\n')}\n` : '';
	if (file === undefined || file === '-') return items;
	const name = file.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '__');
	return `unsigned char ${name}[] = {\n${items}};\nunsigned int ${name}_len = ${bytes.length};\n`;
}

/** `xxd`, `-p`, `-b`, `-i`, `-r`. */
export const xxd = utility('p|ps|plain r|revert u l= c= s= g= b i', async (call, options) => {
	const { bytes, status } = await bytesOf(call, options.operands.slice(0, 1));
	const upper = (text: string) => (options.has('u') ? text.toUpperCase() : text);
	if (options.has('r')) {
		const text = new TextDecoder('latin1').decode(bytes);
		const digits = options.has('p')
			? text
			: text
					.split('\n')
					.map((line) => line.replace(/^[0-9a-f]+: ?/i, '').split('  ')[0])
					.join('');
		const pairs = digits.replace(/[^0-9a-f]/gi, '').match(/../g) ?? [];
		await call.shell.descriptors
			.require(1)
			.write(fromLatin1(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join('')));
		return status;
	}
	const from = options.number('s', 0);
	const part = bytes.subarray(from, from + options.number('l', bytes.length));
	if (options.has('p')) {
		const lines = rows(part, options.number('c', 30)).map((row) =>
			upper([...row].map((byte) => hex(byte, 2)).join(''))
		);
		await call.out(lines.map((line) => `${line}\n`).join(''));
		return status;
	}
	const bits = options.has('b');
	const digits = bits ? 8 : 2;
	const shown = (byte: number) => (bits ? byte.toString(2).padStart(8, '0') : hex(byte, 2));
	const width = options.number('c', options.has('i') ? 12 : bits ? 6 : 16);
	if (options.has('i')) {
		await call.out(asArray(part, width, options.operands[0], upper));
		return status;
	}
	const size = options.number('g', bits ? 1 : 2) || width;
	const columns = width * digits + Math.ceil(width / size) - 1;
	const lines = rows(part, width).map((row, index) => {
		const groups = rows(row, size)
			.map((group) => [...group].map(shown).join(''))
			.join(' ');
		return `${hex(from + index * width, 8)}: ${upper(groups).padEnd(columns)}  ${visible(row)}\n`;
	});
	await call.out(lines.join(''));
	return status;
});
