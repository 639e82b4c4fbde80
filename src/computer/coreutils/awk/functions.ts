import { strftime } from '../time/strftime.ts';
import { UTC, zoneOf } from '../time/zone.ts';
import { awkPattern, splitText } from './record.ts';
import type { Runtime } from './runtime.ts';
import { AwkError } from './tokens.ts';
import { type AwkArray, fromInput, sprintf, toNumber, toText, type Value } from './values.ts';

/** An argument as a function may want it: its value, the array it names, a pattern, a place to write to. */
export interface Argument {
	value(): Value;
	array(): AwkArray;
	pattern(): RegExp;
	separator(): string | RegExp;
	assign(value: Value): void;
}

type AwkFunction = (runtime: Runtime, args: readonly Argument[]) => Value;

const numeric =
	(compute: (a: number, b: number) => number): AwkFunction =>
	(_runtime, [a, b]) =>
		compute(toNumber(a?.value()), toNumber(b?.value()));

function replaceIn(runtime: Runtime, args: readonly Argument[], all: boolean): number {
	const [pattern, replacement, target] = args;
	if (!pattern || !replacement) throw new AwkError('sub: too few arguments');
	const text = target ? runtime.text(target.value()) : runtime.record.text;
	const { result, count } = replaceAll(text, pattern.pattern(), runtime.text(replacement.value()), all ? 0 : 1, false);
	if (count === 0) return 0;
	if (target) target.assign(result);
	else runtime.record.set(result);
	return count;
}

/** `which` 0: every match; otherwise only that one. `groups`: `\1` means a group, as in `gensub`. */
function replaceAll(text: string, pattern: RegExp, template: string, which: number, groups: boolean) {
	const search = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
	let count = 0;
	let [result, from, lastEnd] = ['', 0, -1];
	for (const match of text.matchAll(search)) {
		if (match[0] === '' && match.index === lastEnd) continue;
		lastEnd = match.index + match[0].length;
		count++;
		if (which !== 0 && count !== which) continue;
		result += text.slice(from, match.index);
		result += template.replace(/\\\\&|\\(&|\\|\d)|&/g, (whole, escaped?: string) => {
			if (whole === '&') return match[0];
			if (whole === '\\\\&') return `\\${match[0]}`;
			if (escaped !== undefined && /\d/.test(escaped)) return groups ? (match[Number(escaped)] ?? '') : whole;
			return escaped ?? whole;
		});
		from = lastEnd;
		if (which !== 0) return { result: result + text.slice(from), count };
	}
	return { result: result + text.slice(from), count: which > 0 ? 0 : count };
}

function environmentOf(runtime: Runtime, name: string): string | undefined {
	const value = runtime.array('ENVIRON').get(name);
	return value === undefined ? undefined : runtime.text(value);
}

