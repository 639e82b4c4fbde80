import { encode } from '#computer/process/text.ts';
import { open, reason } from '#computer/shell/execution/redirections.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { isPipe } from '../input/whole-file.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { compareDecimals } from './decimal-order.ts';
import { collationNotes, markedLine, type SortManner, sortWarnings } from './sort-debug.ts';
import { type Key, keyOf, keyRange, obsolescentKeyOf, withObsolescentKeys } from './sort-key.ts';
import { compareVersions } from '../version-order.ts';

type Compare = (a: string, b: string) => number;

const plain: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const UNITS = 'KMGTPEZY';
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const number = (text: string) => Number(/^\s*(-?(?:\d+\.?\d*|\.\d+))/.exec(text)?.[1] ?? 0) || 0;
const general = (text: string) => {
	const match = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i.exec(text);
	return match ? match[0] : null;
};

/** Compares floating-point values first, then the digits if these are equal. */
const compareNumbers: Compare = (a, b) =>
	number(a) - number(b) || compareDecimals(a.split(/e/i, 1)[0] ?? '', b.split(/e/i, 1)[0] ?? '');
/** Same with exponents; text that is not a number sorts first. */
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

const KINDS: Readonly<Record<string, string>> = {
	'general-numeric': 'g',
	'human-numeric': 'h',
	month: 'M',
	numeric: 'n',
	random: 'R',
	version: 'V'
};

/** Ordering letter of a word of `--sort`. @throws UsageError */
function kindOf(word: string): string {
	const matching = Object.keys(KINDS).filter((kind) => kind.startsWith(word));
	if (matching.length === 1) return KINDS[matching[0] ?? ''] ?? '';
	const valid = Object.keys(KINDS).map((kind) => `  - '${kind}'`);
	const fault = matching.length > 1 ? 'ambiguous' : 'invalid';
	throw new UsageError(`${fault} argument '${word}' for '--sort'\nValid arguments are:\n${valid.join('\n')}`, true);
}

interface Order extends SortManner {
	/** Compares by the keys, then by the whole line. */
	whole: Compare;
	byKeys: Compare;
}

function order(options: Options): Order {
	const random = new Map<string, number>();
	const globals = options.given
		.map(({ name, value }) => (name === 'sort' ? kindOf(value) : name))
		.filter((name) => /^[bdfgiMhnRrV]$/.test(name))
		.join('');
	const separator = options.get('t')?.replace('\\t', '\t').replace('\\0', '\0');
	const keys: Key[] = [];
	for (const { name, value } of options.given) {
		if (name === 'k') keys.push(keyOf(value, globals));
		if (name === '-obsolescent-key') keys.push(obsolescentKeyOf(value, globals));
	}
	const compared = keys.map((key) => ({ key, compare: comparison(key.letters, random) }));
	const keyText = (line: string, key: Key) => line.slice(...keyRange(line, key, separator));
	const byKeys: Compare = keys.length
		? (a, b) => {
				for (const { key, compare } of compared) {
					const result = compare(keyText(a, key), keyText(b, key));
					if (result) return result;
				}
				return 0;
			}
		: comparison(globals, random);
	const reversed = globals.includes('r') ? -1 : 1;
	const isStable = options.has('s', 'u');
	const last: Compare = isStable ? () => 0 : (a, b) => reversed * plain(a, b);
	const isWhole = keys.length === 0 && globals.replace('r', '') !== '';
	if (isWhole) keys.push(keyOf('1', globals));
	return { keys, isWhole, globals, separator, isStable, byKeys, whole: (a, b) => byKeys(a, b) || last(a, b) };
}

/** Rejects options incompatible with `--debug`, and prints its notes. @throws UsageError */
async function startDebugging(call: Call, options: Options, manner: SortManner): Promise<void> {
	const other = options.last('c', 'C', 'o');
	if (other !== undefined) throw new UsageError(`options '-${other} --debug' are incompatible`, false);
	const { variables } = call.shell;
	const locale = variables.exported('LC_ALL') || variables.exported('LC_COLLATE') || variables.exported('LANG') || 'C';
	for (const note of [...collationNotes(locale), ...sortWarnings(manner)]) await call.complain(note);
}

/** `-m`: merges inputs that are already sorted. */
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

/** Checks in advance whether all inputs can be read and the output can be written; reports an error if not. */
async function canOpen(call: Call, options: Options): Promise<boolean> {
	const output = options.get('o');
	const files: [name: string, operator: string][] = options.operands.map((name) => [name, '<']);
	if (output !== undefined) files.push([output, '>>']);
	for (const [name, operator] of files) {
		// Opening and closing a pipe would signal the end to its writer.
		if ((name === '-' && operator === '<') || isPipe(call.shell, name)) continue;
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

/** `sort`. Holds the whole input in memory, since any line may be the first. */
const sorted = utility(
	'b|ignore-leading-blanks d|dictionary-order f|ignore-case g|general-numeric-sort i|ignore-nonprinting M|month-sort h|human-numeric-sort ' +
		'n|numeric-sort R|random-sort r|reverse V|version-sort c|check=? C k|key= m|merge o|output= s|stable t|field-separator= u|unique ' +
		'sort= -obsolescent-key= batch-size= random-source= compress-program= z|zero-terminated S|buffer-size= T|temporary-directory= parallel= debug',
	async (call, options) => {
		const manner = order(options);
		const { whole, byKeys } = manner;
		if (options.has('debug')) await startDebugging(call, options, manner);
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
		if (options.has('debug')) {
			await call.out(texts.map((text) => markedLine(text, manner)).join(''));
			return 0;
		}
		const output = texts.length ? `${texts.join(end)}${end}` : '';
		const file = options.get('o');
		if (file === undefined) await call.out(output);
		else call.shell.host.context.sync.writeFile(call.shell.path(file), encode(output));
		return 0;
	},
	2
);

export const sort: BuiltIn = (call) => sorted({ ...call, args: withObsolescentKeys(call.args) });
