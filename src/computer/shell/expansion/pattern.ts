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
	/** Set if `@(a|b)` and similar are not patterns: without `extglob`. */
	isPlain?: boolean;
	/**
	 * Names with a leading dot that a wildcard matches: with `written` none, with `any` all except `.` and `..`;
	 * absent: any text.
	 */
	dots?: 'written' | 'any';
}

/** Assertions before a wildcard, so that it does not match the leading dot of a name. */
const GUARDS = { written: '(?!^\\.)', any: '(?!^\\.\\.?$)' } as const;

/** Text of a field with quoted characters escaped, so that only unquoted ones are special. */
export function patternOf(field: Field): string {
	return field.map(({ text, quoted }) => (quoted ? text.replace(/[\\*?[\]()|!+@^-]/g, '\\$&') : text)).join('');
}

/**
 * Returns whether a field may match file names. An unclosed `[` may not: running the command `[` reads no directory.
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

/** Converts a shell pattern (with extglob) to a regular expression for the whole text. */
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
 * Converts `pattern` to the source of a regular expression, without anchors.
 *
 * @param guard inserted before each wildcard
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
	// Matches text that is none of the choices as a whole: a lookbehind ensures that none of them matches from its
	// start. The start is identified by the remaining text, which is captured as a group.
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

/** Index of the parenthesis that closes a choice; -1 if there is none, as in an unclosed bracket expression. */
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
		// A range with its ends in the wrong order, or with invalid ends, has no members.
		if (low.char !== null && high.char !== null && low.char <= high.char)
			body += `${escapeInClass(low.char)}-${escapeInClass(high.char)}`;
	}
	return null;
}

/** Characters by their POSIX names, as used in `[.….]`; any other text represents itself. */
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

/** Parses the character of a bracket expression at this place (null for an unknown name), and where it ends. */
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

/** Returns whether a `{` does not start an interval: JavaScript would match it literally. */
const hasWrongBrace = (source: string): boolean =>
	/(?:^|[^\\])(?:\\\\)*\{(?!(?:\d+(?:,\d*)?|,\d+)\})/.test(source) || /(?:^|[(|^])\{/.test(source);

/** Bracket expressions of an extended regular expression. */
const BRACKETS = /\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g;

/** Converts an extended regular expression (`[[ =~ ]]`) to a JavaScript one. */
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
