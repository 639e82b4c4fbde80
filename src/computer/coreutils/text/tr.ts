import { encode, decode } from '#computer/process/text.ts';
import { UsageError, utility } from '../options.ts';

const range = (from: string, to: string) =>
	Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_one, index) =>
		String.fromCharCode(from.charCodeAt(0) + index)
	);
const ASCII = range('\0', '\x7f');
const CLASSES: Record<string, string[]> = {
	alpha: [...range('A', 'Z'), ...range('a', 'z')],
	digit: range('0', '9'),
	upper: range('A', 'Z'),
	lower: range('a', 'z'),
	alnum: [...range('0', '9'), ...range('A', 'Z'), ...range('a', 'z')],
	space: ['\t', '\n', '\v', '\f', '\r', ' '],
	blank: ['\t', ' '],
	xdigit: [...range('0', '9'), ...range('A', 'F'), ...range('a', 'f')],
	cntrl: [...range('\0', '\x1f'), '\x7f'],
	punct: ASCII.filter((one) => /[!-/:-@[-`{-~]/.test(one)),
	print: range(' ', '~'),
	graph: range('!', '~')
};
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\' };

/** The characters of a set such as `a-z[:digit:]\n`. `fill`: how long `[x*]` makes it. */
function setOf(text: string, fill = 0): string[] {
	const set: string[] = [];
	let rest = text;
	const take = (): string => {
		const escaped = /^\\([0-7]{1,3}|[\s\S])/.exec(rest);
		if (escaped) {
			rest = rest.slice(escaped[0].length);
			const what = escaped[1] ?? '';
			return /^[0-7]/.test(what) ? String.fromCharCode(parseInt(what, 8)) : (ESCAPES[what] ?? what);
		}
		const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
		rest = rest.slice(character.length);
		return character;
	};
	while (rest) {
		const named = /^\[:(\w+):\]/.exec(rest);
		if (named) {
			const members = CLASSES[named[1] ?? ''];
			if (!members) throw new UsageError(`invalid character class '${named[1]}'`);
			set.push(...members);
			rest = rest.slice(named[0].length);
			continue;
		}
		const repeated = /^\[(\\?.)\*(\d*)\]/s.exec(rest);
		if (repeated) {
			const [member = ''] = setOf(repeated[1] ?? '');
			const count = repeated[2] ? Number(repeated[2]) : Math.max(0, fill - set.length);
			for (let index = 0; index < count; index++) set.push(member);
			rest = rest.slice(repeated[0].length);
			continue;
		}
		const first = take();
		if (rest.length > 1 && rest.startsWith('-')) {
			rest = rest.slice(1);
			const last = take();
			if (last < first)
				throw new UsageError(`range-endpoints of '${first}-${last}' are in reverse collating sequence order`);
			set.push(...range(first, last));
		} else set.push(first);
	}
	return set;
}

/** `tr`. */
export const tr = utility('c|C|complement d|delete s|squeeze-repeats t|truncate-set1', async (call, options) => {
	const [first, second] = options.operands;
	if (first === undefined) throw new UsageError('missing operand');
	const [deletes, squeezes] = [options.has('d'), options.has('s')];
	if (second === undefined && !deletes && !squeezes) throw new UsageError(`missing operand after '${first}'`);
	const from = setOf(first);
	const members = new Set(from);
	const complement = options.has('c');
	const chosen = (one: string) => members.has(one) !== complement;
	const to = second === undefined ? [] : setOf(second, from.length);
	const last = to.at(-1) ?? '';
	const map = new Map<string, string>();
	for (const [index, one] of from.entries())
		if (!options.has('t') || index < to.length) map.set(one, to[index] ?? last);
	const squeezed = new Set(second === undefined ? from : to);
	const squeezable = (one: string) => (second === undefined ? chosen(one) : squeezed.has(one));
	const translate = to.length > 0 && !deletes;
	const { shell } = call;
	const input = shell.descriptors.require(0);
	const sink = shell.descriptors.require(1);
	let before = '';
	let held: Uint8Array = new Uint8Array();
	for (;;) {
		const bytes = await shell.control.race(input.read(65536));
		if (bytes.length === 0 && held.length === 0) return 0;
		const [whole, rest] = bytes.length ? wholeCharacters(held, bytes) : [held, new Uint8Array()];
		held = rest;
		let result = '';
		for (const character of decode(whole)) {
			let one = character;
			if (deletes && chosen(one)) continue;
			if (translate) one = complement ? (chosen(one) ? last : one) : (map.get(one) ?? one);
			if (squeezes && one === before && squeezable(one)) continue;
			before = one;
			result += one;
		}
		if (result) await sink.write(encode(result));
		if (bytes.length === 0) return 0;
	}
});

/** Bytes up to the last whole character, and what is left for the next piece. */
function wholeCharacters(held: Uint8Array, bytes: Uint8Array): [Uint8Array, Uint8Array] {
	let all = bytes;
	if (held.length) {
		all = new Uint8Array(held.length + bytes.length);
		all.set(held);
		all.set(bytes, held.length);
	}
	let start = all.length - 1;
	while (start >= 0 && start > all.length - 4 && ((all[start] ?? 0) & 0xc0) === 0x80) start--;
	const lead = all[start] ?? 0;
	const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
	const cutAt = length > 1 && start + length > all.length ? start : all.length;
	return [all.subarray(0, cutAt), all.slice(cutAt)];
}
