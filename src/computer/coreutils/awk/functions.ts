import type { Argument, Builtin } from './builtin.ts';
import { AwkError } from './faults.ts';
import { splitAt, splitByContent } from './fields.ts';
import { type FormatFaults, sprintf } from './format.ts';
import { NUMBER_FUNCTIONS } from './number-functions.ts';
import { awkPattern, longestFrom, matchesOf } from './regexps.ts';
import type { Runtime } from './runtime.ts';
import { sortEntries } from './sorting.ts';
import { AwkArray, fromInput, isText, RegexValue, toNumber, typeName, type Value } from './values.ts';

/** Reports problems with a format through a runtime. */
export const formatFaults = (runtime: Runtime): FormatFaults => ({
	fatal: (text) => {
		throw new AwkError(text);
	},
	lint: (text) => {
		if (runtime.lint) runtime.warn(text);
	}
});

/** Warns about an argument that is not a string. */
function warnOfNumber(runtime: Runtime, value: Value, what: string): void {
	if (runtime.lint && !isText(value)) runtime.warn(what);
}

const isWide = (text: string): boolean => /[\ud800-\udbff][\udc00-\udfff]/.test(text);
const lengthOf = (text: string): number => (isWide(text) ? [...text].length : text.length);
/** Number of characters before an index of a string. */
const position = (text: string, index: number): number => lengthOf(text.slice(0, index));

function arrayOf(argument: Argument | undefined, name: string, which: string): AwkArray {
	if (!argument?.array) throw new AwkError(`${name}: ${which} argument is not an array`);
	return argument.array();
}

function replaceIn(runtime: Runtime, args: readonly Argument[], all: boolean): number {
	const [pattern, replacement, target] = args;
	if (!pattern || !replacement) throw new AwkError('sub: too few arguments');
	const expression = pattern.pattern();
	const template = runtime.text(replacement.value());
	const value = target ? target.value() : undefined;
	const text = target ? runtime.text(value) : runtime.record.text;
	const { result, count } = replaceAll(text, expression, template, all ? 0 : 1, runtime.mode.posix ? 'posix' : 'sub');
	if (count === 0) return 0;
	if (!target) runtime.record.set(result);
	else target.assign?.(value instanceof RegexValue ? new RegexValue(result) : result);
	return count;
}

/** Replaces matches in a text. `which` 0: every match; otherwise only that one. */
function replaceAll(text: string, pattern: RegExp, template: string, which: number, rules: TemplateRules) {
	const parts = templateParts(template, rules);
	let count = 0;
	let replaced = 0;
	let [result, from, lastEnd] = ['', 0, -1];
	for (const match of matchesOf(pattern, text)) {
		if (match[0] === '' && match.index === lastEnd) continue;
		lastEnd = match.index + match[0].length;
		count++;
		if (which !== 0 && count !== which) continue;
		replaced++;
		result += text.slice(from, match.index);
		for (const part of parts) result += typeof part === 'string' ? part : (match[part] ?? '');
		from = lastEnd;
		if (which !== 0) break;
	}
	return { result: result + text.slice(from), count: replaced };
}

/** Splits a replacement into text and group numbers, by the rules of `sub` or of `gensub`. */
function templateParts(template: string, rules: TemplateRules): (string | number)[] {
	const parts: (string | number)[] = [];
	let from = 0;
	for (const { 0: whole, 1: escaped = '', index } of template.matchAll(TEMPLATES[rules])) {
		parts.push(template.slice(from, index));
		from = index + whole.length;
		if (rules === 'gensub')
			parts.push(
				whole === '&' ? 0 : /^\d$/.test(escaped) ? Number(escaped) : /^[&\\]$/.test(escaped) ? escaped : whole
			);
		else if (rules === 'posix') parts.push(whole === '&' ? 0 : escaped);
		// Backslashes before `&` represent half as many; a remaining one makes it literal.
		else parts.push('\\'.repeat(Math.floor(escaped.length / 2)), escaped.length % 2 ? '&' : 0);
	}
	parts.push(template.slice(from));
	return parts;
}

type TemplateRules = 'sub' | 'posix' | 'gensub';
const TEMPLATES: Record<TemplateRules, RegExp> = { sub: /(\\*)&/g, posix: /\\([\\&])|&/g, gensub: /\\(\d|[^])|&/g };

function fill(array: AwkArray, values: readonly Value[], from = 1): void {
	array.clear();
	for (const [index, value] of values.entries()) array.set(String(index + from), value);
}

