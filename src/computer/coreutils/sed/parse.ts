import { PatternError, posixPattern } from '../text/posix-pattern.ts';
import { type Address, type Piece, type SedCommand, SedError, type Substitution } from './script.ts';

/** A command before it is read. */
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

/** Reads a sed script. @throws SedError */
export function parseSed(source: string, extended: boolean): SedCommand[] {
	return new SedParser(source, extended).commands();
}

class SedParser {
	#at = 0;

	constructor(
		private readonly source: string,
		private readonly extended: boolean
	) {}

	commands(): SedCommand[] {
		const commands: SedCommand[] = [];
		const open: SedCommand[] = [];
		for (;;) {
			this.#skip(/[\s;]/);
			if (this.#at >= this.source.length) break;
			if (this.#peek() === '#') {
				this.#line();
				continue;
			}
			const command = this.#command();
			if (command.name === '{') open.push(command);
			if (command.name === '}') {
				const start = open.pop();
				if (!start) this.#fail("unexpected `}'");
				else start.end = commands.length;
			}
			commands.push(command);
		}
		if (open.length) this.#fail("unmatched `{'");
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

	#fail(message: string): never {
		throw new SedError(`-e expression #1, char ${this.#at}: ${message}`);
	}

	#line(): string {
		const end = this.source.indexOf('\n', this.#at);
		const line = this.source.slice(this.#at, end < 0 ? undefined : end);
		this.#at += line.length + 1;
		return line;
	}

	#command(): SedCommand {
		const from = this.#address();
		let to: Address | null = null;
		this.#skip(/[ \t]/);
		if (from && this.#peek() === ',') {
			this.#at++;
			this.#skip(/[ \t]/);
			to = this.#address(true);
			if (!to) this.#fail("unexpected `,'");
		}
		this.#skip(/[ \t]/);
		let negated = false;
		while (this.#peek() === '!') {
			negated = true;
			this.#at++;
			this.#skip(/[ \t]/);
		}
		const name = this.#peek();
		this.#at++;
		const command: SedCommand = { ...EMPTY, name, from, to, negated };
		if (name === '') this.#fail('missing command');
		if (PLAIN.includes(name)) this.#endOfCommand();
		else if (name === 's') command.substitution = this.#substitution();
		else if (name === 'y') command.map = this.#map();
		else if ('aic'.includes(name)) command.text = this.#text();
		else if (':' === name) {
			this.#skip(/[ \t]/);
			command.text = /^[^\n;]*/.exec(this.source.slice(this.#at))?.[0].trim() ?? '';
			this.#skip(/[^\n;]/);
		} else if ('btT'.includes(name)) {
			this.#skip(/[ \t]/);
			command.text = /^[^\s;}]*/.exec(this.source.slice(this.#at))?.[0] ?? '';
			this.#at += command.text.length;
			this.#endOfCommand();
		} else if ('rRwW'.includes(name)) {
			this.#skip(/[ \t]/);
			command.text = this.#line();
		} else if ('qQlL'.includes(name)) {
			this.#skip(/[ \t]/);
			const digits = /^\d+/.exec(this.source.slice(this.#at))?.[0];
			this.#at += digits?.length ?? 0;
			command.number = digits === undefined ? null : Number(digits);
			this.#endOfCommand();
		} else if (name === 'e') command.text = this.#line().trim();
		else if (name === '}') this.#endOfCommand();
		else if (name !== '{') this.#fail(`unknown command: \`${name}'`);
		return command;
	}

	#endOfCommand(): void {
		this.#skip(/[ \t]/);
		const next = this.#peek();
		if (next === '' || next === '}' || next === '#') return;
		if (next !== ';' && next !== '\n') this.#fail('extra characters after command');
		this.#at++;
	}

	#address(second = false): Address | null {
		const rest = this.source.slice(this.#at);
		const relative = second ? /^([+~])(\d+)/.exec(rest) : null;
		if (relative) {
			this.#at += relative[0].length;
			const number = Number(relative[2]);
			return relative[1] === '+' ? { kind: 'count', lines: number } : { kind: 'multiple', of: number };
		}
		const step = /^(\d+)~(\d+)/.exec(rest);
		if (step) {
			this.#at += step[0].length;
			return { kind: 'step', first: Number(step[1]), step: Number(step[2]) };
		}
		const line = /^\d+/.exec(rest);
		if (line) {
			this.#at += line[0].length;
			return { kind: 'line', line: Number(line[0]) };
		}
		if (rest.startsWith('$')) {
			this.#at++;
			return { kind: 'last' };
		}
		if (rest.startsWith('/') || rest.startsWith('\\')) {
			if (rest.startsWith('\\')) this.#at++;
			const delimiter = this.#peek();
			this.#at++;
			const pattern = this.#until(delimiter, true);
			const flags = /^[IM]*/.exec(this.source.slice(this.#at))?.[0] ?? '';
			this.#at += flags.length;
			return { kind: 'pattern', pattern: this.#pattern(pattern, flags) };
		}
		return null;
	}

	/** Text up to a delimiter; an escaped delimiter is literal. */
	#until(delimiter: string, pattern: boolean): string {
		let text = '';
		let bracket = false;
		for (;;) {
			const character = this.#peek();
			if (character === '') this.#fail(pattern ? 'unterminated address regex' : "unterminated `s' command");
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
			const named = bracket ? /^\[:\w+:\]/.exec(this.source.slice(this.#at - 1)) : null;
			if (named) {
				text += named[0];
				this.#at += named[0].length - 1;
				continue;
			}
			if (bracket && character === ']') bracket = false;
			else if (character === delimiter && !(bracket && this.source.indexOf(']', this.#at) >= 0)) return text;
			text += character;
		}
	}

	/** Null refers to the pattern used last. */
	#pattern(text: string, flags: string): RegExp | null {
		if (text === '') return null;
		try {
			return posixPattern(text, {
				extended: this.extended,
				ignoreCase: /[iI]/.test(flags),
				lines: /[mM]/.test(flags),
				escapes: true
			});
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			return this.#fail(error.message);
		}
	}

	#substitution(): Substitution {
		const delimiter = this.#peek();
		this.#at++;
		const pattern = this.#until(delimiter, true);
		const replacement = this.#until(delimiter, false);
		const flags = /^[gpiIemM\d]*/.exec(this.source.slice(this.#at))?.[0] ?? '';
		this.#at += flags.length;
		let file: string | null = null;
		if (this.#peek() === 'w') {
			this.#at++;
			this.#skip(/[ \t]/);
			file = this.#line();
		} else {
			this.#skip(/[ \t]/);
			if (!/^([;\n}#]|$)/.test(this.source.slice(this.#at))) this.#fail("unknown option to `s'");
			if (/[;\n]/.test(this.#peek())) this.#at++;
		}
		const expression = this.#pattern(pattern, flags);
		return {
			pattern: expression && new RegExp(expression.source, `${expression.flags}g`),
			replacement: replacementPieces(replacement),
			global: flags.includes('g'),
			nth: Number(/\d+/.exec(flags)?.[0] ?? 1),
			print: flags.includes('p'),
			file,
			evaluate: flags.includes('e')
		};
	}

	#map(): Map<string, string> {
		const delimiter = this.#peek();
		this.#at++;
		const plain = (text: string) => [
			...text.replace(/\\(.)/gs, (_whole, letter: string) => ({ n: '\n', t: '\t', r: '\r' })[letter] ?? letter)
		];
		const from = plain(this.#until(delimiter, false));
		const to = plain(this.#until(delimiter, false));
		if (from.length !== to.length) this.#fail("strings for `y' command are different lengths");
		this.#endOfCommand();
		return new Map(from.map((character, index) => [character, to[index] ?? '']));
	}

	/** Text of `a`, `i`, `c`: on the same line, or on those after a backslash. */
	#text(): string {
		this.#skip(/[ \t]/);
		if (this.#peek() === '\\') {
			this.#at++;
			const rest = this.source.slice(this.#at);
			const blank = /^[ \t]*\n/.exec(rest);
			if (blank) this.#at += blank[0].length;
			// `$a\\` with nothing behind it only gives the last line its end.
			if (this.#at >= this.source.length) return '';
		}
		let text = '';
		while (this.#at < this.source.length && this.#peek() !== '\n') {
			if (this.#peek() === '\\') {
				this.#at++;
				// GNU's escapes; the first letter of a line on its own is only protected.
				const meant = text === '' ? undefined : { n: '\n', t: '\t' }[this.#peek()];
				text += meant ?? this.#peek();
			} else text += this.#peek();
			this.#at++;
		}
		this.#at++;
		return `${text}\n`;
	}
}

/** `\1`, `&`, `\n`, `\U…` of a replacement. */
function replacementPieces(text: string): Piece[] {
	const pieces: Piece[] = [];
	for (const [piece, escaped] of text.matchAll(/\\([\s\S])|&|[^\\&]+/g)) {
		if (piece === '&') pieces.push({ group: 0 });
		else if (escaped === undefined) pieces.push({ text: piece });
		else if (/\d/.test(escaped)) pieces.push({ group: Number(escaped) });
		else if (escaped === 'U' || escaped === 'L' || escaped === 'u' || escaped === 'l' || escaped === 'E')
			pieces.push({ letters: escaped });
		else pieces.push({ text: { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' }[escaped] ?? escaped });
	}
	return pieces;
}
