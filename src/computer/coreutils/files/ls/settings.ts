import type { Call } from '#computer/shell/state/host.ts';
import { globRegExp } from '#computer/shell/expansion/pattern.ts';
import { blockSizeOf, type BlockSize, readBlockSize } from '../../block-size.ts';
import { type Options, UsageError } from '../../options.ts';
import { type QuotingStyle, readQuotingStyle } from '../../quoting.ts';
import { Colours } from './colours.ts';
import { type TimeFormats, timeFormatsOf } from './time-style.ts';

export type Format = 'long' | 'single' | 'columns' | 'across' | 'commas';
export type SortKey = 'none' | 'name' | 'extension' | 'size' | 'time' | 'version' | 'width';
/** Files that get a suffix for their kind; each value includes the previous ones. */
export type Marks = 'none' | 'slash' | 'file-type' | 'classify';

/** Options of one call of `ls`. */
export interface Settings {
	format: Format;
	sort: SortKey;
	isReversed: boolean;
	groupsDirectories: boolean;
	hidden: 'left out' | 'all' | 'almost all';
	isLeftOut(name: string): boolean;
	isRecursive: boolean;
	showsDirectories: boolean;
	/** Links that are followed: none, those among the operands, only operands that lead to directories, or all. */
	follows: 'none' | 'operands' | 'directories' | 'all';
	quoting: QuotingStyle;
	hidesControls: boolean;
	/** An unquoted name gets a space before it if other names are quoted. */
	alignsQuotes: boolean;
	marks: Marks;
	colours: Colours | null;
	isLinked: boolean;
	isDired: boolean;
	end: '\n' | '\0';
	lineLength: number;
	tabSize: number;
	hasInode: boolean;
	hasBlocks: boolean;
	hasContext: boolean;
	hasOwner: boolean;
	hasGroup: boolean;
	hasAuthor: boolean;
	isNumeric: boolean;
	blockSize: BlockSize;
	fileSize: BlockSize;
	time: TimeFormats;
	timeField: TimeField;
	zone: string | undefined;
}

const FORMATS: Record<string, Format> = {
	...{ verbose: 'long', long: 'long', commas: 'commas', horizontal: 'across', across: 'across' },
	...{ vertical: 'columns', 'single-column': 'single' }
};
const FORMAT_LETTERS: Record<string, Format> = {
	...{ l: 'long', g: 'long', o: 'long', n: 'long', 'full-time': 'long' },
	...{ C: 'columns', x: 'across', m: 'commas' }
};
const SORTS: Record<string, SortKey> = {
	...{ none: 'none', time: 'time', size: 'size', extension: 'extension', version: 'version', width: 'width' }
};
const SORT_LETTERS: Record<string, SortKey> = {
	...{ U: 'none', f: 'none', S: 'size', t: 'time', v: 'version', X: 'extension' }
};
const MARKS: Record<string, Marks> = {
	...{ none: 'none', slash: 'slash', 'file-type': 'file-type', classify: 'classify' }
};
/** Time shown and sorted by. Files here have no creation time. */
type TimeField = 'modifiedMs' | 'accessedMs' | 'changedMs';
const TIMES: Record<string, { field: TimeField; name: string }> = {};
for (const [field, ...names] of [
	['accessedMs', 'atime', 'access', 'use'],
	['changedMs', 'ctime', 'status'],
	['modifiedMs', 'birth', 'creation']
] as const) {
	const time = { field, name: names[0] };
	for (const name of names) TIMES[name] = time;
}
const WHEN = {
	always: true,
	yes: true,
	force: true,
	never: false,
	no: false,
	none: false,
	auto: null,
	tty: null,
	'if-tty': null
};

/** Looks up a word, which may be abbreviated. @throws UsageError naming the option */
function wordOf<Value>(table: Readonly<Record<string, Value>>, word: string, option: string): Value {
	const matching = Object.keys(table).filter((name) => name.startsWith(word));
	const values = new Set(matching.map((name) => table[name]));
	const found = Object.hasOwn(table, word) ? table[word] : values.size === 1 ? [...values][0] : undefined;
	if (found !== undefined) return found;
	const lines = new Map<Value, string[]>();
	for (const [name, value] of Object.entries(table)) lines.set(value, [...(lines.get(value) ?? []), `'${name}'`]);
	const valid = [...lines.values()].map((names) => `  - ${names.join(', ')}`).join('\n');
	throw new UsageError(
		`${matching.length > 1 ? 'ambiguous' : 'invalid'} argument '${word}' for '${option}'\nValid arguments are:\n${valid}`,
		true,
		1
	);
}