/** awk's own functions, with the ones of gawk that people use. */
export const FUNCTIONS: Record<string, AwkFunction> = {
	length: (runtime, [value]) => (value ? [...runtime.text(value.value())].length : [...runtime.record.text].length),
	substr: (runtime, [text, start, length]) => {
		const characters = [...runtime.text(text?.value())];
		const from = Math.round(toNumber(start?.value()));
		const to = length ? from + Math.round(toNumber(length.value())) : Infinity;
		return characters.slice(Math.max(0, from - 1), Math.max(0, to - 1)).join('');
	},
	index: (runtime, [text, part]) => {
		const whole = runtime.text(text?.value());
		const at = whole.indexOf(runtime.text(part?.value()));
		return at < 0 ? 0 : [...whole.slice(0, at)].length + 1;
	},
	split: (runtime, [text, into, separator]) => {
		const pieces = splitText(runtime.text(text?.value()), separator ? separator.separator() : runtime.separator());
		const array = into?.array();
		array?.clear();
		for (const [index, piece] of pieces.entries()) array?.set(String(index + 1), fromInput(piece));
		return pieces.length;
	},
	sub: (runtime, args) => replaceIn(runtime, args, false),
	gsub: (runtime, args) => replaceIn(runtime, args, true),
	gensub: (runtime, [pattern, replacement, how, target]) => {
		const text = target ? runtime.text(target.value()) : runtime.record.text;
		const which = runtime.text(how?.value());
		const number = /^[gG]/.test(which) ? 0 : Math.max(1, toNumber(which));
		const found = replaceAll(
			text,
			pattern?.pattern() ?? awkPattern(''),
			runtime.text(replacement?.value()),
			number,
			true
		);
		return found.result;
	},
	match: (runtime, [text, pattern, into]) => {
		const whole = runtime.text(text?.value());
		const found = pattern?.pattern().exec(whole);
		runtime.set('RSTART', found ? [...whole.slice(0, found.index)].length + 1 : 0);
		runtime.set('RLENGTH', found ? [...found[0]].length : -1);
		const array = into?.array();
		array?.clear();
		for (const [index, group] of (found ?? []).entries())
			if (group !== undefined) array?.set(String(index), fromInput(group));
		return found ? [...whole.slice(0, found.index)].length + 1 : 0;
	},
	sprintf: (runtime, [format, ...values]) =>
		sprintf(
			runtime.text(format?.value()),
			values.map((value) => value.value()),
			runtime.format()
		),
	sin: numeric(Math.sin),
	cos: numeric(Math.cos),
	atan2: numeric(Math.atan2),
	exp: numeric(Math.exp),
	log: numeric(Math.log),
	sqrt: numeric(Math.sqrt),
	int: numeric(Math.trunc),
	rand: (runtime) => runtime.random(),
	srand: (runtime, [seed]) => runtime.seed(seed ? toNumber(seed.value()) : Math.floor(Date.now() / 1000)),
	tolower: (runtime, [text]) => runtime.text(text?.value()).toLowerCase(),
	toupper: (runtime, [text]) => runtime.text(text?.value()).toUpperCase(),
	system: (runtime, [command]) => runtime.files.system(runtime.text(command?.value())),
	close: (runtime, [name]) => runtime.files.close(runtime.text(name?.value())),
	fflush: (runtime) => {
		runtime.files.flushFiles();
		return 0;
	},
	strftime: (runtime, [format, time, utc]) =>
		strftime(
			format ? runtime.text(format.value()) : '%a %b %e %H:%M:%S %Z %Y',
			(time ? Math.floor(toNumber(time.value())) : Math.floor(Date.now() / 1000)) * 1000,
			utc === undefined ? zoneOf(environmentOf(runtime, 'TZ')) : UTC
		),
	systime: () => Math.floor(Date.now() / 1000),
	mktime: (runtime, [text]) => {
		const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = runtime
			.text(text?.value())
			.split(/\s+/)
			.map(Number);
		return Math.floor(new Date(year, month - 1, day, hour, minute, second).getTime() / 1000);
	},
	and: numeric((a, b) => Number(BigInt(Math.trunc(a)) & BigInt(Math.trunc(b)))),
	or: numeric((a, b) => Number(BigInt(Math.trunc(a)) | BigInt(Math.trunc(b)))),
	xor: numeric((a, b) => Number(BigInt(Math.trunc(a)) ^ BigInt(Math.trunc(b)))),
	lshift: numeric((a, b) => a * 2 ** b),
	rshift: numeric((a, b) => Math.floor(a / 2 ** b)),
	compl: numeric((a) => Number(BigInt.asUintN(53, ~BigInt(Math.trunc(a))))),
	strtonum: (runtime, [value]) => {
		const text = runtime.text(value?.value()).trim();
		return /^0[xX]/.test(text) ? Number(text) || 0 : /^0[0-7]+$/.test(text) ? parseInt(text, 8) : toNumber(text);
	},
	asort: (runtime, [from, into]) => sortArray(runtime, from, into, 'values'),
	asorti: (runtime, [from, into]) => sortArray(runtime, from, into, 'keys')
};

function sortArray(
	runtime: Runtime,
	from: Argument | undefined,
	into: Argument | undefined,
	by: 'keys' | 'values'
): number {
	const array = from?.array();
	if (!array) throw new AwkError('asort: first argument is not an array');
	const items: Value[] = by === 'keys' ? [...array.keys()] : [...array.values()];
	items.sort((a, b) => {
		if (typeof a !== 'string' && typeof b !== 'string') return toNumber(a) - toNumber(b);
		const [left, right] = [toText(a, runtime.format()), toText(b, runtime.format())];
		return left < right ? -1 : left > right ? 1 : 0;
	});
	const target = into?.array() ?? array;
	target.clear();
	for (const [index, item] of items.entries()) target.set(String(index + 1), item);
	return items.length;
}
