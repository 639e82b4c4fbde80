import { PatternError, posixPattern } from '../posix-pattern.ts';
import { type Options, UsageError } from '../../options.ts';
import type { LineRules } from './changes.ts';
import { conditionFormats, type Formats } from './format-output.ts';
import type { LineStyle } from './line-style.ts';
import { type Painter, painterOf, plain } from './painter.ts';

export const SPECIFICATION =
	'u U= unified=? c C= context=? normal e|ed f|forward-ed n|rcs y|side-by-side q|brief s|report-identical-files p|show-c-function ' +
	'F|show-function-line= label|L= t|expand-tabs T|initial-tab tabsize= suppress-blank-empty l|paginate r|recursive ' +
	'no-dereference N|new-file P|unidirectional-new-file ignore-file-name-case no-ignore-file-name-case x|exclude= X|exclude-from= ' +
	'S|starting-file= from-file= to-file= i|ignore-case E|ignore-tab-expansion Z|ignore-trailing-space b|ignore-space-change ' +
	'w|ignore-all-space B|ignore-blank-lines I|ignore-matching-lines= a|text strip-trailing-cr D|ifdef= d|minimal ' +
	'horizon-lines= H|speed-large-files color=? palette= -presume-output-tty W|width= left-column suppress-common-lines ' +
	'old-group-format= new-group-format= unchanged-group-format= changed-group-format= line-format= old-line-format= ' +
	'new-line-format= unchanged-line-format= 0 1 2 3 4 5 6 7 8 9';

export type Form = 'normal' | 'unified' | 'context' | 'ed' | 'forward' | 'rcs' | 'columns' | 'formats';

/** Settings for comparing two files and showing the result. */
export interface Settings {
	options: Options;
	form: Form;
	context: number;
	/** Number of lines of the common start and end to compare too. */
	horizon: number;
	rules: LineRules;
	style: LineStyle;
	isFunction: ((line: string) => boolean) | null;
	formats: Formats | null;
	paint: Painter;
	width: number;
	tab: number;
}

const FORMS: Readonly<Record<string, Form>> = {
	...{ u: 'unified', U: 'unified', unified: 'unified', c: 'context', C: 'context', context: 'context' },
	...{ normal: 'normal', e: 'ed', f: 'forward', n: 'rcs', y: 'columns', D: 'formats' }
};

/** @param isTerminal whether the output is a terminal with color support. @throws UsageError */
export function settingsOf(options: Options, isTerminal: boolean): Settings {
	const isFunction = functionTest(options);
	const tab = sizeOf(options, 'tabsize', 'tabsize') ?? 8;
	const formats = formatsOf(options);
	const when = options.has('color') ? options.get('color') || 'auto' : 'never';
	if (!/^(?:never|always|auto)$/.test(when)) throw new UsageError(`invalid color '${when}'`, true);
	const isPainted = when === 'always' || (when === 'auto' && (isTerminal || options.has('-presume-output-tty')));
	if (options.all('D').length > 1) throw new UsageError(`conflicting -D option value '${options.get('D')}'`, true);
	const form = formOf(options, formats !== null);
	const context = contextOf(options);
	return {
		...{ options, form, context, rules: rulesOf(options, tab) },
		horizon: Math.max(horizonOf(options), form === 'unified' || form === 'context' ? context : 0),
		style: {
			hasInitialTab: options.has('T'),
			leavesBlankEmpty: options.has('suppress-blank-empty'),
			expandedTab: options.has('t') ? tab : null
		},
		...{ isFunction, formats, width: sizeOf(options, 'W', 'width') ?? 130, tab },
		paint: isPainted ? painterOf(options.get('palette') ?? '') : plain
	};
}

/** @throws UsageError if two formats are requested */
function formOf(options: Options, hasFormats: boolean): Form {
	const asked = new Set(options.given.flatMap(({ name }) => FORMS[name] ?? []));
	if (hasFormats) asked.add('formats');
	if (asked.size > 1) throw new UsageError('conflicting output style options', true);
	const [form] = asked;
	return form ?? (options.has('p') ? 'context' : 'normal');
}

