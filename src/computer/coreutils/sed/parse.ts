import { decode } from '#computer/process/text.ts';
import { PatternError, posixPattern } from '../text/posix-pattern.ts';
import { type Address, type Piece, type SedCommand, SedError, type Substitution } from './script.ts';

/** Command before it is parsed. */
const EMPTY: SedCommand = {
	name: '',
	from: null,
	to: null,
	negated: false,
	active: false,
	started: false,
	endLine: 0,
	text: '',
	number: null,
	substitution: null,
	map: null,
	end: -1
};

const PLAIN = 'dDgGhHnNpPxzF=';
/** Commands that are not in POSIX. */
const GNU_ONLY = 'eFvzLQTRW';
/** Commands that accept only one address: with `--posix`, and always. */
const ONE_ADDRESS = { posix: 'ail=rqQ', gnu: 'qQ' };
/** Emulated version of GNU sed, for `v`. */
const VERSION = [4, 9, 0];

/** One `-e` or `-f` of a script. */
export interface ScriptPart {
	text: string;
	/** Name of the file given to `-f`. */
	file: string | null;
	/** Set if the last line has a newline, which the text does not include. */
	hasLineEnd?: boolean;
}

export interface SedDialect {
	/** Uses extended regular expressions, `-E`. */
	extended: boolean;
	/** Disables GNU extensions, `--posix`. */
	posix: boolean;
	/** Refuses commands that read or write files or run programs, `--sandbox`. */
	sandbox: boolean;
}

/** Parses a sed script. @throws SedError */
export const parseSed = (parts: readonly ScriptPart[], dialect: SedDialect): SedCommand[] =>
	new SedParser(parts, dialect).commands();

class SedParser {
	#at = 0;

	private readonly source: string;

	constructor(
		private readonly parts: readonly ScriptPart[],
		private readonly dialect: SedDialect
	) {
		this.source = parts.map(({ text }) => text).join('\n');
	}

	commands(): SedCommand[] {
		const commands: SedCommand[] = [];
		const open: SedCommand[] = [];
		for (;;) {
			this.#skip(/[\s;]/);
			if (this.#at >= this.source.length) break;
			const command = this.#command();
			if (command.name === '#') continue;
			if (command.name === '{') open.push(command);
			if (command.name === '}') {
				const start = open.pop();
				if (!start) this.#fail("unexpected `}'");
				else start.end = commands.length;
				if (command.from) this.#fail("`}' doesn't want any addresses");
				this.#endOfCommand();
			}
			commands.push(command);
		}
		if (open.length) throw new SedError("-e expression #1, char 0: unmatched `{'");
		const labels = new Set(commands.filter(({ name }) => name === ':').map(({ text }) => text));
		const lost = commands.find(({ name, text }) => 'btT'.includes(name) && text !== '' && !labels.has(text));
		if (lost) throw new SedError(`can't find label for jump to \`${lost.text}'`, 4);
		return commands;
	}

	#peek(): string {
		return this.source[this.#at] ?? '';
	}

	#skip(what: RegExp): void {
		while (this.#at < this.source.length && what.test(this.#peek())) this.#at++;
	}

	/** @throws SedError with the position of the last character read, or with `ahead`, of the next one */
	#fail(message: string, ahead = 0): never {
		const at = Math.min(this.#at + ahead, this.source.length);
		let start = 0;
		let index = 0;
		for (; index < this.parts.length - 1; index++) {
			const end = start + (this.parts[index]?.text.length ?? 0) + 1;
			if (at <= end) break;
			start = end;
		}
		const part = this.parts[index];
		const number = this.parts.slice(0, index + 1).filter(({ file }) => file === null).length;
		const place =
			part && part.file !== null
				? `file ${part.file} line ${part.text.slice(0, Math.max(0, at - start - 1)).split('\n').length}`
				: `-e expression #${number}, char ${at - start}`;
		throw new SedError(`${place}: ${message}`);
	}

	#line(): string {
		const end = this.source.indexOf('\n', this.#at);
		const line = this.source.slice(this.#at, end < 0 ? undefined : end);
		this.#at += line.length + 1;
		return line;
	}

	#command(): SedCommand {
		const { from, to } = this.#addresses();
		let negated = false;
		for (; this.#peek() === '!'; this.#skip(/[ \t]/)) {
			this.#at++;
			if (negated) this.#fail("multiple `!'s");
			negated = true;
		}
		const name = this.#peek();
		this.#at++;
		const command: SedCommand = { ...EMPTY, name, from, to, negated };
		if (name === '') this.#fail('missing command');
		this.#checkCommand(command);
		this.#arguments(command);
		return command;
	}

	#addresses(): Pick<SedCommand, 'from' | 'to'> {
		const from = this.#address();
		let to: Address | null = null;
		this.#skip(/[ \t]/);
		if (from && this.#peek() === ',') {
			this.#at++;
			this.#skip(/[ \t]/);
			to = this.#address(true);
			if (!to) this.#fail("unexpected `,'", 1);
		}
		this.#skip(/[ \t]/);
		return { from, to };
	}

