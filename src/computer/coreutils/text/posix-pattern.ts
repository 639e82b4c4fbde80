import { rawByte } from '#computer/process/text.ts';

/** Invalid regular expression, with grep's message. */
export class PatternError extends Error {}

export interface PatternOptions {
	/** Extended syntax, as in `grep -E`, `sed -E`, `awk`. */
	extended: boolean;
	ignoreCase?: boolean;
	/** `^` and `$` match at each line of a text of several (`sed`'s `M`). */
	lines?: boolean;
	/** `\n` and `\t` represent the characters, also inside brackets (sed, awk). */
	escapes?: boolean;
	/** False if a backslash inside brackets is literal, as in POSIX. */
	bracketEscapes?: boolean;
	/**
	 * Refuses an extended expression with a brace that does not start an interval or an operator without an operand
	 * (sed).
	 */
	strict?: boolean;
}

/** POSIX's limit of repetitions, as in glibc. */
const MOST_REPETITIONS = 32_767;

const CLASSES: Record<string, string> = {
	alpha: '\\p{L}',
	digit: '0-9',
	alnum: '\\p{L}0-9',
	upper: '\\p{Lu}',
	lower: '\\p{Ll}',
	space: '\\s',
	blank: ' \\t',
	punct: '!-\\/:-@\\[-`\\{-~',
	xdigit: '0-9A-Fa-f',
	cntrl: '\\x00-\\x1f\\x7f',
	print: '\\x20-\\x7e\\u00a0-\\u{10ffff}',
	graph: '\\x21-\\x7e\\u00a1-\\u{10ffff}'
};
const ESCAPED: Record<string, string> = { n: '\\n', t: '\\t', r: '\\r', f: '\\f', v: '\\v', a: '\\x07' };

/**
 * Converts a POSIX regular expression, with GNU's extensions, to a JavaScript one. Alternatives are tried in order
 * instead of choosing the longest match, except if all of them are plain text.
 * @throws PatternError
 */
export function posixPattern(pattern: string, options: PatternOptions): RegExp {
	const source = new Translator(pattern, options).whole();
	const flags = `su${options.ignoreCase ? 'i' : ''}${options.lines ? 'm' : ''}`;
	try {
		return new RegExp(source, flags);
	} catch {
		throw new PatternError('Invalid regular expression');
	}
}

/** Escapes plain text for a pattern. */
export const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

class Translator {
	#at = 0;
	#depth = 0;
	#groups = 0;
	/** Groups that the current branch may have matched so far: no others can be referenced. */
	#reachable = new Set<number>();

	constructor(
		private readonly pattern: string,
		private readonly options: PatternOptions
	) {}

