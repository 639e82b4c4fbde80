import { type Key, keyRange, ORDERINGS } from './sort-key.ts';

const isNumeric = ({ letters }: Pick<Key, 'letters'>) => /[ngh]/.test(letters);

/** Settings of a call, for the report of `sort --debug`. */
export interface SortManner {
	/** Keys in order; the global options alone form one. */
	keys: readonly Key[];
	/** Set if the only key is that of the global options. */
	isWhole: boolean;
	globals: string;
	separator: string | undefined;
	/** `-s` or `-u`: lines with equal keys are equal. */
	isStable: boolean;
}

/** Warnings of `--debug` about likely mistakes. */
export function sortWarnings(manner: SortManner): string[] {
	const ofKeys = manner.keys.flatMap((key, index) => [...keyWarnings(key, index + 1, manner)]);
	return [...ofKeys, ...numberWarnings(manner), ...unusedOptions(manner)];
}

const hasZeroWidth = ({ from, to }: Key) => to !== null && to[0] < from[0];

function* keyWarnings(key: Key, number: number, { isWhole, separator }: SortManner): Generator<string> {
	const { obsolescent, from, to, skipsBlanks, letters } = key;
	if (obsolescent) yield `obsolescent key '${obsolescent.used}' used; consider '${obsolescent.instead}' instead`;
	const isEmpty = hasZeroWidth(key);
	if (isEmpty) yield `key ${number} has zero width and will be ignored`;
	const skipsAnyway = isNumeric(key) || letters.includes('M');
	const isWithinFirst = to !== null && to[0] === 1 && to[1] !== 0;
	const countsBlanks =
		(!skipsBlanks.start && (!skipsAnyway || from[1] > 1)) || (!skipsBlanks.end && to !== null && to[1] !== 0);
	if (!isEmpty && !isWhole && separator === undefined && !isWithinFirst && countsBlanks)
		yield `leading blanks are significant in key ${number}; consider also specifying 'b'`;
	if (spansFields(key, isWhole)) yield `key ${number} is numeric and spans multiple fields`;
}

const spansFields = (key: Key, isWhole: boolean) =>
	!isWhole && isNumeric(key) && (key.to === null || key.from[0] < key.to[0]);

function* numberWarnings({ keys, isWhole, separator }: SortManner): Generator<string> {
	const spanning = keys.filter((key) => spansFields(key, isWhole));
	const isGeneral = spanning.some(({ letters }) => letters.includes('g'));
	const use =
		separator === '.'
			? 'decimal point'
			: separator === '-'
				? 'minus sign'
				: separator === '+' && isGeneral
					? 'plus sign'
					: '';
	if (spanning.length > 0 && use !== '') yield `field separator '${separator}' is treated as a ${use} in numbers`;
	if (keys.some(isNumeric) && !(spanning.length > 0 && separator === '.'))
		yield "note numbers use '.' as a decimal point in this locale";
}

/** Global options that no key uses. */
function* unusedOptions({ keys, isWhole, globals, isStable }: SortManner): Generator<string> {
	const isUsed = (letter: string) =>
		letter === 'b'
			? keys.some(({ skipsBlanks }) => skipsBlanks.start) && keys.some(({ skipsBlanks }) => skipsBlanks.end)
			: keys.some(({ letters }) => letters.includes(letter));
	const unused = [...ORDERINGS].filter(
		(letter) => globals.includes(letter) && !isWhole && keys.length > 0 && !isUsed(letter)
	);
	const ignored = unused.filter((letter) => letter !== 'r' || isStable).join('');
	if (ignored !== '')
		yield ignored.length > 1 ? `options '-${ignored}' are ignored` : `option '-${ignored}' is ignored`;
	if (unused.includes('r') && !isStable) yield "option '-r' only applies to last-resort comparison";
}

/** Formats a line for `--debug`: its text, then a line of marks for each comparison. */
export function markedLine(line: string, manner: SortManner): string {
	const { keys, separator, isStable, isWhole } = manner;
	let text = `${line.replaceAll('\t', '>')}\n`;
	for (const key of keys) {
		const range = isWhole ? ([0, line.length] as const) : keyRange(line, key, separator);
		text += marks(line, ...compared(line, range, key, isWhole));
	}
	return keys.length === 0 || !isStable ? text + marks(line, 0, line.length) : text;
}

/** Part of a key's text that is actually compared. */
function compared(line: string, [from, end]: readonly [number, number], key: Key, isWhole: boolean): [number, number] {
	const { letters, skipsBlanks } = key;
	let start = from;
	if (isNumeric(key) || letters.includes('M') || (isWhole && skipsBlanks.start))
		while (start < end && /\s/.test(line[start] ?? '')) start++;
	if (end <= start) return [start, start];
	const text = line.slice(start, end);
	if (letters.includes('M')) return [start, start + lengthOf(MONTH, text)];
	if (letters.includes('g')) return [start, start + lengthOf(GENERAL, text)];
	if (letters.includes('h')) return [start, start + lengthOf(HUMAN, text)];
	return letters.includes('n') ? [start, start + lengthOf(NUMBER, text)] : [start, end];
}

const MONTH = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const GENERAL = /^[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|inf(?:inity)?|nan)/i;
const NUMBER = /^-?(?:\d+\.?\d*|\.\d+)/;
const HUMAN = /^-?(?:\d+\.?\d*|\.\d+)[KMGTPEZYk]?/;

const lengthOf = (pattern: RegExp, text: string) => pattern.exec(text)?.[0].length ?? 0;

/** Number of columns of text: control characters except the tab have none. */
const widthOf = (text: string) => [...text.replace(/[\0-\x08\x0a-\x1f\x7f]/g, '')].length;

function marks(line: string, start: number, end: number): string {
	const width = widthOf(line.slice(start, end));
	return ' '.repeat(widthOf(line.slice(0, start))) + (width > 0 ? '_'.repeat(width) : '^ no match for key') + '\n';
}

/** Notes of `--debug` on collation, which come first. */
export function collationNotes(locale: string): string[] {
	const plain = 'text ordering performed using simple byte comparison';
	if (/^C\.utf-?8$/i.test(locale)) return [`text ordering performed using '${locale}' sorting rules`];
	return /^(?:C|POSIX|)$/.test(locale) ? [plain] : ['failed to set locale', plain];
}
