/** One simple command of a command line. */
export interface SimpleCommand {
	/** Its words without their quotes; the first is the program. */
	words: string[];
	/** Whether it writes a file by `>` or `>>`. */
	writesFile: boolean;
	/** Whether it sets variables for itself, which may change what its program does. */
	setsVariables: boolean;
}

/**
 * The simple commands a command line runs: split at `&&`, `||`, `;`, `|`, `&` and line ends, with
 * those inside `$(…)`, backquotes, `<(…)`, `(…)` and `{ … }` too.
 *
 * @returns `null` when it cannot be told: unbalanced quotes or brackets, a here-document
 */
export function splitCommand(line: string): SimpleCommand[] | null {
	const scanner = new Scanner(line);
	const commands = scanner.commands(undefined);
	return commands && scanner.atEnd ? commands : null;
}

const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'time', '!', '{', '}']);

class Scanner {
	#at = 0;
	/** Inside backquotes the next one ends them. */
	#inBackquotes = false;
	/** Commands found inside words of the one being read. */
	#nested: SimpleCommand[] = [];

	constructor(private readonly text: string) {}

	get atEnd(): boolean {
		return this.#at >= this.text.length;
	}

	/** Reads to the closing character, which is taken, or to the end. */
	commands(close: ')' | '`' | undefined): SimpleCommand[] | null {
		const found: SimpleCommand[] = [];
		let words: string[] = [];
		let writesFile = false;
		const flush = (): void => {
			while (words[0] !== undefined && KEYWORDS.has(words[0])) words.shift();
			const assignments = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
			const setsVariables = assignments > 0 || (assignments === -1 && words.length > 0);
			if (words.length || writesFile) found.push({ words, writesFile, setsVariables });
			words = [];
			writesFile = false;
		};
		for (;;) {
			const char = this.text[this.#at];
			if (char === undefined || char === close) {
				flush();
				if (char !== undefined) this.#at++;
				else if (close !== undefined) return null;
				return found;
			}
			if (char === ' ' || char === '\t' || (char === '\\' && this.text[this.#at + 1] === '\n')) {
				this.#at += char === '\\' ? 2 : 1;
			} else if (char === '#' && this.#startsWord()) this.#skipComment();
			else if (';|&\n'.includes(char) && !this.#isRedirection()) {
				flush();
				this.#at++;
			} else if (char === '(') {
				flush();
				this.#at++;
				const inner = this.commands(')');
				if (!inner) return null;
				found.push(...inner);
			} else if (char === ')') return null;
			else if (char === '<' || char === '>' || this.#isRedirection()) {
				const outcome = this.#redirection();
				if (outcome === null) return null;
				writesFile ||= outcome;
				found.push(...this.#takeNested());
			} else {
				const before = this.#at;
				const word = this.#word();
				// What no word can begin with stands where it must not.
				if (word === null || this.#at === before) return null;
				words.push(word);
				found.push(...this.#takeNested());
			}
		}
	}

	#takeNested(): SimpleCommand[] {
		const nested = this.#nested;
		this.#nested = [];
		return nested;
	}

	#startsWord(): boolean {
		return this.#at === 0 || /[\s;&|(]/.test(this.text[this.#at - 1] ?? '');
	}

	#skipComment(): void {
		while (!this.atEnd && this.text[this.#at] !== '\n') this.#at++;
	}

	#isRedirection(): boolean {
		return /^(?:&>|\d+[<>])/.test(this.text.slice(this.#at, this.#at + 12));
	}

	/** Takes a redirection with its target. True when it writes a file, `null` when it cannot be told. */
	#redirection(): boolean | null {
		const operator = /^(?:&>>?|\d*(?:<<<|<<-?|<>|>>|>\||>&|<&|<|>))/.exec(this.text.slice(this.#at))?.[0] ?? '>';
		this.#at += operator.length;
		if (/<<-?$/.test(operator) && !operator.endsWith('<<<')) return null;
		if (this.text[this.#at] === '(') {
			this.#at++;
			const inner = this.commands(')');
			if (!inner) return null;
			this.#nested.push(...inner);
			return false;
		}
		while (this.text[this.#at] === ' ') this.#at++;
		const target = this.#word();
		if (target === null || target === '') return null;
		if (!operator.includes('>')) return false;
		return target !== '/dev/null' && !(operator.endsWith('>&') && /^\d|-$/.test(target));
	}

	/** One word without its quotes. */
	#word(): string | null {
		let word = '';
		for (;;) {
			const char = this.text[this.#at];
			if (char === undefined || ' \t\n;|&()<>'.includes(char) || (char === '`' && this.#inBackquotes)) return word;
			this.#at++;
			if (char === '\\') word += this.text[this.#at++] ?? '';
			else if (char === "'") {
				const end = this.text.indexOf("'", this.#at);
				if (end === -1) return null;
				word += this.text.slice(this.#at, end);
				this.#at = end + 1;
			} else if (char === '"') {
				const inner = this.#doubleQuoted();
				if (inner === null) return null;
				word += inner;
			} else if (char === '`' || (char === '$' && this.text[this.#at] === '(')) {
				if (!this.#substitution(char)) return null;
				word += '$()';
			} else word += char;
		}
	}

	#doubleQuoted(): string | null {
		let text = '';
		for (;;) {
			const char = this.text[this.#at++];
			if (char === undefined) return null;
			if (char === '"') return text;
			if (char === '\\') text += this.text[this.#at++] ?? '';
			else if (char === '`' || (char === '$' && this.text[this.#at] === '(')) {
				if (!this.#substitution(char)) return null;
				text += '$()';
			} else text += char;
		}
	}

	#substitution(opener: string): boolean {
		const outer = this.#takeNested();
		if (opener === '$') this.#at++;
		const around = this.#inBackquotes;
		this.#inBackquotes = opener === '`';
		const inner = this.commands(opener === '$' ? ')' : '`');
		this.#inBackquotes = around;
		if (!inner) return false;
		this.#nested = [...outer, ...this.#takeNested(), ...inner];
		return true;
	}
}
