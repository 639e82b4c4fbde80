import { encode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { eachInput } from '../input/each-input.ts';
import { UsageError, utility, type Options } from '../options.ts';

const DEFAULT_LENGTH = 4;
const ADDRESS_WIDTH = 7;
const RADIXES = new Map([
	['o', 8],
	['d', 10],
	['x', 16]
]);

/** Reads a character: its size in bytes and its code, −1 for a non-printable one. */
type Reader = (bytes: Uint8Array, at: number) => { size: number; code: number };

const isPrinted = (code: number, isWhitespaceKept: boolean): boolean =>
	(code >= 32 && code < 127) || code === 9 || (isWhitespaceKept && code >= 10 && code <= 13);

const units =
	(size: number, isLittle: boolean): Reader =>
	(bytes, at) => {
		if (at + size > bytes.length) return { size, code: -1 };
		let code = 0;
		for (let index = 0; index < size; index++)
			code = code * 256 + (bytes[isLittle ? at + size - 1 - index : at + index] ?? 0);
		return { size, code };
	};

const READERS = new Map<string, Reader>([
	['s', units(1, false)],
	['S', units(1, false)],
	['b', units(2, false)],
	['l', units(2, true)],
	['B', units(4, false)],
	['L', units(4, true)]
]);

/** `strings`: prints runs of printable characters in any files. */
const found = utility(
	'a|all d|data f|print-file-name n|bytes= o t|radix= e|encoding= s|output-separator= w|include-all-whitespace T|target= U|unicode=',
	(call, options) => {
		const least = lengthOf(options);
		const encoding = options.get('e') ?? 's';
		const reader = READERS.get(encoding);
		if (!reader) throw new UsageError(`invalid option -- 'e'`, true);
		const radix = options.has('o') ? 8 : radixOf(options);
		return eachInput(call, options.operands, async (file, name) => {
			const bytes = await call.shell.control.race(file.readAll());
			const shown = name === '-' ? '{standard input}' : name;
			await print(call, options, stringsIn(bytes, reader, least, options.has('w'), encoding === 'S'), shown, radix);
		});
	}
);

/** Also accepts the traditional form `-8`. */
export const strings: typeof found = (call) =>
	found({ ...call, args: call.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')) });

function lengthOf(options: Options): number {
	const text = options.get('n');
	if (text === undefined) return DEFAULT_LENGTH;
	if (!/^\d+$/.test(text)) throw new UsageError(`invalid integer argument ${text}`);
	if (Number(text) < 1) throw new UsageError(`invalid minimum string length ${text}`);
	return Number(text);
}

function radixOf(options: Options): number | null {
	const text = options.get('t');
	if (text === undefined) return null;
	const radix = RADIXES.get(text);
	if (radix === undefined) throw new UsageError(`invalid option -- 't'`, true);
	return radix;
}

/** Finds runs of at least this many printable characters, with their offsets. */
function* stringsIn(
	bytes: Uint8Array,
	read: Reader,
	least: number,
	isWhitespaceKept: boolean,
	isEightBit: boolean
): Generator<{ at: number; text: Uint8Array }> {
	let start = 0;
	let codes: number[] = [];
	for (let at = 0; at <= bytes.length;) {
		const { size, code } = read(bytes, at);
		if (isPrinted(code, isWhitespaceKept) || (isEightBit && code > 127)) {
			if (codes.length === 0) start = at;
			codes.push(code);
			at += size;
			continue;
		}
		if (codes.length >= least) yield { at: start, text: Uint8Array.from(codes) };
		// A run of wide characters may start at any byte.
		at = codes.length > 0 ? at : at + 1;
		if (codes.length === 0) continue;
		codes = [];
		at += 1;
	}
}

async function print(
	call: Call,
	options: Options,
	runs: Iterable<{ at: number; text: Uint8Array }>,
	name: string,
	radix: number | null
): Promise<void> {
	const out = call.shell.descriptors.require(1);
	const separator = encode(options.get('s') ?? '\n');
	for (const { at, text } of runs) {
		const place = radix === null ? '' : `${at.toString(radix).padStart(ADDRESS_WIDTH)} `;
		await out.write(encode(`${options.has('f') ? `${name}: ` : ''}${place}`));
		await out.write(text);
		await out.write(separator);
	}
}