function split(runtime: Runtime, [text, into, separator, between]: readonly Argument[]): number {
	const whole = runtime.text(text?.value());
	const cutBy = separator ? separator.separator() : runtime.separator();
	const found = splitAt(whole, cutBy, { ignoreCase: runtime.ignoreCase });
	const array = arrayOf(into, 'split', 'second');
	fill(array, found.pieces.map(fromInput));
	if (between) {
		const separators = arrayOf(between, 'split', 'fourth');
		if (separators === array) throw new AwkError('split: cannot use the same array for second and fourth args');
		fill(separators, found.between.slice(1, -1));
		if (cutBy === ' ') setOuter(separators, found);
	}
	return found.pieces.length;
}

/** Blanks around all parts are stored before the first and after the last. */
function setOuter(separators: AwkArray, { pieces, between }: { pieces: string[]; between: string[] }): void {
	if (between[0]) separators.set('0', between[0]);
	const last = between.at(-1);
	if (last && pieces.length) separators.set(String(pieces.length), last);
}

function patsplit(runtime: Runtime, [text, into, pattern, between]: readonly Argument[]): number {
	const found = splitByContent(
		runtime.text(text?.value()),
		pattern ? pattern.pattern() : runtime.pattern(runtime.get('FPAT'))
	);
	fill(arrayOf(into, 'patsplit', 'second'), found.pieces.map(fromInput));
	if (between) fill(arrayOf(between, 'patsplit', 'fourth'), found.between, 0);
	return found.pieces.length;
}

function match(runtime: Runtime, [text, pattern, into]: readonly Argument[]): number {
	const whole = runtime.text(text?.value());
	const expression = pattern?.pattern() ?? awkPattern('');
	const found = longestFrom(expression, whole, 0);
	runtime.set('RSTART', found ? position(whole, found.index) + 1 : 0);
	runtime.set('RLENGTH', found ? lengthOf(found.text) : -1);
	if (into) {
		const array = arrayOf(into, 'match', 'third');
		array.clear();
		const groups = new RegExp(expression.source, `${expression.flags}d`).exec(whole);
		for (const [index, group] of (groups ?? []).entries()) {
			const place = groups?.indices?.[index];
			if (group === undefined || !place) continue;
			array.set(String(index), fromInput(group));
			array.set(`${index}${runtime.subscript}start`, position(whole, place[0]) + 1);
			array.set(`${index}${runtime.subscript}length`, lengthOf(group));
		}
	}
	return found ? position(whole, found.index) + 1 : 0;
}

function substr(runtime: Runtime, [text, start, length]: readonly Argument[]): string {
	const whole = runtime.text(text?.value());
	const given = Math.trunc(toNumber(start?.value()));
	const wanted = length ? Math.trunc(toNumber(length.value())) : Infinity;
	if (Number.isNaN(wanted) || wanted < 1) return '';
	// As in gawk: a start before the text becomes its start, and the length is unchanged.
	const first = given >= 1 ? given - 1 : 0;
	const last = first + wanted;
	return isWide(whole) ? [...whole].slice(first, last).join('') : whole.slice(first, last);
}

function gensub(runtime: Runtime, [pattern, replacement, how, target]: readonly Argument[]): string {
	const expression = pattern?.pattern() ?? awkPattern('');
	const template = runtime.text(replacement?.value());
	const which = how?.value();
	const text = target ? runtime.text(target.value()) : runtime.record.text;
	const word = runtime.text(which);
	if (/^[gG]/.test(word)) return replaceAll(text, expression, template, 0, 'gensub').result;
	const number = toNumber(which);
	if (number < 1) runtime.warn(`gensub: third argument \`${word}' treated as 1`);
	return replaceAll(text, expression, template, Math.max(1, Math.trunc(number)), 'gensub').result;
}

/** Kind of table in which gawk stores an array, by its keys. */
function tableOf(array: AwkArray): string {
	const keys = [...array.keys()];
	if (keys.length === 0) return 'null';
	if (!keys.every((key) => /^-?(?:0|[1-9]\d*)$/.test(key))) return 'str';
	return keys.some((key) => /^[1-9]/.test(key)) ? 'cint' : 'int';
}

function typeOf(_runtime: Runtime, [argument, details]: readonly Argument[]): string {
	const value = argument?.place ? argument.place() : argument?.isRegexp ? new RegexValue('') : argument?.value();
	if (!(value instanceof AwkArray)) return typeName(value);
	if (details) arrayOf(details, 'typeof', 'second').set('array_type', tableOf(value));
	return 'array';
}

