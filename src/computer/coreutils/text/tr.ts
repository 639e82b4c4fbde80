import { encode } from '#computer/process/text.ts';
import { type Options, UsageError, utility } from '../options.ts';

const BYTES = 256;
const bytesFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_one, index) => from + index);
const code = (character: string): number => character.charCodeAt(0);
const bytesOf = (test: RegExp): number[] => bytesFrom(0, 127).filter((byte) => test.test(String.fromCharCode(byte)));

/** Character classes of the C locale: they contain no byte above 127. */
const CLASSES: Record<string, readonly number[]> = {
	alpha: bytesOf(/[A-Za-z]/),
	digit: bytesOf(/[0-9]/),
	upper: bytesOf(/[A-Z]/),
	lower: bytesOf(/[a-z]/),
	alnum: bytesOf(/[0-9A-Za-z]/),
	space: bytesOf(/[\t-\r ]/),
	blank: bytesOf(/[\t ]/),
	xdigit: bytesOf(/[0-9A-Fa-f]/),
	cntrl: bytesOf(/[\0-\x1f\x7f]/),
	punct: bytesOf(/[!-/:-@[-`{-~]/),
	print: bytesOf(/[ -~]/),
	graph: bytesOf(/[!-~]/)
};
const ESCAPES: Record<string, number> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '\\': code('\\') };

interface ByteSet {
	bytes: number[];
	/** Classes in the set by name, with the position where each starts. */
	classes: { name: string; at: number }[];
}

/** Parses a set such as `a-z[:digit:]\n`. GNU tr works on bytes, so a character of two bytes is two members. */
class SetParser {
	readonly #set: ByteSet = { bytes: [], classes: [] };
	/**
	 * @param rest the set, one character per byte
	 * @param fill number of bytes to which `[x*]` pads the set
	 */
	constructor(
		private rest: string,
		private readonly fill: number
	) {}

	parse(): ByteSet {
		const { bytes } = this.#set;
		while (this.rest) {
			if (this.#class() || this.#repetition()) continue;
			const first = this.#byte();
			if (this.rest.length < 2 || !this.rest.startsWith('-')) {
				bytes.push(first);
				continue;
			}
			this.rest = this.rest.slice(1);
			const last = this.#byte();
			if (last < first) throw new UsageError(reversed(first, last));
			for (let byte = first; byte <= last; byte++) bytes.push(byte);
		}
		return this.#set;
	}

	/** Reads `[:alpha:]`, or `[=a=]`, which is the byte itself here. */
	#class(): boolean {
		const { bytes, classes } = this.#set;
		const [whole, name, same] = /^\[(?::([^:\]]*):|=(\\?[\s\S])=)\]/.exec(this.rest) ?? [];
		if (whole === undefined) return false;
		if (name !== undefined) {
			const members = CLASSES[name];
			if (!members) throw new UsageError(`invalid character class '${name}'`);
			classes.push({ name, at: bytes.length });
			bytes.push(...members);
		} else bytes.push(code(same ?? ''));
		this.rest = this.rest.slice(whole.length);
		return true;
	}

	/** Reads `[x*5]`; a count that starts with 0 is octal, and no count pads the set. */
	#repetition(): boolean {
		const [whole, member = '', digits = ''] = /^\[(\\[0-7]{1,3}|\\?[\s\S])\*(\d*)\]/.exec(this.rest) ?? [];
		if (whole === undefined) return false;
		const [byte = 0] = new SetParser(member, 0).parse().bytes;
		const count = Number.parseInt(digits || '0', digits.startsWith('0') ? 8 : 10);
		const { bytes } = this.#set;
		const length = count || Math.max(0, this.fill - bytes.length);
		for (let index = 0; index < length; index++) bytes.push(byte);
		this.rest = this.rest.slice(whole.length);
		return true;
	}

	#byte(): number {
		const [whole, digits, escaped = ''] = /^\\(?:([0-3]?[0-7]{1,2})|([\s\S]))/.exec(this.rest) ?? [];
		const byte = code(this.rest);
		this.rest = this.rest.slice(whole?.length ?? 1);
		if (whole === undefined) return byte;
		return digits === undefined ? (ESCAPES[escaped] ?? code(escaped)) : Number.parseInt(digits, 8);
	}
}

function reversed(first: number, last: number): string {
	const range = String.fromCharCode(first, code('-'), last);
	return `range-endpoints of '${range}' are in reverse collating sequence order`;
}

const setOf = (text: string, fill = 0): ByteSet =>
	new SetParser(Array.from(encode(text), (byte) => String.fromCharCode(byte)).join(''), fill).parse();

const complementOf = (bytes: readonly number[]): number[] =>
	bytesFrom(0, BYTES - 1).filter((byte) => !bytes.includes(byte));

/** Tables of one run, indexed by byte. */
interface Tables {
	deletes: Uint8Array;
	translates: Uint8Array;
	squeezes: Uint8Array;
}

function tablesOf(options: Options): Tables {
	const [first = '', second] = options.operands;
	const given = setOf(first);
	const from = options.has('c') ? complementOf(given.bytes) : given.bytes;
	const to = second === undefined ? undefined : setOf(second, from.length);
	const tables = {
		deletes: new Uint8Array(BYTES),
		translates: Uint8Array.from(bytesFrom(0, BYTES - 1)),
		squeezes: new Uint8Array(BYTES)
	};
	if (options.has('d')) for (const byte of from) tables.deletes[byte] = 1;
	else if (to) {
		checkSecondSet(options, given, from, to);
		const count = options.has('t') ? Math.min(from.length, to.bytes.length) : from.length;
		for (const [index, byte] of from.slice(0, count).entries())
			tables.translates[byte] = to.bytes[index] ?? to.bytes.at(-1) ?? byte;
	}
	if (options.has('s')) for (const byte of to?.bytes ?? from) tables.squeezes[byte] = 1;
	return tables;
}

const isCase = ({ name }: ByteSet['classes'][number]) => name === 'upper' || name === 'lower';

/** @throws UsageError if bytes cannot be translated to the second set */
function checkSecondSet(options: Options, given: ByteSet, from: number[], to: ByteSet): void {
	if (to.bytes.length === 0 && from.length > 0 && !options.has('t'))
		throw new UsageError('when not truncating set1, string2 must be non-empty');
	if (to.classes.some((one) => !isCase(one)))
		throw new UsageError(
			"when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'"
		);
	if (!options.has('c'))
		for (const { at } of to.classes)
			if (at < from.length && !given.classes.some((one) => isCase(one) && one.at === at))
				throw new UsageError('misaligned [:upper:] and/or [:lower:] construct');
	const endsWithClass = /\[:(?:upper|lower):\]$/.test(options.operands[1] ?? '');
	if (!options.has('c', 't') && endsWithClass && from.length > to.bytes.length)
		throw new UsageError(
			'when translating with string1 longer than string2,\nthe latter string must not end with a character class'
		);
	if (options.has('c') && given.classes.length > 0 && new Set(to.bytes).size > 1)
		throw new UsageError(
			'when translating with complemented character classes,\nstring2 must map all characters in the domain to one'
		);
}

function checkOperands(options: Options): void {
	const [first, second, third] = options.operands;
	const [deletes, squeezes] = [options.has('d'), options.has('s')];
	if (first === undefined) throw new UsageError('missing operand');
	if (second === undefined && deletes === squeezes)
		throw new UsageError(
			`missing operand after '${first}'\n` +
				(deletes
					? 'Two strings must be given when both deleting and squeezing repeats.'
					: 'Two strings must be given when translating.')
		);
	if (second !== undefined && deletes && !squeezes)
		throw new UsageError(
			`extra operand '${second}'\nOnly one string may be given when deleting without squeezing repeats.`
		);
	if (third !== undefined) throw new UsageError(`extra operand '${third}'`);
}

/** `tr`. */
export const tr = utility('c|C|complement d|delete s|squeeze-repeats t|truncate-set1', async (call, options) => {
	checkOperands(options);
	const { deletes, translates, squeezes } = tablesOf(options);
	const { control, descriptors } = call.shell;
	const input = descriptors.require(0);
	const sink = descriptors.require(1);
	let before = -1;
	for (;;) {
		const bytes = await control.race(input.read(65536));
		if (bytes.length === 0) return 0;
		const result = new Uint8Array(bytes.length);
		let length = 0;
		for (const byte of bytes) {
			if (deletes[byte]) continue;
			const one = translates[byte]!;
			if (one === before && squeezes[one]) continue;
			before = one;
			result[length++] = one;
		}
		if (length > 0) await sink.write(result.subarray(0, length));
	}
});
