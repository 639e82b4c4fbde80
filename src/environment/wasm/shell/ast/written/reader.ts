import { parse } from '../parse.ts';
import { shellWord } from '../../../../shell-word.ts';

/** The text is not what this reader knows; whoever asked shows it as it stands. */
export class Unreadable extends Error {
	override readonly name = 'Unreadable';
}

const WORD_END = /[\s;&|<>()]/;

/** Goes through the text of a script word by word. */
export class Reader {
	at = 0;
	/** Here-documents whose text begins after this line. */
	#awaited: { delimiter: string; stripTabs: boolean; filled(body: string): void }[] = [];

	/** @param substitute writes the inside of `$(…)` anew, read from the reader that stands behind its parenthesis */
	constructor(
		readonly source: string,
		private readonly substitute: (reader: Reader) => string
	) {}

	/** Takes blanks, comments and joined lines. */
	blanks(): void {
		for (;;) {
			const [taken] = /^(?:[ \t]|\\\n)+/.exec(this.source.slice(this.at)) ?? [''];
			this.at += taken.length;
			if (this.source[this.at] === '#') {
				const end = this.source.indexOf('\n', this.at);
				this.at = end < 0 ? this.source.length : end;
			} else if (taken === '') return;
		}
	}

	/** Takes empty lines too, and the here-documents that begin there. */
	lines(): void {
		for (this.blanks(); this.source[this.at] === '\n'; this.blanks()) this.#lineEnd();
	}

	/** Whether `text` stands here. */
	sees(text: string): boolean {
		return this.source.startsWith(text, this.at);
	}

	/** What `pattern`, which begins with `^`, finds here. */
	match(pattern: RegExp): RegExpExecArray | null {
		return pattern.exec(this.source.slice(this.at));
	}

	take(text: string): boolean {
		if (!this.sees(text)) return false;
		this.at += text.length;
		return true;
	}

	/** Takes `text` after blanks and line ends. @throws Unreadable when something else stands there */
	expect(text: string): void {
		this.lines();
		if (!this.take(text)) throw new Unreadable(`no ${text}`);
	}

	/** A reserved word, which must end here. */
	takeWord(word: string): boolean {
		const after = this.source[this.at + word.length] ?? ' ';
		return WORD_END.test(after) && this.take(word);
	}

	awaitHereDocument(delimiter: string, stripTabs: boolean, filled: (body: string) => void): void {
		this.#awaited.push({ delimiter, stripTabs, filled });
	}

	/** A word as it is written; empty where none is. */
	word(): string {
		const from = this.at;
		let text = '';
		while (this.at < this.source.length) {
			const char = this.source[this.at] ?? '';
			const before = this.source[this.at - 1] ?? '';
			if (char === '(' && this.at > from && /[?*+@!]/.test(before)) text += this.balanced('(', ')');
			else if (char === '(' && /^\w+(?:\[.*\])?\+?=$/s.test(text)) text += this.#array();
			else if ((char === '<' || char === '>') && this.source[this.at + 1] === '(') {
				this.at++;
				text += char + this.#commands();
			} else if (WORD_END.test(char)) break;
			else text += this.#piece(false);
		}
		return text;
	}

	/** The text from the bracket here to the one that closes it. */
	balanced(open: string, close: string, quoted = false): string {
		let text = '';
		let depth = 0;
		while (this.at < this.source.length) {
			const char = this.source[this.at] ?? '';
			if (char === open) depth++;
			if (char === close && --depth === 0) {
				this.at++;
				return text + char;
			}
			text += this.#piece(quoted);
		}
		throw new Unreadable(`no ${close}`);
	}

	/** One character, or one quoting or expansion. */
	#piece(quoted: boolean): string {
		const char = this.source[this.at] ?? '';
		if (char === '\\') {
			this.at += 2;
			const escaped = this.source[this.at - 1] ?? '';
			return escaped === '\n' ? '' : char + escaped;
		}
		if (char === "'" && !quoted) return this.#until("'");
		if (char === '`') return this.#until('`');
		if (char === '"') return this.#doubleQuoted();
		if (char === '$') return this.#dollar(quoted);
		this.at++;
		return char;
	}

	#until(quote: string): string {
		const from = this.at++;
		for (; this.source[this.at] !== quote; this.at++) {
			if (this.at >= this.source.length) throw new Unreadable(`no ${quote}`);
			if (quote === '`' && this.source[this.at] === '\\') this.at++;
		}
		return this.source.slice(from, ++this.at);
	}

	#doubleQuoted(): string {
		let text = '"';
		this.at++;
		while (!this.take('"')) {
			if (this.at >= this.source.length) throw new Unreadable('no "');
			text += this.#piece(true);
		}
		return `${text}"`;
	}

	#dollar(quoted: boolean): string {
		if (this.sees('$((')) {
			const start = this.at++;
			const arithmetic = this.balanced('(', ')');
			if (arithmetic.endsWith('))')) return `$${arithmetic}`;
			this.at = start;
		}
		this.at++;
		const next = this.source[this.at];
		if (next === '(') return `$${this.#commands()}`;
		if (next === '{') return `$${this.balanced('{', '}', quoted)}`;
		if (next === '[') return `$${this.balanced('[', ']')}`;
		if (next === '"' && !quoted) return this.#doubleQuoted();
		return next === "'" && !quoted ? this.#escapedQuote() : '$';
	}

	/** `$'a\tb'`, which bash keeps as the characters it stands for. */
	#escapedQuote(): string {
		const from = this.at - 1;
		for (this.at++; this.source[this.at] !== "'"; this.at++) {
			if (this.at >= this.source.length) throw new Unreadable("no '");
			if (this.source[this.at] === '\\') this.at++;
		}
		const [command] = parse(this.source.slice(from, ++this.at)).statements[0]?.pipelines[0]?.commands ?? [];
		const [part] = command?.type === 'SimpleCommand' ? (command.name?.parts ?? []) : [];
		return shellWord(part?.type === 'Literal' ? part.value : '');
	}

	#commands(): string {
		this.at++;
		return `(${this.substitute(this)})`;
	}

	#array(): string {
		const words: string[] = [];
		this.at++;
		for (this.lines(); !this.take(')'); this.lines()) {
			const word = this.word();
			if (word === '') throw new Unreadable('no )');
			words.push(word);
		}
		return `(${words.join(' ')})`;
	}

	#lineEnd(): void {
		this.at++;
		for (const [index, { delimiter, stripTabs, filled }] of this.#awaited.splice(0).entries()) {
			// The line end behind the delimiter stays, unless another here-document follows.
			if (index > 0) this.at++;
			let body = '';
			for (;;) {
				if (this.at >= this.source.length) throw new Unreadable(`no ${delimiter}`);
				const end = this.source.indexOf('\n', this.at);
				const whole = this.source.slice(this.at, end < 0 ? this.source.length : end);
				const line = stripTabs ? whole.replace(/^\t+/, '') : whole;
				this.at += whole.length;
				if (line === delimiter) break;
				this.at++;
				body += `${line}\n`;
			}
			filled(body);
		}
	}
}
