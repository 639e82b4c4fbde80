import { AwkSyntaxError, placed } from './faults.ts';
import type { Position } from './nodes.ts';
import { decode, encode, rawByte } from '#computer/process/text.ts';

export interface Token {
	kind:
		| 'number'
		| 'string'
		| 'regexp'
		| 'typed regexp'
		| 'name'
		| 'call'
		| 'word'
		| 'builtin'
		| 'directive'
		| 'operator'
		| 'newline'
		| 'end';
	text: string;
	number: number;
	/** Index in the source. */
	at: number;
	line: number;
	/** Text before names are qualified and escapes decoded. */
	raw: string;
}

/** Source text of a program, and its file for messages. */
export interface Source {
	text: string;
	file: string | null;
}

/** Language variant: gawk's, POSIX, or that of old awks. */
export type Dialect = 'gnu' | 'posix' | 'traditional';

const WORDS = new Set(
	'BEGIN END function func if else while for do break continue next exit return delete in getline print printf'.split(
		' '
	)
);
const GNU_WORDS = new Set('BEGINFILE ENDFILE nextfile switch case default'.split(' '));
const BUILTINS = new Set(
	'length substr index split sub gsub match sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper system close fflush'.split(
		' '
	)
);
const GNU_BUILTINS = new Set(
	'gensub strftime systime mktime and or xor lshift rshift compl strtonum asort asorti patsplit typeof isarray mkbool dcgettext dcngettext bindtextdomain'.split(
		' '
	)
);
const OPERATOR =
	/^(\*\*=|\*\*|&&|\|\||\|&|\+\+|--|\+=|-=|\*=|\/=|%=|\^=|==|<=|>=|!=|!~|>>|[{}()[\];,+\-*/%^!<>|?:~$=])/;

/** Tells whether a name is a reserved word. */
export const isReserved = (name: string): boolean =>
	WORDS.has(name) || GNU_WORDS.has(name) || BUILTINS.has(name) || GNU_BUILTINS.has(name);
/** Tells whether a word is a gawk extension, unknown to other awks. */
export const isExtension = (name: string): boolean => GNU_WORDS.has(name) || GNU_BUILTINS.has(name);
export const isBuiltin = (name: string): boolean => BUILTINS.has(name) || GNU_BUILTINS.has(name);

/** Splits an awk program into tokens. */
export class Tokenizer {
	readonly tokens: Token[] = [];
	#at = 0;
	#line = 1;

	constructor(
		private readonly source: Source,
		private readonly dialect: Dialect
	) {}

	/** @throws AwkSyntaxError */
	read(): Token[] {
		const { text } = this.source;
		while (this.#at < text.length) this.#one();
		if (this.tokens.at(-1)?.kind !== 'newline') this.#push('newline', '\n', '\n');
		this.#push('end', '', '');
		return this.tokens;
	}

	get #position(): Position {
		return { file: this.source.file, line: this.#line };
	}

	#push(kind: Token['kind'], text: string, raw: string, number = 0): void {
		this.tokens.push({ kind, text, number, at: this.#at, line: this.#line, raw });
		this.#at += raw.length;
		for (const char of raw) if (char === '\n') this.#line++;
	}

	#one(): void {
		const rest = this.source.text.slice(this.#at);
		const skipped = /^(?:[ \t\r]+|\\\r?\n|#[^\n]*)/.exec(rest)?.[0];
		if (skipped) {
			if (skipped.startsWith('\\')) this.#line++;
			this.#at += skipped.length;
			return;
		}
		if (rest[0] === '\n') this.#push('newline', '\n', '\n');
		else if (rest[0] === '"') this.#string(rest);
		else if (rest[0] === '@') this.#at_(rest);
		else if (rest[0] === '/' && regexpMayStart(this.tokens.at(-1))) this.#regexp(rest, 'regexp', '');
		else this.#other(rest);
	}

	#string(rest: string): void {
		const raw = /^"(?:[^"\\\n]|\\\r\n|\\[^])*"/.exec(rest)?.[0];
		if (raw === undefined) throw this.fault(this.#at, 'unterminated string');
		this.#push('string', unescapeString(raw.slice(1, -1), this.dialect), raw);
	}

	/** Reads a token that starts with `@`: a directive, `@/…/`, or the operator of an indirect call. */
	#at_(rest: string): void {
		if (rest[1] === '/') return this.#regexp(rest, 'typed regexp', '@');
		const directive = /^@(include|load|namespace)\b/.exec(rest);
		if (directive) return this.#push('directive', directive[1] ?? '', directive[0]);
		this.#push('operator', '@', '@');
	}