/** Number of context lines: `-U 5`, `-u5`, `-5`. @throws UsageError */
function contextOf(options: Options): number {
	let lines = 3;
	let digits = '';
	for (const { name, value } of options.given) {
		digits = /^\d$/.test(name) ? digits + name : '';
		if (digits !== '') lines = Number(digits);
		if (!['U', 'unified', 'C', 'context'].includes(name) || (value === '' && name.length > 1)) continue;
		if (!/^\d+$/.test(value)) throw new UsageError(`invalid context length '${value}'`, true);
		lines = Number(value);
	}
	return lines;
}

/** @throws UsageError */
function horizonOf(options: Options): number {
	const value = options.get('horizon-lines') ?? '0';
	if (!/^\d+$/.test(value)) throw new UsageError(`invalid horizon length '${value}'`, true);
	return Number(value);
}

function sizeOf(options: Options, name: string, noun: string): number | undefined {
	const value = options.get(name);
	if (value === undefined) return undefined;
	if (!/^\d+$/.test(value) || Number(value) === 0 || Number(value) > Number.MAX_SAFE_INTEGER)
		throw new UsageError(`invalid ${noun} '${value}'`, true);
	return Number(value);
}

function formatsOf(options: Options): Formats | null {
	const hasLines = options.given.some(({ name }) => name.endsWith('line-format'));
	const hasGroups = options.given.some(({ name }) => name.endsWith('group-format'));
	const condition = options.get('D');
	if (condition === undefined && !hasLines && !hasGroups) return null;
	const line = (kind: string): string => {
		const last = options.last('line-format', `${kind}-line-format`);
		return last === undefined ? '%l\n' : (options.get(last) ?? '');
	};
	const given = condition === undefined ? null : conditionFormats(condition);
	const group = (kind: keyof Formats['groups'], otherwise: string): string =>
		options.get(`${kind}-group-format`) ?? given?.[kind] ?? otherwise;
	const changed = options.get('changed-group-format');
	const [old, added] = [group('old', changed ?? '%<'), group('new', changed ?? '%>')];
	const groups = { old, new: added, unchanged: group('unchanged', '%='), changed: group('changed', old + added) };
	return { groups, lines: { old: line('old'), new: line('new'), unchanged: line('unchanged') } };
}

/** @throws UsageError for an invalid pattern */
function functionTest(options: Options): ((line: string) => boolean) | null {
	const patterns = options.all('F').map((pattern) => expression(pattern));
	if (options.has('p')) patterns.push(/^[\p{L}$_]/u);
	return patterns.length === 0 ? null : (line) => patterns.some((one) => one.test(line));
}

function expression(pattern: string): RegExp {
	try {
		return posixPattern(pattern, { extended: false });
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		throw new UsageError(`${pattern}: ${error.message}`, false);
	}
}

/** White space as in C. */
const SPACE = /[ \t\v\f\r]+/g;
const SPACE_AT_END = /[ \t\v\f\r]+$/;

function rulesOf(options: Options, tab: number): LineRules {
	let key: (line: string) => string = (line) => line;
	if (options.has('E')) key = (line) => expanded(line, tab);
	if (options.has('w')) key = (line) => line.replace(SPACE, '');
	else if (options.has('b')) key = (line) => line.replace(SPACE_AT_END, '').replace(SPACE, ' ');
	else if (options.has('Z')) key = after(key, (line) => line.replace(SPACE_AT_END, ''));
	if (options.has('i')) key = after(key, (line) => line.toLowerCase());
	const ignoresSpace = options.has('w', 'b', 'Z');
	// An ed script cannot remove a line end.
	const ignoresEnd = ignoresSpace || options.has('e', 'f');
	const patterns = options.all('I').map((pattern) => expression(pattern));
	const isBlank = ignoresSpace ? (line: string) => line.replace(SPACE, '') === '' : (line: string) => line === '';
	const isIgnorable =
		options.has('B') || patterns.length > 0
			? (line: string) => (options.has('B') && isBlank(line)) || patterns.some((one) => one.test(line))
			: null;
	return { key, ignoresEnd, isIgnorable };
}

const after = (one: (line: string) => string, two: (line: string) => string) => (line: string) => two(one(line));

function expanded(line: string, tab: number): string {
	let text = '';
	for (const character of line) text += character === '\t' ? ' '.repeat(tab - (text.length % tab)) : character;
	return text;
}
