import type { Field } from './field.ts';

const CLASSES: Record<string, string> = {
	alpha: 'a-zA-Z',
	digit: '0-9',
	alnum: 'a-zA-Z0-9',
	upper: 'A-Z',
	lower: 'a-z',
	space: '\\s',
	blank: ' \\t',
	punct: '!-\\/:-@\\[-`{-~',
	print: '\\x20-\\x7e',
	graph: '\\x21-\\x7e',
	cntrl: '\\x00-\\x1f\\x7f',
	xdigit: '0-9A-Fa-f',
	word: '\\w',
	ascii: '\\x00-\\x7f'
};

export interface PatternOptions {
	/** `*` and `?` stop at a slash, as for file names. */
	path?: boolean;
	ignoreCase?: boolean;
	/** Set where `@(a|b)` and its like are no patterns: without `extglob`. */
	isPlain?: boolean;
	/**
	 * Names with a dot in front that a wildcard matches: with `written` none of them, with `any` all but `.` and
	 * `..`; absent, each text.
	 */
	dots?: 'written' | 'any';
}

/** Assertions before a wildcard, so that it does not take the dot in front of a name. */
const GUARDS = { written: '(?!^\\.)', any: '(?!^\\.\\.?$)' } as const;

/** The text of a field with quoted characters escaped, so that only unquoted ones are special. */
export function patternOf(field: Field): string {
	return field.map(({ text, quoted }) => (quoted ? text.replace(/[\\*?[\]()|!+@^-]/g, '\\$&') : text)).join('');
}

/**
 * Returns true if a field may match file names. An unclosed `[` does not: the command `[` reads no directory.
 */
