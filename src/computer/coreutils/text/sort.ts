import { encode } from '#computer/process/text.ts';
import { LineSource } from '../input/line-source.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { compareVersions } from '../version-order.ts';

interface Key {
	from: [field: number, character: number];
	to: [field: number, character: number] | null;
	letters: string;
}

/** `2,3nr`, `1.2,1.4`. */
function keyOf(text: string): Key {
	const match = /^(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*)(?:,(\d+)(?:\.(\d+))?([bdfgiMhnRrV]*))?$/.exec(text);
	if (!match || match[1] === '0')
		throw new UsageError(`invalid number at field start: invalid count at start of '${text}'`);
	const [, field, character, letters = '', toField, toCharacter, toLetters = ''] = match;
	return {
		from: [Number(field), Number(character ?? 1)],
		to: toField === undefined ? null : [Number(toField), Number(toCharacter ?? 0)],
		letters: letters + toLetters
	};
}

type Compare = (a: string, b: string) => number;

const plain: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const UNITS = 'KMGTPEZY';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const number = (text: string) => Number(/^\s*(-?(?:\d+\.?\d*|\.\d+))/.exec(text)?.[1] ?? 0) || 0;
const general = (text: string) => {
	const match = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i.exec(text);
	return match ? Number(match[0]) : -Infinity;
};
const human = (text: string) => {
	const unit = /^\s*-?[\d.]+([KMGTPEZYk])/.exec(text)?.[1]?.toUpperCase() ?? '';
	const value = number(text);
	return [value === 0 ? 0 : Math.sign(value) * (unit ? UNITS.indexOf(unit) + 1 : 0), value] as const;
};

function comparison(letters: string, random: Map<string, number>): Compare {
	const shape = (text: string) => {
		let result = letters.includes('b') ? text.trimStart() : text;
		if (letters.includes('d')) result = result.replace(/[^\p{L}\p{N}\s]/gu, '');
		if (letters.includes('i')) result = result.replace(/[^ -~]/g, '');
		return letters.includes('f') ? result.toUpperCase() : result;
	};
	let compare: Compare = (a, b) => plain(shape(a), shape(b));
	if (letters.includes('n')) compare = (a, b) => number(a) - number(b);
	else if (letters.includes('g')) compare = (a, b) => general(a) - general(b) || 0;
	else if (letters.includes('V')) compare = compareVersions;
	else if (letters.includes('M')) compare = (a, b) => month(a) - month(b);
	else if (letters.includes('h')) {
		compare = (a, b) => {
			const [x, y] = [human(a), human(b)];
			return x[0] - y[0] || x[1] - y[1];
		};
	} else if (letters.includes('R')) {
		const rank = (text: string) => {
			let value = random.get(text);
			if (value === undefined) random.set(text, (value = Math.random()));
			return value;
		};
		compare = (a, b) => rank(a) - rank(b);
	}
	return letters.includes('r') ? (a, b) => -compare(a, b) : compare;
}

const month = (text: string) => MONTHS.indexOf(text.trim().slice(0, 3).toUpperCase());

/** Start and end of each field of a line. */
function fieldsOf(line: string, separator: string | undefined): [number, number][] {
	const fields: [number, number][] = [];
	if (separator === undefined) {
		for (const match of line.matchAll(/\s*\S+|\s+$/g)) fields.push([match.index, match.index + match[0].length]);
		return fields;
	}
	let from = 0;
	for (let at = line.indexOf(separator); at >= 0; at = line.indexOf(separator, from)) {
		fields.push([from, at]);
		from = at + 1;
	}
	fields.push([from, line.length]);
	return fields;
}

function keyText(line: string, key: Key, separator: string | undefined, blanks: boolean): string {
	const fields = fieldsOf(line, separator);
	const [field, character] = key.from;
	const first = fields[field - 1];
	if (!first) return '';
	let start = first[0];
	if (blanks) while (start < first[1] && /\s/.test(line[start] ?? '')) start++;
	start += character - 1;
	if (!key.to) return line.slice(start);
	const [lastField, lastCharacter] = key.to;
	const last = fields[lastField - 1];
	if (!last) return line.slice(start);
	return line.slice(start, Math.max(start, lastCharacter === 0 ? last[1] : last[0] + lastCharacter));
}