function sorted(by: 'keys' | 'values'): Builtin {
	const name = by === 'keys' ? 'asorti' : 'asort';
	return (runtime, [from, into, how], services) => {
		const array = arrayOf(from, name, 'first');
		const target = into ? arrayOf(into, name, 'second') : array;
		const order = how ? runtime.text(how.value()) : by === 'keys' ? '@ind_str_asc' : '@val_type_asc';
		const entries = sortEntries(runtime, [...array], order, services.call, services.isFunction);
		target.clear();
		for (const [index, [key, value]] of entries.entries()) target.set(String(index + 1), by === 'keys' ? key : value);
		return entries.length;
	};
}

function closed(runtime: Runtime, [name, how]: readonly Argument[]): number {
	const end = how ? runtime.text(how.value()).toLowerCase() : null;
	if (end !== null && end !== 'to' && end !== 'from')
		throw new AwkError("close: second argument must be `to' or `from'");
	const status = runtime.files.close(runtime.text(name?.value()), end);
	if (status === -1) runtime.set('ERRNO', 'close of redirection that was never opened');
	return status;
}

function textLength(runtime: Runtime, value: Value): number {
	if (value !== null && value !== undefined) warnOfNumber(runtime, value, 'length: received non-string argument');
	return lengthOf(runtime.text(value));
}

/** The built-in functions of awk and gawk. */
export const BUILTINS: Record<string, Builtin> = {
	...NUMBER_FUNCTIONS,
	length: (runtime, [argument]) => {
		if (!argument) return lengthOf(runtime.record.text);
		if (!argument.place) return textLength(runtime, argument.value());
		const held = argument.place();
		if (held instanceof AwkArray) return held.size;
		// Looked up only once: the subscript may have side effects.
		const value = held === undefined || held === null ? (argument.isVariable ? argument.value() : null) : held;
		return textLength(runtime, value);
	},
	substr,
	index: (runtime, [text, part]) => {
		if (part?.isRegexp) throw new AwkError('index: regexp constant as second argument is not allowed');
		const [first, second] = [text?.value(), part?.value()];
		warnOfNumber(runtime, first, 'index: received non-string first argument');
		warnOfNumber(runtime, second, 'index: received non-string second argument');
		const [whole, wanted] = [runtime.text(first), runtime.text(second)];
		const at = runtime.ignoreCase ? whole.toLowerCase().indexOf(wanted.toLowerCase()) : whole.indexOf(wanted);
		return at < 0 ? 0 : position(whole, at) + 1;
	},
	split,
	patsplit,
	sub: (runtime, args) => replaceIn(runtime, args, false),
	gsub: (runtime, args) => replaceIn(runtime, args, true),
	gensub,
	match,
	sprintf: (runtime, [format, ...values]) =>
		sprintf(
			runtime.text(format?.value()),
			values.map((value) => value.value()),
			runtime.numberFormat,
			formatFaults(runtime)
		),
	tolower: (runtime, [text]) => runtime.text(text?.value()).toLowerCase(),
	toupper: (runtime, [text]) => runtime.text(text?.value()).toUpperCase(),
	system: (runtime, [command]) => {
		if (runtime.mode.sandbox) throw new AwkError("`system' function not allowed in sandbox mode");
		return runtime.files.system(runtime.text(command?.value()));
	},
	close: closed,
	fflush: (runtime, [name]) => {
		runtime.files.flushFiles();
		if (!name) return 0;
		const text = runtime.text(name.value());
		if (runtime.files.isClosedTo(text)) {
			runtime.warn(`fflush: cannot flush: two-way pipe \`${text}' has closed write end`);
			return -1;
		}
		return text === '' || runtime.files.isOpen(text) || text === '/dev/stdout' ? 0 : -1;
	},
	typeof: typeOf,
	isarray: (_runtime, [argument]) => (argument?.place?.() instanceof AwkArray ? 1 : 0),
	asort: sorted('values'),
	asorti: sorted('keys'),
	dcgettext: (runtime, [text]) => runtime.text(text?.value()),
	dcngettext: (runtime, [one, many, count]) => runtime.text((toNumber(count?.value()) === 1 ? one : many)?.value()),
	bindtextdomain: (runtime, [directory]) => runtime.text(directory?.value())
};