	whole(): string {
		const source = this.#alternatives();
		if (this.#at < this.pattern.length) throw new PatternError('Unmatched ) or \\)');
		return source;
	}

	/** Returns the current token: an operator in extended syntax, or literal text. */
	#operator(): string | null {
		const { pattern } = this;
		const [one = '', two = ''] = [pattern[this.#at], pattern[this.#at + 1]];
		if (this.options.extended) return /[(){}|+?]/.test(one) ? one : null;
		return one === '\\' && /[(){}|+?]/.test(two) ? two : null;
	}

	#skipOperator(): void {
		this.#at += this.options.extended ? 1 : 2;
	}

	#alternatives(): string {
		const before = new Set(this.#reachable);
		const branches = [this.#branch()];
		const after = new Set(this.#reachable);
		while (this.#operator() === '|') {
			this.#skipOperator();
			this.#reachable = new Set(before);
			branches.push(this.#branch());
			for (const group of this.#reachable) after.add(group);
		}
		this.#reachable = after;
		const plain = branches.length > 1 && branches.every((branch) => /^[\w -]*$/.test(branch));
		return (plain ? [...branches].sort((a, b) => b.length - a.length) : branches).join('|');
	}

	#branch(): string {
		let source = '';
		let first = true;
		while (this.#at < this.pattern.length) {
			const operator = this.#operator();
			if (operator === '|' || (operator === ')' && (this.#depth > 0 || !this.options.extended))) break;
			source += this.#quantified(this.#atom(first), first);
			first = false;
		}
		return source;
	}

	#quantified(atom: string, first: boolean): string {
		let quantified = false;
		for (;;) {
			const operator = this.#operator();
			let quantifier = '';
			if (this.pattern[this.#at] === '*' && !(first && atom === '^' && !this.options.extended)) {
				quantifier = '*';
				this.#at++;
			} else if (operator === '+' || operator === '?') {
				quantifier = operator;
				this.#skipOperator();
			} else if (operator === '{') {
				const interval = this.#interval();
				if (interval === null) return atom;
				quantifier = interval;
			} else return atom;
			if (/^(\^|\$|\\b.*|)$/.test(atom)) continue;
			atom = quantified ? `(?:${atom})${quantifier}` : `${atom}${quantifier}`;
			quantified = true;
		}
	}

	/** Parses an interval, starting at its brace. Null if the brace is literal. */
	#interval(): string | null {
		const close = this.options.extended ? '}' : '\\}';
		const start = this.#at + close.length;
		const end = this.pattern.indexOf(close, start);
		const content = end < 0 ? '' : this.pattern.slice(start, end);
		const parts = /^(\d*)(?:(,)(\d*))?$/.exec(content);
		if (end < 0 || !parts) {
			if (this.options.extended && !this.options.strict) return null;
			throw new PatternError(end < 0 ? 'Unmatched \\{' : 'Invalid content of \\{\\}');
		}
		const [, least = '', comma = '', most = ''] = parts;
		const isReversed = most !== '' && Number(least) > Number(most);
		if (content === '' || isReversed) throw new PatternError('Invalid content of \\{\\}');
		if (Math.max(Number(least), Number(most)) > MOST_REPETITIONS) throw new PatternError('Regular expression too big');
		this.#at = end + close.length;
		return `{${least || '0'}${comma}${most}}`;
	}

	#atom(first: boolean): string {
		const { pattern } = this;
		const operator = this.#operator();
		if (operator === '(') return this.#group();
		const repeats = operator === '{' || (this.options.extended && /^[*+?]/.test(pattern.slice(this.#at)));
		if (first && this.options.strict && repeats) throw new PatternError('Invalid preceding regular expression');
		if (operator && (operator === '{' || (first && !this.options.extended) || this.options.extended)) {
			this.#skipOperator();
			return `\\${operator}`;
		}
		const character = this.#character();
		switch (character) {
			case '.':
				return '.';
			case '[':
				return this.#bracket();
			case '*':
				return '\\*';
			case '^':
				return this.options.extended || first ? '^' : '\\^';
			case '$': {
				const after = this.#operator();
				const anchors = this.#at >= pattern.length || after === ')' || after === '|';
				return this.options.extended || anchors ? '$' : '\\$';
			}
			case '\\':
				return this.#escape();
			default:
				return escapePattern(character);
		}
	}

	/** Reads one character; a surrogate pair counts as one. */
	#character(): string {
		const character = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
		this.#at += character.length;
		return character;
	}

	#group(): string {
		this.#skipOperator();
		this.#depth++;
		const group = ++this.#groups;
		const inner = this.#alternatives();
		if (this.#operator() !== ')') throw new PatternError('Unmatched ( or \\(');
		this.#skipOperator();
		this.#depth--;
		this.#reachable.add(group);
		return `(${inner})`;
	}

	#escape(): string {
		if (this.#at >= this.pattern.length) throw new PatternError('Trailing backslash');
		const character = this.#character();
		if (/[1-9]/.test(character)) {
			if (!this.#reachable.has(Number(character))) throw new PatternError('Invalid back reference');
			return `(?:\\${character})`;
		}
		if ('wWsS'.includes(character)) return `\\${character}`;
		switch (character) {
			case 'b':
			case 'B':
				return `\\${character}`;
			case '<':
				return '\\b(?=\\w)';
			case '>':
				return '\\b(?<=\\w)';
			case '`':
				return '(?<![^])';
			case "'":
				return '(?![^])';
		}
		const meaning = this.options.escapes ? ESCAPED[character] : undefined;
		return meaning ?? escapePattern((this.options.escapes ? this.#numbered(character) : null) ?? character);
	}

	/** Parses a numeric or Ctrl escape (`\d065`, `\o101`, `\x41`, `\cA`), after its letter. */
	#numbered(letter: string): string | null {
		const digits = { d: /^\d{1,3}/, o: /^[0-7]{1,3}/, x: /^[\da-f]{1,2}/i, c: /^[^\\]/ }[letter]?.exec(
			this.pattern.slice(this.#at)
		)?.[0];
		if (digits === undefined) return null;
		this.#at += digits.length;
		if (letter === 'c') return String.fromCharCode(digits.toUpperCase().charCodeAt(0) ^ 0x40);
		return rawByte(Number.parseInt(digits, letter === 'd' ? 10 : letter === 'o' ? 8 : 16) & 0xff);
	}

	#bracket(): string {
		const { pattern } = this;
		let at = this.#at;
		let source = '';
		/** Possible start of a range, and start of an open range. */
		let [last, from] = ['', ''];
		const negated = pattern[at] === '^';
		if (negated) at++;
		const start = at;
		for (;;) {
			const character = at < pattern.length ? String.fromCodePoint(pattern.codePointAt(at) ?? 0) : '';
			if (character === '') throw new PatternError('Unmatched [, [^, [:, [., or [=');
			if (character === ']' && at > start) break;
			const named = /^\[([:.=])(.+?)\1\]/s.exec(pattern.slice(at));
			if (named) {
				const [whole, kind, name = ''] = named;
				const known = CLASSES[name];
				if (kind === ':' && known === undefined) throw new PatternError('Invalid character class name');
				source += kind === ':' ? known : classCharacter(name);
				at += whole.length;
				[last, from] = ['', ''];
				continue;
			}
			const next = pattern[at + 1] ?? '';
			if (
				character === '\\' &&
				this.options.escapes &&
				this.options.bracketEscapes !== false &&
				(ESCAPED[next] || /[\\\]/]/.test(next))
			) {
				source += ESCAPED[next] ?? `\\${next}`;
				at += 2;
				continue;
			}
			at += character.length;
			const range = character === '-' && at - 1 > start && pattern[at] !== ']' && source !== '';
			source += range ? '-' : classCharacter(character);
			if (from > character) throw new PatternError('Invalid range end');
			[last, from] = range ? ['', last] : [character, ''];
		}
		this.#at = at + 1;
		return `[${negated ? '^' : ''}${source}]`;
	}
}

const classCharacter = (character: string) => (/[\\\]^[-]/.test(character) ? `\\${character}` : character);
