import { fromLatin1 } from '../../streams/text.ts';
import { concat } from '../../streams/text.ts';
import type { Call } from '../../state/host.ts';
import { UsageError, utility } from '../options.ts';
import { eachInput } from '../streams.ts';

async function bytesOf(call: Call, names: readonly string[]): Promise<{ bytes: Uint8Array; status: number }> {
	const pieces: Uint8Array[] = [];
	const status = await eachInput(
		call,
		names,
		async (file) => void pieces.push(await call.shell.control.race(file.readAll()))
	);
	return { bytes: concat(pieces), status };
}

const hex = (value: number, width: number) => value.toString(16).padStart(width, '0');
const visible = (bytes: Uint8Array) => [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join(''); // prettier-ignore
const rows = (bytes: Uint8Array, width: number) =>
	Array.from({ length: Math.ceil(bytes.length / width) }, (_row, index) =>
		bytes.subarray(index * width, (index + 1) * width)
	);

/** `xxd -i`: an array for C, with a name when it is a file's. */
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
		const digits = options.has('p') ? text : text.split('\n').map((line) => line.replace(/^[0-9a-f]+: ?/i, '').split('  ')[0]).join(''); // prettier-ignore
		const pairs = digits.replace(/[^0-9a-f]/gi, '').match(/../g) ?? [];
		await call.shell.descriptors.require(1).write(fromLatin1(pairs.map((pair) => String.fromCharCode(parseInt(pair, 16))).join(''))); // prettier-ignore
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
		const groups = rows(row, size).map((group) => [...group].map(shown).join('')).join(' '); // prettier-ignore
		return `${hex(from + index * width, 8)}: ${upper(groups).padEnd(columns)}  ${visible(row)}\n`;
	});
	await call.out(lines.join(''));
	return status;
});

/** `hexdump -C` and its plain form. */
export const hexdump = utility('C|canonical n|length= s|skip= v e= x', async (call, options) => {
	const { bytes: all, status } = await bytesOf(call, options.operands);
	const from = options.number('s', 0);
	const bytes = all.subarray(from, from + options.number('n', all.length));
	let output = '';
	for (const [index, row] of rows(bytes, 16).entries()) {
		const at = from + index * 16;
		if (options.has('C')) {
			const halves = [row.subarray(0, 8), row.subarray(8)].map((half) => [...half].map((byte) => hex(byte, 2)).join(' ').padEnd(23)); // prettier-ignore
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

const NAMES = 'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(' '); // prettier-ignore
const ESCAPES: Record<number, string> = {
	0: '\\0',
	7: '\\a',
	8: '\\b',
	9: '\\t',
	10: '\\n',
	11: '\\v',
	12: '\\f',
	13: '\\r'
};

/** `od` with the types people use: `-c`, `-x`, `-t x1`, `-A n`. */
export const od = utility(
	'A|address-radix= t|format= c a b d o x v N|read-bytes= j|skip-bytes= w|width=?',
	async (call, options) => {
		const { bytes: all, status } = await bytesOf(call, options.operands);
		const skipped = options.number('j', 0);
		const bytes = all.subarray(skipped, skipped + options.number('N', all.length));
		const short = options.last('c', 'a', 'b', 'd', 'o', 'x');
		const type = options.get('t') ?? { c: 'c', a: 'a', b: 'o1', d: 'u2', o: 'o2', x: 'x2' }[short ?? 'o'] ?? 'o2';
		const match = /^([acdoux])(\d|C|S|I|L)?z?$/.exec(type);
		if (!match) throw new UsageError(`invalid type string '${type}'`);
		const [, kind = 'o', sizeText = ''] = match;
		const size = 'ac'.includes(kind) ? 1 : ({ C: 1, S: 2, I: 4, L: 8, '': 4 }[sizeText] ?? Number(sizeText));
		const widths: Record<string, number[]> = {
			x: [2, 4, 8, 16],
			o: [3, 6, 11, 22],
			u: [3, 5, 10, 20],
			d: [4, 6, 11, 20]
		};
		const width = 'ac'.includes(kind) ? 3 : (widths[kind]?.[Math.log2(size)] ?? 3);
		const item = (piece: Uint8Array): string => {
			const byte = piece[0] ?? 0;
			if (kind === 'c')
				return (
					ESCAPES[byte] ?? (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'))
				);
			if (kind === 'a') return byte === 127 ? 'del' : (NAMES[byte & 127] ?? String.fromCharCode(byte & 127));
			let value = [...piece].reduceRight((sum, one) => sum * 256n + BigInt(one), 0n);
			if (kind === 'd') value = BigInt.asIntN(size * 8, value);
			const text = value.toString(kind === 'x' ? 16 : kind === 'o' ? 8 : 10);
			return 'xo'.includes(kind) ? text.padStart(width, '0') : text;
		};
		const radix = options.get('A') ?? 'o';
		const address = (at: number) => (radix === 'n' ? '' : at.toString({ o: 8, d: 10, x: 16 }[radix] ?? 8).padStart(radix === 'x' ? 6 : 7, '0')); // prettier-ignore
		let output = '';
		const perRow = options.has('w') ? options.number('w', 32) || 32 : 16;
		let before = '';
		let starred = false;
		for (const [index, row] of rows(bytes, perRow).entries()) {
			const text = rows(row, size).map((piece) => ` ${item(piece).padStart(width)}`).join(''); // prettier-ignore
			if (text === before && !options.has('v') && row.length === perRow) {
				if (!starred) output += '*\n';
				starred = true;
				continue;
			}
			[before, starred] = [text, false];
			output += `${address(skipped + index * perRow)}${text}\n`;
		}
		if (radix !== 'n') output += `${address(skipped + bytes.length)}\n`;
		await call.out(output);
		return status;
	}
);