/** True if `--color`, `--hyperlink` or `--classify` is on: never, always, or only on a terminal. @throws UsageError */
function isOn(value: string | undefined, option: string, isTerminal: boolean): boolean {
	if (value === undefined) return false;
	if (value === '') return true;
	return wordOf(WHEN, value, option) ?? isTerminal;
}

function formatOf(options: Options, usual: Format): Format {
	let format: Format | undefined;
	for (const { name, value } of options.given) {
		if (name === 'format') format = wordOf(FORMATS, value, '--format');
		else if (name === '1' || name === 'zero') format = format === 'long' ? 'long' : 'single';
		else if (name === 'f') format = format === 'long' ? undefined : format;
		else format = FORMAT_LETTERS[name] ?? format;
	}
	return format ?? usual;
}

function timeFieldOf(options: Options): TimeField {
	let field: TimeField = 'modifiedMs';
	for (const { name, value } of options.given) {
		if (name === 'c') field = 'changedMs';
		else if (name === 'u') field = 'accessedMs';
		else if (name === 'time') field = wordOf(TIMES, value, '--time').field;
	}
	return field;
}

function sortOf(options: Options, isLong: boolean): SortKey {
	let sort: SortKey | undefined;
	let isTimed = false;
	for (const { name, value } of options.given) {
		if (name === 'sort') sort = wordOf(SORTS, value, '--sort');
		else sort = SORT_LETTERS[name] ?? sort;
		isTimed ||= /^(?:c|u|time)$/.test(name);
	}
	return sort ?? (isTimed && !isLong ? 'time' : 'name');
}

function marksOf(options: Options, isTerminal: boolean): Marks {
	let marks: Marks = 'none';
	for (const { name, value } of options.given) {
		if (name === 'F') marks = 'classify';
		else if (name === 'classify' && isOn(value, '--classify', isTerminal)) marks = 'classify';
		else if (name === 'p') marks = 'slash';
		else if (name === 'file-type') marks = 'file-type';
		else if (name === 'indicator-style') marks = wordOf(MARKS, value, '--indicator-style');
	}
	return marks;
}

function quotingOf(call: Call, options: Options, usual: QuotingStyle): QuotingStyle {
	const letters: Record<string, QuotingStyle> = { N: 'literal', zero: 'literal', b: 'escape', Q: 'c' };
	const last = options.given.findLast(({ name }) => name === 'quoting-style' || name in letters);
	if (last) return letters[last.name] ?? readQuotingStyle(last.value, '--quoting-style');
	const variable = call.shell.variables.exported('QUOTING_STYLE');
	try {
		return variable ? readQuotingStyle(variable, 'QUOTING_STYLE') : usual;
	} catch {
		void call.complain(`ignoring invalid value of environment variable QUOTING_STYLE: '${variable}'`);
		return usual;
	}
}

/** Parses a length with C's number prefixes: `10`, `0x10`, `010`; null if invalid. */
function lengthOf(text: string): number | null {
	if (/^0[0-7]*$/.test(text)) return parseInt(text, 8);
	return /^(?:0x[\da-f]+|[1-9]\d*)$/i.test(text) ? Number(text) : null;
}

/** Line length: `-w`, COLUMNS, the terminal's, or 80. 0 is unlimited. @throws UsageError */
function lineLengthOf(call: Call, options: Options, isTerminal: boolean): number {
	const given = options.get('w');
	if (given !== undefined) {
		const length = lengthOf(given);
		if (length === null) throw new UsageError(`invalid line width: '${given}'`);
		return length;
	}
	const variable = call.shell.variables.exported('COLUMNS');
	if (isTerminal) return call.shell.host.context.sync.terminalSize().columns;
	if (!variable) return 80;
	const length = lengthOf(variable);
	if (length !== null) return length;
	void call.complain(`ignoring invalid width in environment variable COLUMNS: '${variable}'`);
	return 80;
}

function leftOut(options: Options): (name: string) => boolean {
	const patterns = [...options.all('I'), ...(options.has('B') ? ['*~', '.*~'] : [])];
	if (!options.has('a', 'A', 'f')) patterns.push(...options.all('hide'));
	const tests = patterns.map((text) => ({ test: globRegExp(text), isHidden: text.startsWith('.') }));
	return (name) => tests.some(({ test, isHidden }) => (isHidden || !name.startsWith('.')) && test.test(name));
}