export function hasGlob(field: Field): boolean {
	let isOpen = false;
	for (const { text, quoted } of field) {
		if (quoted) continue;
		if (/[*?]|[@!+]\(|\[.*\]/s.test(text) || (isOpen && text.includes(']'))) return true;
		isOpen ||= text.includes('[');
	}
	return false;
}

const cache = new Map<string, RegExp>();

/** A shell pattern (with extglob) as a regular expression for the whole text. */
export function globRegExp(pattern: string, options: PatternOptions = {}): RegExp {
	const key = `${options.path ? 'p' : ''}${options.ignoreCase ? 'i' : ''}${options.isPlain ? 'b' : ''}${options.dots ?? ''}:${pattern}`;
	const known = cache.get(key);
	if (known) return known;
	if (cache.size > 500) cache.clear();
	const guard = options.dots ? GUARDS[options.dots] : '';
	const source = globSource(pattern, options.path ?? false, { guard, isPlain: options.isPlain ?? false });
	const expression = new RegExp(`^(?:${source})$`, options.ignoreCase ? 'isu' : 'su');
	cache.set(key, expression);
	return expression;
}

/**
 * The source of a regular expression for `pattern`, without anchors.
 *
 * @param guard stands before each wildcard
 */
export function globSource(pattern: string, path: boolean, { guard = '', isPlain = false } = {}): string {
	const any = path ? '[^/]' : '.';
	let source = '';
	let index = 0;
	while (index < pattern.length) {
		const char = pattern[index] ?? '';
		if (char === '\\' && index + 1 < pattern.length) {
			source += escape(pattern[index + 1] ?? '');
			index += 2;
			continue;
		}
		if (!isPlain && '@!+*?'.includes(char) && pattern[index + 1] === '(') {
			const end = closing(pattern, index + 1);
			if (end > 0) {
				source += extended(char, pattern.slice(index + 2, end), path, guard);
				index = end + 1;
				continue;
			}
		}
		if (char === '*') {
			while (pattern[index + 1] === '*' && pattern[index + 2] !== '(') index++;
			source += `${guard}${any}*`;
		} else if (char === '?') source += guard + any;
		else if (char === '[') {
			const set = bracket(pattern, index);
			if (set) {
				source += guard + set.source;
				index = set.end;
				continue;
			}
			source += '\\[';
		} else source += escape(char);
		index++;
	}
	return source;
}

let negations = 0;

function extended(kind: string, body: string, path: boolean, guard: string): string {
	const choices = alternatives(body)
		.map((choice) => globSource(choice, path, { guard }))
		.join('|');
	if (kind !== '!') return `(?:${choices})${kind === '@' ? '' : kind}`;
	// Text that is not wholly one of the choices: looking back, none of them may begin where it began. That place is
	// known by all that follows it, which is kept as a group.
	const group = `rest${++negations}`;
	return `${guard}(?=(?<${group}>[^]*))${path ? '[^/]' : '.'}*?(?<!(?=\\k<${group}>$)(?:${choices}))`;
}

function alternatives(body: string): string[] {
	const found = [''];
	let depth = 0;
	for (let index = 0; index < body.length; index++) {
		const char = body[index] ?? '';
		if (char === '\\') {
			found[found.length - 1] += char + (body[++index] ?? '');
			continue;
		}
		if (char === '(') depth++;
		if (char === ')') depth--;
		if (char === '|' && depth === 0) found.push('');
		else found[found.length - 1] += char;
	}
	return found;
}

/** Index of the parenthesis that closes a choice; -1 where none does, as in a bracket that is not closed. */
function closing(pattern: string, open: number): number {
	let depth = 0;
	for (let index = open; index < pattern.length; index++) {
		if (pattern[index] === '\\') index++;
		else if (pattern[index] === '[') {
			const set = bracket(pattern, index);
			if (!set) return -1;
			index = set.end - 1;
		} else if (pattern[index] === '(') depth++;
		else if (pattern[index] === ')' && --depth === 0) return index;
	}
	return -1;
}

function bracket(pattern: string, start: number): { source: string; end: number } | null {
	let index = start + 1;
	let body = '';
	const negated = pattern[index] === '!' || pattern[index] === '^';
	if (negated) index++;
	const first = index;
	for (; index < pattern.length; index++) {
		const char = pattern[index] ?? '';
		if (char === ']' && index > first) return { source: `[${negated ? '^' : ''}${body}]`, end: index + 1 };
		const named = /^\[:(\w+):\]/.exec(pattern.slice(index));
		if (named) {
			body += CLASSES[named[1] ?? ''] ?? '';
			index += named[0].length - 1;
			continue;
		}
		const equivalent = /^\[=(.)=\]/su.exec(pattern.slice(index));
		if (equivalent) {
			body += escapeInClass(equivalent[1] ?? '');
			index += equivalent[0].length - 1;
			continue;
		}
		const low = member(pattern, index);
		index = low.end - 1;
		const isRange = pattern[low.end] === '-' && low.end + 1 < pattern.length && pattern[low.end + 1] !== ']';
		if (!isRange) {
			if (low.char !== null) body += escapeInClass(low.char);
			continue;
		}
		const high = member(pattern, low.end + 1);
		index = high.end - 1;
		// A range whose ends are in the wrong order, or no characters, has no members.
		if (low.char !== null && high.char !== null && low.char <= high.char)
			body += `${escapeInClass(low.char)}-${escapeInClass(high.char)}`;
	}
	return null;
}

/** Characters by POSIX's names, as `[.….]` takes them; the others stand for themselves. */
const COLLATING: Readonly<Record<string, string>> = {
	...{ NUL: '\0', alert: '\x07', backspace: '\b', tab: '\t', newline: '\n', 'vertical-tab': '\v', 'form-feed': '\f' },
	...{ 'carriage-return': '\r', space: ' ', 'exclamation-mark': '!', 'quotation-mark': '"', 'number-sign': '#' },
	...{ 'dollar-sign': '$', 'percent-sign': '%', ampersand: '&', apostrophe: "'", 'left-parenthesis': '(' },
	...{ 'right-parenthesis': ')', asterisk: '*', 'plus-sign': '+', comma: ',', hyphen: '-', 'hyphen-minus': '-' },
	...{ period: '.', 'full-stop': '.', slash: '/', solidus: '/', zero: '0', one: '1', two: '2', three: '3' },
	...{ four: '4', five: '5', six: '6', seven: '7', eight: '8', nine: '9', colon: ':', semicolon: ';' },
	...{ 'less-than-sign': '<', 'equals-sign': '=', 'greater-than-sign': '>', 'question-mark': '?' },
	...{ 'commercial-at': '@', 'left-square-bracket': '[', backslash: '\\', 'right-square-bracket': ']' },
	...{ circumflex: '^', underscore: '_', 'grave-accent': '`', 'left-curly-bracket': '{', 'vertical-line': '|' },
	...{ 'right-curly-bracket': '}', tilde: '~', DEL: '\x7f' }
};

/** The character of a bracket expression at this place, null for a name that means none, and where it ends. */
function member(pattern: string, at: number): { char: string | null; end: number } {
	const [whole, name] = /^\[\.(.+?)\.\]/su.exec(pattern.slice(at)) ?? [];
	if (whole !== undefined && name !== undefined) {
		const char = [...name].length === 1 ? name : (COLLATING[name] ?? null);
		return { char, end: at + whole.length };
	}
	const start = pattern[at] === '\\' && at + 1 < pattern.length ? at + 1 : at;
	const char = String.fromCodePoint(pattern.codePointAt(start) ?? 0);
	return { char, end: start + char.length };
}

const escape = (char: string) => char.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const escapeInClass = (char: string) => (/[\\\]^[/|(){}-]/.test(char) ? `\\${char}` : char);

/** Returns true if a `{` starts no interval: JavaScript would take it literally. */
const hasWrongBrace = (source: string): boolean =>
	/(?:^|[^\\])(?:\\\\)*\{(?!(?:\d+(?:,\d*)?|,\d+)\})/.test(source) || /(?:^|[(|^])\{/.test(source);

/** Bracket expressions of an extended regular expression. */
const BRACKETS = /\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g;

/** An extended regular expression (`[[ =~ ]]`) as JavaScript's. */
export function extendedRegExp(source: string, ignoreCase: boolean): RegExp {
	if (hasWrongBrace(source.replace(BRACKETS, 'x'))) throw new SyntaxError('invalid preceding regular expression');
	const translated = source
		.replace(/\[:(\w+):\]/g, (_whole, name: string) => CLASSES[name] ?? '')
		.replace(/\[([=.])(.)\1\]/gsu, (_whole, _kind: string, char: string) => escapeInClass(char));
	const bracketed = translated.replace(
		/\[(\^?)(\]?)((?:[^\]\\]|\\.)*)\]/g,
		(_whole, not: string, first: string, rest: string) => {
			return `[${not}${first ? '\\]' : ''}${rest.replace(/\[/g, '\\[')}]`;
		}
	);
	return new RegExp(bracketed, ignoreCase ? 'is' : 's');
}