function order(options: Options): { whole: Compare; byKeys: Compare } {
	const random = new Map<string, number>();
	const globals = options.given
		.map(({ name }) => name)
		.filter((name) => /^[bdfgiMhnRrV]$/.test(name))
		.join('');
	const separator = options.get('t')?.replace('\\t', '\t').replace('\\0', '\0');
	const keys = options.all('k').map((text) => {
		const key = keyOf(text);
		const letters = key.letters || globals;
		return { key, compare: comparison(letters, random), blanks: letters.includes('b') };
	});
	const globalCompare = comparison(globals, random);
	const byKeys: Compare = keys.length
		? (a, b) => {
				for (const { key, compare, blanks } of keys) {
					const result = compare(keyText(a, key, separator, blanks), keyText(b, key, separator, blanks));
					if (result) return result;
				}
				return 0;
			}
		: globalCompare;
	const reversed = globals.includes('r') ? -1 : 1;
	const last: Compare = options.has('s', 'u') ? () => 0 : (a, b) => reversed * plain(a, b);
	return { byKeys, whole: (a, b) => byKeys(a, b) || last(a, b) };
}

/** `-m`: inputs that are sorted already, woven together. */
function merged(inputs: string[][], compare: Compare): string[] {
	const result: string[] = [];
	const at = inputs.map(() => 0);
	for (;;) {
		let best = -1;
		for (const [index, texts] of inputs.entries()) {
			const text = texts[at[index] ?? 0];
			if (text !== undefined && (best < 0 || compare(text, inputs[best]?.[at[best] ?? 0] ?? '') < 0)) best = index;
		}
		const text = inputs[best]?.[at[best] ?? 0];
		if (text === undefined) return result;
		result.push(text);
		at[best] = (at[best] ?? 0) + 1;
	}
}

/** `sort`. The whole input is held: there is no other way to know the first line. */
export const sort = utility(
	'b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort ' +
		'n|numeric-sort R|random-sort r|reverse V|version-sort c|check=? C k|key= m|merge o|output= s|stable t|field-separator= u|unique ' +
		'z|zero-terminated S|buffer-size= T|temporary-directory= parallel= debug',
	async (call, options) => {
		const { whole, byKeys } = order(options);
		const end = options.has('z') ? '\0' : '\n';
		const inputs: string[][] = [];
		for (const name of options.operands.length ? options.operands : ['-']) {
			const lines = new LineSource(call, [name], options.has('z') ? 0 : 10);
			const texts: string[] = [];
			for (let batch = await lines.batch(); batch.length; batch = await lines.batch())
				for (const { text } of batch) texts.push(text);
			if (lines.status) return 2;
			inputs.push(texts);
		}
		let texts = options.has('m') ? merged(inputs, whole) : inputs.flat();
		if (options.has('c', 'C')) {
			for (let index = 1; index < texts.length; index++) {
				const result = whole(texts[index - 1] ?? '', texts[index] ?? '');
				if (result < 0 || (result === 0 && !options.has('u'))) continue;
				if (options.has('c'))
					await call.complain(`${options.operands[0] ?? '-'}:${index + 1}: disorder: ${texts[index]}`);
				return 1;
			}
			return 0;
		}
		if (!options.has('m')) texts.sort(whole);
		if (options.has('u'))
			texts = texts.filter((text, index) => index === 0 || byKeys(texts[index - 1] ?? '', text) !== 0);
		const output = texts.length ? `${texts.join(end)}${end}` : '';
		const file = options.get('o');
		if (file === undefined) await call.out(output);
		else call.shell.host.context.sync.writeFile(call.shell.path(file), encode(output));
		return 0;
	},
	2
);