function followsOf(options: Options, isDirect: boolean): Settings['follows'] {
	const last = options.last('L', 'H', 'dereference-command-line-symlink-to-dir');
	if (last === 'L') return 'all';
	if (last === 'H') return 'operands';
	return last === undefined && isDirect ? 'none' : 'directories';
}

function blockSizesOf(call: Call, options: Options): { blockSize: BlockSize; fileSize: BlockSize } {
	const variable = (name: string) => call.shell.variables.exported(name) || undefined;
	const given = options.given
		.filter(({ name }) => /^(?:h|si|block-size)$/.test(name))
		.map(({ name, value }) => ({ name: name === 'block-size' ? 'B' : name, value }));
	if (given.length) {
		const size = blockSizeOf(given, []);
		return { blockSize: size, fileSize: size };
	}
	const own = variable('LS_BLOCK_SIZE') ?? variable('BLOCK_SIZE');
	const usual: BlockSize = { bytes: variable('POSIXLY_CORRECT') === undefined ? 1024 : 512, unit: '' };
	const read = (text: string | undefined): BlockSize => {
		try {
			return text === undefined ? usual : readBlockSize(text, '--block-size');
		} catch {
			// GNU's commands ignore an invalid size in the environment.
			return usual;
		}
	};
	const blockSize = options.has('k') ? { bytes: 1024, unit: '' } : read(own ?? variable('BLOCKSIZE'));
	return { blockSize, fileSize: own === undefined ? { bytes: 1, unit: '' } : read(own) };
}

/** Settings of a call of `ls`, `dir` or `vdir`. @throws UsageError */
export function settingsOf(call: Call, options: Options): Settings {
	const kernel = call.shell.descriptors.get(1)?.kernel;
	const isTerminal = kernel !== undefined && call.shell.host.context.sync.isTerminal(kernel);
	const isLs = call.name !== 'dir' && call.name !== 'vdir';
	const usual: Format = call.name === 'vdir' ? 'long' : isTerminal || !isLs ? 'columns' : 'single';
	const format = formatOf(options, usual);
	const isLong = format === 'long';
	const isZero = options.has('zero');
	const marks = marksOf(options, isTerminal);
	const isPlain = isZero || options.has('f');
	const isColoured = isOn(options.get('color'), '--color', isTerminal) && !isPlain;
	const colours = isColoured ? Colours.from(call) : null;
	const isLinked = isOn(options.get('hyperlink'), '--hyperlink', isTerminal) && !isPlain;
	const isDired = options.has('D') && isLong && !isLinked;
	if (isDired && isZero) throw new UsageError('--dired and --zero are incompatible');
	const quoting = quotingOf(call, options, isLs ? (isTerminal ? 'shell-escape' : 'literal') : 'escape');
	const lineLength = lineLengthOf(call, options, isTerminal);
	const hidden = options.last('a', 'A', 'f');
	const tabs = options.get('T') ?? call.shell.variables.exported('TABSIZE') ?? '8';
	const tabSize = lengthOf(tabs);
	if (tabSize === null) throw new UsageError(`invalid tab size: '${tabs}'`);
	return {
		format,
		sort: sortOf(options, isLong),
		isReversed: options.has('r'),
		groupsDirectories: options.has('group-directories-first'),
		hidden: hidden === undefined ? 'left out' : hidden === 'A' ? 'almost all' : 'all',
		isLeftOut: leftOut(options),
		isRecursive: options.has('R') && !options.has('d'),
		showsDirectories: options.has('d'),
		follows: followsOf(options, options.has('d') || marks === 'classify' || isLong),
		quoting,
		hidesControls: !isZero && (options.last('q', 'show-control-chars') ?? (isLs && isTerminal ? 'q' : '')) === 'q',
		alignsQuotes:
			(isLong || ((format === 'columns' || format === 'across') && lineLength > 0)) &&
			/^(?:shell|shell-escape|c-maybe)$/.test(quoting),
		marks,
		colours,
		isLinked,
		isDired,
		end: isZero ? '\0' : '\n',
		lineLength,
		tabSize: colours ? 0 : tabSize,
		hasInode: options.has('i'),
		hasBlocks: options.has('s') && !options.has('f'),
		hasContext: options.has('Z'),
		hasOwner: !options.has('g'),
		hasGroup: !options.has('G', 'o'),
		hasAuthor: options.has('author'),
		isNumeric: options.has('n'),
		...blockSizesOf(call, options),
		time: timeFormatsOf(call, options),
		timeField: timeFieldOf(options),
		zone: call.shell.variables.exported('TZ')
	};
}