	/** Checks that command and addresses are compatible. */
	#checkCommand({ name, from, to }: SedCommand): void {
		const { posix, sandbox } = this.dialect;
		const startsAtZero = from?.kind === 'line' && from.line === 0;
		const mayStartAtZero = !posix && (to?.kind === 'pattern' || (!to && name === 'r'));
		if (startsAtZero && !mayStartAtZero) this.#fail('invalid usage of line address 0');
		if (posix && GNU_ONLY.includes(name)) this.#fail(`unknown command: \`${name}'`);
		if (to && ONE_ADDRESS[posix ? 'posix' : 'gnu'].includes(name)) this.#fail('command only uses one address');
		if (sandbox && 'erRwW'.includes(name)) this.#fail('e/r/w commands disabled in sandbox mode');
		if (from && name === '#') this.#fail("comments don't accept any addresses");
		if (from && name === ':') this.#fail(": doesn't want any addresses");
	}

	/** Parses the arguments of a command. */
	#arguments(command: SedCommand): void {
		const { name } = command;
		if (PLAIN.includes(name)) this.#endOfCommand();
		else if (name === '#') this.#line();
		else if (name === 's') command.substitution = this.#substitution();
		else if (name === 'y') command.map = this.#map();
		else if ('aic'.includes(name)) command.text = this.#text();
		else if (name === ':') command.text = this.#label();
		else if ('btT'.includes(name)) {
			this.#skip(/[ \t]/);
			command.text = this.#word(LABEL);
			this.#endOfCommand();
		} else if ('rRwW'.includes(name)) command.text = this.#fileName();
		else if ('qQlL'.includes(name)) {
			this.#skip(/[ \t]/);
			const digits = name === 'l' && this.dialect.posix ? '' : this.#word(/^\d*/);
			command.number = digits === '' ? null : Number(digits);
			this.#endOfCommand();
		} else if (name === 'v') this.#checkVersion();
		else if (name === 'e') command.text = this.#line().trim();
		else if (name !== '{' && name !== '}') this.#fail(`unknown command: \`${name}'`);
	}

	/** Consumes the match of an expression at this position. */
	#word(what: RegExp): string {
		const word = what.exec(this.source.slice(this.#at))?.[0] ?? '';
		this.#at += word.length;
		return word;
	}

	#label(): string {
		this.#skip(/[ \t]/);
		const label = this.#word(LABEL);
		if (label === '') this.#fail('":" lacks a label');
		this.#endOfCommand();
		return label;
	}

	#fileName(): string {
		this.#skip(/[ \t]/);
		if (/^(\n|$)/.test(this.source.slice(this.#at, this.#at + 1))) this.#fail('missing filename in r/R/w/W commands');
		return this.#line();
	}

	#checkVersion(): void {
		this.#skip(/[ \t]/);
		const wanted = this.#word(/^[\d.]*/)
			.split('.')
			.map(Number);
		const [first = 0, second = 0, third = 0] = wanted;
		const [major = 0, minor = 0, patch = 0] = VERSION;
		const isNewer = first !== major ? first > major : second !== minor ? second > minor : third > patch;
		if (isNewer) this.#fail('expected newer version of sed');
		this.#endOfCommand();
	}

	/** Returns whether a Windows line ending starts here: GNU's `s` accepts it. */
	#isCarriageReturn(): boolean {
		const rest = this.source.slice(this.#at, this.#at + 2);
		return rest === '\r\n' || (rest === '\r' && this.parts.at(-1)?.hasLineEnd === true);
	}

	#endOfCommand(): void {
		this.#skip(/[ \t]/);
		const next = this.#peek();
		if (next === '' || next === '}' || next === '#') return;
		if (next !== ';' && next !== '\n') this.#fail('extra characters after command', 1);
		this.#at++;
	}

	#address(second = false): Address | null {
		const relative = /^([+~])(\d+)/.exec(this.source.slice(this.#at));
		if (relative && !(second && this.dialect.posix)) {
			this.#at += relative[0].length;
			if (!second) this.#fail('invalid usage of +N or ~N as first address');
			const number = Number(relative[2]);
			return relative[1] === '+' ? { kind: 'count', lines: number } : { kind: 'multiple', of: number };
		}
		const step = this.#word(/^\d+~\d+/);
		if (step) {
			const [first = '', every = ''] = step.split('~');
			return { kind: 'step', first: Number(first), step: Number(every) };
		}
		const line = this.#word(/^\d+/);
		if (line) return { kind: 'line', line: Number(line) };
		if (this.#peek() === '$') {
			this.#at++;
			return { kind: 'last' };
		}
		if (this.#peek() !== '/' && this.#peek() !== '\\') return null;
		if (this.#peek() === '\\') this.#at++;
		const delimiter = this.#peek();
		this.#at++;
		const pattern = this.#until(delimiter, true);
		const flags = this.dialect.posix ? '' : this.#word(/^[IM]*/);
		if (pattern === '' && flags) this.#fail('cannot specify modifiers on empty regexp');
		return { kind: 'pattern', pattern: this.#pattern(pattern, flags) };
	}

	/** Reads text up to a delimiter; an escaped delimiter is literal. */
	#until(delimiter: string, pattern: boolean, unterminated = 'unterminated address regex'): string {
		let text = '';
		let bracket = false;
		for (;;) {
			const character = this.#peek();
			if (character === '') this.#fail(unterminated);
			this.#at++;
			if (character === '\\') {
				const next = this.#peek();
				this.#at++;
				if (next === delimiter && !bracket)
					text += /[.*[\]^$|+?(){}]/.test(delimiter) && pattern ? `[${delimiter}]` : delimiter;
				else text += `\\${next}`;
				continue;
			}
			if (pattern && character === '[' && !bracket) {
				bracket = true;
				const opening = /^\^?\]?/.exec(this.source.slice(this.#at))?.[0] ?? '';
				text += character + opening;
				this.#at += opening.length;
				continue;
			}
			const kind = bracket && character === '[' ? /^[.:=]/.exec(this.#peek())?.[0] : undefined;
			if (kind !== undefined) {
				const close = this.source.indexOf(`${kind}]`, this.#at + 1);
				if (close < 0) {
					this.#at = this.source.length;
					this.#fail(unterminated);
				}
				text += this.source.slice(this.#at - 1, close + 2);
				this.#at = close + 2;
				continue;
			}
			if (bracket && character === ']') bracket = false;
			else if (character === delimiter && !(bracket && this.source.indexOf(']', this.#at) >= 0)) return text;
			text += character;
		}
	}

	/** Compiles a pattern; null refers to the last used pattern. */
	#pattern(text: string, flags: string): RegExp | null {
		if (text === '') return null;
		try {
			return posixPattern(text, {
				extended: this.dialect.extended,
				ignoreCase: /[iI]/.test(flags),
				lines: /[mM]/.test(flags),
				escapes: true,
				strict: true,
				...(this.dialect.posix ? { bracketEscapes: false } : {})
			});
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			return this.#fail(error.message);
		}
	}

	#substitution(): Substitution {
		const delimiter = this.#peek();
		this.#at++;
		const pattern = this.#until(delimiter, true, UNTERMINATED_S);
		const replacement = this.#until(delimiter, false, UNTERMINATED_S);
		const flags = this.#flags();
		const isEvaluated = flags.includes('e');
		let file: string | null = null;
		if (this.#peek() === 'w') {
			this.#at++;
			if (this.dialect.sandbox) this.#fail('e/r/w commands disabled in sandbox mode');
			file = this.#fileName();
		} else {
			this.#skip(/[ \t]/);
			if (this.#isCarriageReturn()) this.#at++;
			if (!/^([;\n}#]|$)/.test(this.source.slice(this.#at, this.#at + 1))) this.#fail("unknown option to `s'", 1);
		}
		const expression = this.#pattern(pattern, flags);
		const pieces = this.#replacement(replacement);
		if (expression && !this.dialect.posix) {
			const groups = new RegExp(`${expression.source}|`, expression.flags).exec('')?.length ?? 1;
			const wanted = pieces.find((piece) => 'group' in piece && piece.group >= groups);
			if (wanted && 'group' in wanted) this.#fail(`invalid reference \\${wanted.group} on \`s' command's RHS`);
		}
		if (file === null && /[;\n]/.test(this.#peek())) this.#at++;
		return {
			pattern: expression && new RegExp(expression.source, `${expression.flags}g`),
			replacement: pieces,
			global: flags.includes('g'),
			nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
			print: !flags.includes('p') ? null : /p.*e/.test(flags) ? 'before' : 'after',
			file,
			evaluate: isEvaluated
		};
	}

	/** Parses the flags of `s`, each at most once. */
	#flags(): string {
		let flags = '';
		for (;;) {
			const digits = this.#word(/^\d+/);
			const flag = digits || this.#word(this.dialect.posix ? /^[gp]/ : /^[gpiIemM]/);
			if (flag === '') return flags;
			if (digits && /\d/.test(flags)) this.#fail("multiple number options to `s' command");
			if (/^0+$/.test(digits)) this.#fail("number option to `s' command may not be zero");
			if (/[gp]/.test(flag) && flags.includes(flag)) this.#fail(`multiple \`${flag}' options to \`s' command`);
			if (flag === 'e' && this.dialect.sandbox) this.#fail('e/r/w commands disabled in sandbox mode');
			flags += flag;
		}
	}

	#replacement(text: string): Piece[] {
		if (/\\c\\(?!\\)/.test(text)) this.#fail('recursive escaping after \\c not allowed');
		return replacementPieces(text, this.dialect.posix);
	}

	#map(): Map<string, string> {
		const delimiter = this.#peek();
		if (delimiter === '') this.#fail(UNTERMINATED_Y);
		this.#at++;
		const plain = (text: string) => [
			...text.replace(ESCAPE, (whole, escaped: string) =>
				escaped === 'c' ? whole : escaped === '\\' ? '\\' : unescaped(escaped)
			)
		];
		const from = plain(this.#until(delimiter, false, UNTERMINATED_Y));
		const to = plain(this.#until(delimiter, false, UNTERMINATED_Y));
		if (from.length !== to.length) this.#fail("strings for `y' command are different lengths");
		this.#endOfCommand();
		return new Map(from.map((character, index) => [character, to[index] ?? '']));
	}

	/** Parses the text of `a`, `i`, `c`: on the same line, or on those after a backslash. */
	#text(): string {
		this.#skip(/[ \t]/);
		const isPlain = this.#peek() !== '\\';
		if (this.#peek() === '' || (isPlain && this.dialect.posix))
			this.#fail("expected \\ after `a', `c' or `i'", this.#peek() === '' ? 0 : 1);
		if (!isPlain) {
			this.#at++;
			if (this.dialect.posix && this.#isAtPartEnd()) this.#fail('incomplete command');
			const rest = this.source.slice(this.#at);
			const blank = /^[ \t]*\n/.exec(rest);
			if (blank) this.#at += blank[0].length;
			// `$a\\` without text only adds a newline to the last line.
			if (this.#at >= this.source.length) return '';
		}
		let text = '';
		while (this.#at < this.source.length && this.#peek() !== '\n') {
			if (this.#peek() === '\\') {
				this.#at++;
				// GNU extension: escapes.
				text += { n: '\n', t: '\t', r: '\r' }[this.#peek()] ?? this.#peek();
			} else text += this.#peek();
			this.#at++;
		}
		this.#at++;
		return `${text}\n`;
	}

	/** Returns whether a script part ends here, followed by another one. */
	#isAtPartEnd(): boolean {
		let end = -1;
		for (const { text } of this.parts.slice(0, -1)) if ((end += text.length + 1) === this.#at) return true;
		return false;
	}
}

/** Label of a command, up to a delimiter. */
const LABEL = /^[^\s;}#]*/;
const UNTERMINATED_S = "unterminated `s' command";
const UNTERMINATED_Y = "unterminated `y' command";

/** Escapes of characters: by letter, by number, or Ctrl with a letter. */
const ESCAPE = /\\(d\d{1,3}|o[0-7]{1,3}|x[0-9a-fA-F]{1,2}|c(?:\\\\|[^\\])|[\s\S])/g;

/** Decodes an escape, given without its backslash. */
function unescaped(escape: string): string {
	const [kind, digits] = [escape[0], escape.slice(1)];
	if (escape === 'c') return '\\';
	if (digits === '') return { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[escape] ?? escape;
	if (kind === 'c') return String.fromCharCode(digits.toUpperCase().charCodeAt(0) ^ 0x40);
	const code = Number.parseInt(digits, kind === 'd' ? 10 : kind === 'o' ? 8 : 16) & 0xff;
	return decode(Uint8Array.of(code));
}

/** Parses `\1`, `&`, `\n`, `\U…` of a replacement. */
export function replacementPieces(text: string, isPosix: boolean): Piece[] {
	const pieces: Piece[] = [];
	const parts = text.matchAll(/\\(d\d{1,3}|o[0-7]{1,3}|x[0-9a-fA-F]{1,2}|c(?:\\\\|[^\\])|[\s\S])|&|[^\\&]+/g);
	for (const [piece, escaped] of parts) {
		if (piece === '&') pieces.push({ group: 0 });
		else if (escaped === undefined) pieces.push({ text: piece });
		else if (/^\d$/.test(escaped)) pieces.push({ group: Number(escaped) });
		else if (/^[ULulE]$/.test(escaped) && !isPosix) pieces.push({ letters: escaped as 'U' | 'L' | 'u' | 'l' | 'E' });
		else pieces.push({ text: unescaped(escaped) });
	}
	return pieces;
}
