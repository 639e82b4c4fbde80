import { readWhole } from '../../input/whole-file.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { bytesOf } from '../byte-rows.ts';
import { fill, parseFormat, sizeOf, type Unit } from './format.ts';
import { showBlock, showEnd } from './show.ts';

/** Formats of the options, as in the manual. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
	b: ['"%07.7_Ax\\n"', '"%07.7_ax " 16/1 "%03o " "\\n"'],
	c: ['"%07.7_Ax\\n"', '"%07.7_ax " 16/1 "%3_c " "\\n"'],
	C: ['"%08.8_Ax\\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x " ', '"  |" 16/1 "%_p" "|\\n"'],
	d: ['"%07.7_Ax\\n"', '"%07.7_ax " 8/2 "  %05u " "\\n"'],
	o: ['"%07.7_Ax\\n"', '"%07.7_ax " 8/2 " %06o " "\\n"'],
	x: ['"%07.7_Ax\\n"', '"%07.7_ax " 8/2 "   %04x " "\\n"'],
	'': ['"%07.7_Ax\\n"', '"%07.7_ax " 8/2 "%04x " "\\n"']
};
const SUFFIXES: Readonly<Record<string, number>> = {
	b: 512,
	k: 1024,
	K: 1024,
	m: 1024 ** 2,
	M: 1024 ** 2,
	g: 1024 ** 3,
	G: 1024 ** 3
};
const SPECIFICATION =
	'b|one-byte-octal c|one-byte-char C|canonical d|two-bytes-decimal o|two-bytes-octal x|two-bytes-hex ' +
	'e|format= f|format-file= n|length= s|skip= v|no-squeezing L|color=?';

/** `hexdump`: shows bytes in a predefined or given format. A block identical to the previous one is shown as `*`. */
export const hexdump = utility(SPECIFICATION, async (call, options) => {
	const formats: Unit[][] = [];
	for (const { name, value } of options.given) {
		if (name === 'e') formats.push(parseFormat(value));
		else if (name === 'f') {
			const lines = new TextDecoder().decode(await readWhole(call.shell, value)).split('\n');
			formats.push(...lines.filter((line) => /^\s*[^#\s]/.test(line)).map(parseFormat));
		} else formats.push(...(FORMATS[name] ?? []).map(parseFormat));
	}
	if (formats.length === 0) formats.push(...FORMATS['']!.map(parseFormat));
	const [skip, most] = [amount(options, 's') ?? 0, amount(options, 'n') ?? Infinity];
	const { bytes: all, status } = await bytesOf(call, options.operands, skip + most);
	await call.out(dump(formats, all.subarray(skip), skip, options.has('v')));
	return status;
});

/** `hd`: same as `hexdump -C`. */
export const hd: typeof hexdump = (call) => hexdump({ ...call, args: ['-C', ...call.args] });

function dump(formats: Unit[][], bytes: Uint8Array, base: number, showsAll: boolean): string {
	const blockBytes = Math.max(...formats.map(sizeOf));
	for (const units of formats) fill(units, blockBytes);
	if (blockBytes === 0) return '';
	let output = '';
	let isSqueezed = false;
	for (let from = 0; from < bytes.length; from += blockBytes) {
		if (!showsAll && isRepeated(bytes, from, blockBytes)) {
			if (!isSqueezed) output += '*\n';
			isSqueezed = true;
			continue;
		}
		isSqueezed = false;
		for (const units of formats) output += showBlock(units, { bytes, from, base });
	}
	return bytes.length > 0 ? output + showEnd(formats.flat(), base + bytes.length) : output;
}

/** Tells whether a complete block is identical to the previous one. */
function isRepeated(bytes: Uint8Array, from: number, size: number): boolean {
	if (from === 0 || from + size > bytes.length) return false;
	for (let at = from; at < from + size; at++) if (bytes[at] !== bytes[at - size]) return false;
	return true;
}

/** Parses a number of bytes: decimal, hexadecimal or octal, with a suffix. @throws UsageError */
function amount(options: Options, name: string): number | null {
	const text = options.get(name);
	if (text === undefined) return null;
	const [, digits = '', suffix = ''] = /^(0x[\da-f]+|\d+)([bkKmMgG]?)(?:iB)?$/i.exec(text) ?? [];
	if (digits === '') throw new UsageError(`failed to parse ${name === 'n' ? 'length' : 'offset'}: '${text}'`);
	const base = /^0\d/.test(digits) ? parseInt(digits, 8) : Number(digits);
	return base * (SUFFIXES[suffix] ?? 1);
}
