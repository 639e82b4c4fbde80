/** One simple command of a command line. */
export interface SimpleCommand {
	/** Its words without their quotes; the first is the program. */
	words: string[];
	/** For each word, whether only the shell knows what becomes of it: it may turn out an option, or several words. */
	expanded: boolean[];
	/** Whether it writes a file by `>` or `>>`, or reads from where nobody can tell. */
	writesFile: boolean;
	/** Whether it sets variables for itself, which may change what its program does. */
	setsVariables: boolean;
}

/** Longer lines and deeper nesting are not looked into. */
const MAX_CHARACTERS = 50_000;
const MAX_DEPTH = 20;

/**
 * The simple commands a command line runs: split at `&&`, `||`, `;`, `|`, `&` and line ends, with
 * those inside `$(…)`, backquotes, `<(…)`, `(…)` and `{ … }` too.
 *
 * @returns `null` when it cannot be told: unbalanced quotes or brackets, a here-document, a definition of a
 * function, and whatever bash reads in a way of its own (`$'…'`, `${x@P}`, quotes inside backquotes)
 */
export function splitCommand(line: string): SimpleCommand[] | null {
	return splitNested(line, 0);
}

function splitNested(line: string, depth: number): SimpleCommand[] | null {
	if (line.length > MAX_CHARACTERS) return null;
	const scanner = new Scanner(line, depth);
	const commands = scanner.commands(undefined);
	return commands && scanner.atEnd ? commands : null;
}

const KEYWORDS = new Set(['if', 'then', 'elif', 'else', 'fi', 'while', 'until', 'do', 'done', 'time', '!', '{', '}']);

/** `${x}`, and the simplest of what may stand behind the name; it neither sets anything nor runs anything. */
const PLAIN_PARAMETER = /^\{[A-Za-z_]\w*(?:(?:%%?|##?|:?[-+])[\w./*-]*)?\}/;
/** What makes a word's beginning open: a pattern may become the name of a file that begins with a dash. */
const PATTERN = /[*?[]/;

interface Word {
	text: string;
	expanded: boolean;
}

class Scanner {
	#at = 0;
	/** Commands found inside words of the one being read. */
	#nested: SimpleCommand[] = [];

	constructor(
		private readonly text: string,
		private depth: number
	) {}

	get atEnd(): boolean {
		return this.#at >= this.text.length;
	}

	/** Reads to the closing character, which is taken, or to the end. */
	commands(close: ')' | undefined): SimpleCommand[] | null {
		if (++this.depth > MAX_DEPTH) return null;
		const found = this.#commandsTo(close);
		this.depth--;
		return found;
	}

	#commandsTo(close: ')' | undefined): SimpleCommand[] | null {
		const found: SimpleCommand[] = [];
		let words: Word[] = [];
		let writesFile = false;
		const flush = (): void => {
			const first = words.findIndex(({ text }) => !KEYWORDS.has(text));
			const own = first === -1 ? [] : words.slice(first);
			const assignments = own.findIndex(({ text }) => !/^[A-Za-z_]\w*\+?=/.test(text));
			const setsVariables = assignments > 0 || (assignments === -1 && own.length > 0);
			if (own.length || writesFile)
				found.push({
					words: own.map(({ text }) => text),
					expanded: own.map(({ expanded }) => expanded),
					writesFile,
					setsVariables
				});
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
				// Behind a word it begins a function or a list of values.
				if (words.some(({ text }) => !KEYWORDS.has(text))) return null;
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

	/** Takes a redirection with its target. True when it writes or reaches out, `null` when it cannot be told. */
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
		if (target === null || target.text === '') return null;
		if (operator.endsWith('<<<')) return false;
		// Bash opens a connection for these.
		if (!operator.includes('>')) return target.expanded || /^\/dev\/(?:tcp|udp)\//.test(target.text);
		if (target.expanded) return true;
		return target.text !== '/dev/null' && !(operator.endsWith('>&') && /^(?:\d+-?|-)$/.test(target.text));
	}

	/** One word without its quotes. */
	#word(): Word | null {
		let text = '';
		let expanded = false;
		for (;;) {
			const char = this.text[this.#at];
			if (char === undefined || ' \t\n;|&()<>'.includes(char)) return { text, expanded };
			this.#at++;
			if (char === '\\') text += this.text[this.#at++] ?? '';
			else if (char === "'") {
				const end = this.text.indexOf("'", this.#at);
				if (end === -1) return null;
				text += this.text.slice(this.#at, end);
				this.#at = end + 1;
			} else if (char === '"') {
				const inner = this.#doubleQuoted();
				if (inner === null) return null;
				text += inner.text;
				expanded ||= inner.expanded;
			} else if (char === '`' || char === '$') {
				if (char === '$' && this.text[this.#at] === "'") return null;
				const put = this.#expansion(char);
				if (put === null) return null;
				text += put;
				expanded ||= put !== '$';
			} else {
				const opens = PATTERN.test(char) || (char === '{' && !/[}\s;]|^$/.test(this.text[this.#at] ?? ''));
				// A pattern in the middle of a word changes nothing about how it begins.
				if (opens && !(char === '[' && /^(?:\s|$)/.test(this.text.slice(this.#at, this.#at + 1))))
					expanded ||= text === '' || text.startsWith('-');
				text += char;
			}
		}
	}

	#doubleQuoted(): Word | null {
		let text = '';
		let expanded = false;
		for (;;) {
			const char = this.text[this.#at++];
			if (char === undefined) return null;
			if (char === '"') return { text, expanded };
			if (char === '\\') text += this.text[this.#at++] ?? '';
			else if (char === '`' || char === '$') {
				const put = this.#expansion(char);
				if (put === null) return null;
				text += put;
				expanded ||= put !== '$';
			} else text += char;
		}
	}

	/** What a `$` or a backquote, already taken, begins: what stands for it, `$` where it is only that, `null` where it cannot be told. */
	#expansion(opener: string): string | null {
		if (opener === '`') return this.#backquoted();
		const next = this.text[this.#at] ?? '';
		if (next === '(') {
			this.#at++;
			const outer = this.#takeNested();
			const inner = this.commands(')');
			if (!inner) return null;
			this.#nested = [...outer, ...this.#takeNested(), ...inner];
			return '$()';
		}
		if (next === '[') return null;
		if (next === '{') {
			const plain = PLAIN_PARAMETER.exec(this.text.slice(this.#at, this.#at + 200))?.[0];
			if (plain === undefined) return null;
			this.#at += plain.length;
			return `$${plain}`;
		}
		const name = /^(?:[A-Za-z_]\w*|[\d@*#?$!-])/.exec(this.text.slice(this.#at, this.#at + 200))?.[0];
		if (name === undefined) return '$';
		this.#at += name.length;
		return `$${name}`;
	}

	/** Inside backquotes a backslash, a quote and a comment mean something else than outside: only plain words are read. */
	#backquoted(): string | null {
		const end = this.text.indexOf('`', this.#at);
		if (end === -1) return null;
		const inner = this.text.slice(this.#at, end);
		const commands = /[\\'"#(]/.test(inner) ? null : splitNested(inner, this.depth + 1);
		if (!commands) return null;
		this.#at = end + 1;
		this.#nested.push(...commands);
		return '$()';
	}
}
