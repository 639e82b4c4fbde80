import { encode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { compareDecimals } from './decimal-order.ts';
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
	return match ? match[0] : null;
};

/** Doubles decide where they differ, the digits where they don't. */
const compareNumbers: Compare = (a, b) =>
	number(a) - number(b) || compareDecimals(a.split(/e/i, 1)[0] ?? '', b.split(/e/i, 1)[0] ?? '');
/** The same with exponents; what is no number comes first. */
const compareGeneral: Compare = (a, b) => {
	const [x, y] = [general(a), general(b)];
	if (x === null || y === null) return Number(x !== null) - Number(y !== null);
	return Math.sign(Number(x) - Number(y)) || compareDecimals(x, y);
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
	if (letters.includes('n')) compare = compareNumbers;
	else if (letters.includes('g')) compare = compareGeneral;
	else if (letters.includes('V')) compare = compareVersions;
	else if (letters.includes('M')) compare = (a, b) => month(a) - month(b);
	else if (letters.includes('h')) {
		compare = (a, b) => {
			const [x, y] = [human(a), human(b)];
			return x[0] - y[0] || x[1] - y[1] || compareNumbers(a, b);
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

const KINDS: Readonly<Record<string, string>> = {
	'general-numeric': 'g',
	'human-numeric': 'h',
	month: 'M',
	numeric: 'n',
	random: 'R',
	version: 'V'
};

/** Letter of a word of `--sort`. @throws UsageError */
function kindOf(word: string): string {
	const matching = Object.keys(KINDS).filter((kind) => kind.startsWith(word));
	if (matching.length === 1) return KINDS[matching[0] ?? ''] ?? '';
	const valid = Object.keys(KINDS).map((kind) => `  - '${kind}'`);
	const fault = matching.length > 1 ? 'ambiguous' : 'invalid';
	throw new UsageError(`${fault} argument '${word}' for '--sort'\nValid arguments are:\n${valid.join('\n')}`, true);
}

function order(options: Options): { whole: Compare; byKeys: Compare } {
	const random = new Map<string, number>();
	const globals = options.given
		.map(({ name, value }) => (name === 'sort' ? kindOf(value) : name))
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

const isPipe = ({ shell }: Call, name: string) => shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'fifo';

/** Tells, with a complaint, whether all inputs can be read and then the output be written, before anything is. */
async function canOpen(call: Call, options: Options): Promise<boolean> {
	const output = options.get('o');
	const files: [name: string, operator: string][] = options.operands.map((name) => [name, '<']);
	if (output !== undefined) files.push([output, '>>']);
	for (const [name, operator] of files) {
		// A pipe that is opened and closed is at its end for who writes to it.
		if ((name === '-' && operator === '<') || isPipe(call, name)) continue;
		try {
			open(call.shell, name, operator).release();
		} catch (error) {
			const why = reason(error).replace(`${name}: `, '');
			await call.complain(`${operator === '<' ? 'cannot read' : 'open failed'}: ${name}: ${why}`);
			return false;
		}
	}
	return true;
}

/** `sort`. The whole input is held: there is no other way to know the first line. */
export const sort = utility(
	'b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort ' +
		'n|numeric-sort R|random-sort r|reverse V|version-sort c|check=? C k|key= m|merge o|output= s|stable t|field-separator= u|unique ' +
		'sort= batch-size= random-source= compress-program= z|zero-terminated S|buffer-size= T|temporary-directory= parallel= debug',
	async (call, options) => {
		const { whole, byKeys } = order(options);
		const end = options.has('z') ? '\0' : '\n';
		if (!(await canOpen(call, options))) return 2;
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