	#regexp(rest: string, kind: 'regexp' | 'typed regexp', before: string): void {
		const text = rest.slice(before.length);
		const literal =
			/^\/((?:[^\\/[\n]|\\[^\n]|\\\r?\n|\[\^?\]?(?:\[:\w+:\]|\[[.=][^\n]*?[.=]\]|[^\]\\\n]|\\[^\n])*\])*)\//.exec(
				text
			) ?? /^\/((?:[^\\/\n]|\\[^])*)\//.exec(text);
		if (!literal) {
			if (text.includes('\0'))
				throw new AwkSyntaxError([`${placed(this.#position)}fatal: error: invalid character '\\000' in source code`]);
			throw this.fault(this.#at, 'unterminated regexp');
		}
		this.#push(kind, (literal[1] ?? '').replace(/\\\r?\n/g, '').replace(/\\\//g, '/'), before + literal[0]);
	}

	#other(rest: string): void {
		const number = /^(?:0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/.exec(rest)?.[0];
		if (number) return this.#push('number', number, number, this.#number(number));
		const name = /^[A-Za-z_]\w*(?:::[A-Za-z_]\w*)?/.exec(rest)?.[0];
		if (name) return this.#name(name, rest);
		const operator = OPERATOR.exec(rest)?.[0];
		if (operator) return this.#push('operator', operator.replace('**', '^'), operator);
		if (rest.startsWith('\\')) throw this.fault(this.#at, 'backslash not last character on line');
		const char = rest.codePointAt(0) ?? 0;
		const shown = char < 0x20 || char > 0x7e ? `\\${char.toString(8).padStart(3, '0')}` : String.fromCodePoint(char);
		throw new AwkSyntaxError([`${placed(this.#position)}fatal: error: invalid character '${shown}' in source code`]);
	}

	#number(text: string): number {
		if (this.dialect !== 'gnu' && /^0[xX]/.test(text)) return 0;
		return this.dialect === 'gnu' && /^0[0-7]+$/.test(text) ? parseInt(text, 8) : Number(text);
	}

	#name(name: string, rest: string): void {
		const isGnu = this.dialect !== 'traditional';
		if (WORDS.has(name) || (isGnu && GNU_WORDS.has(name)))
			this.#push('word', name === 'func' ? 'function' : name, name);
		else if (BUILTINS.has(name) || (isGnu && GNU_BUILTINS.has(name))) this.#push('builtin', name, name);
		else if (name.startsWith('awk::') && isReserved(name.slice(5))) this.#push('builtin', name.slice(5), name);
		else this.#push(rest[name.length] === '(' ? 'call' : 'name', name, name);
	}

	/** Formats a line of the source with a mark under the error. */
	fault(at: number, message: string): AwkSyntaxError {
		const { text } = this.source;
		let from = at;
		let said = message;
		if (text[at] === '\n' || at >= text.length) {
			said = 'unexpected newline or end of string';
			if (at >= text.length && text.endsWith('\n')) from = at - 1;
		}
		const start = text.lastIndexOf('\n', Math.max(0, from - 1)) + 1;
		const first = start > from ? from : start;
		const end = text.indexOf('\n', from);
		const shown = text.slice(first, end < 0 ? undefined : end);
		const margin = text.slice(first, at >= text.length ? Math.max(first, from - 1) : from);
		const before = margin.replace(/[^\t]/g, ' ');
		const line = text.slice(0, from).split('\n').length;
		const place = placed({ file: this.source.file, line });
		return new AwkSyntaxError([`${place}${shown}`, `${place}${before}^ ${said}`]);
	}
}

/** Tells whether a slash starts a pattern: after a value it divides. */
function regexpMayStart(before: Token | undefined): boolean {
	if (!before) return true;
	if (before.kind === 'operator') return !/^(\)|\]|\+\+|--)$/.test(before.text);
	return before.kind === 'newline' || (before.kind === 'word' && before.text !== 'getline') || before.kind === 'end';
}

const ESCAPES: Record<string, string> = {
	...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v', '\\': '\\', '"': '"', '/': '/' }
};

/** Decodes a string literal, or a value given with `-v`. */
export function unescapeString(text: string, dialect: Dialect = 'gnu'): string {
	if (!text.includes('\\')) return text;
	const pattern = dialect === 'gnu' ? /\\(\r?\n|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[^])/g : /\\(\r?\n|[0-7]{1,3}|[^])/g;
	const result = text.replace(pattern, (whole: string, escaped: string) => {
		if (escaped.endsWith('\n')) return '';
		if (/^[0-7]/.test(escaped)) return rawByte(parseInt(escaped, 8) & 0xff);
		if (/^x./.test(escaped)) return rawByte(parseInt(escaped.slice(1), 16));
		return ESCAPES[escaped] ?? whole.slice(1);
	});
	// Adjacent bytes may form one character.
	return /[\udc80-\udcff]/.test(result) ? decode(encode(result)) : result;
}
