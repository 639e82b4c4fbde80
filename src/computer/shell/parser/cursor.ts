import type { HereDocument, Script } from '../ast/nodes.ts';
import { ShellSyntaxError } from './error.ts';

/** State of the shell that changes its syntax. */
export interface Dialect {
	/** Null if aliases are not expanded. */
	aliases: ReadonlyMap<string, string> | null;
	extglob: boolean;
	posix?: boolean;
}

export interface PendingDocument {
	document: HereDocument;
	stripTabs: boolean;
	line: number;
}

/** Characters that end a word. */
const META = ' \t\n;&|<>()';
const OPERATOR = /;;&|;;|;&|&&|&>>|&>|\|\||\|&|<<<|<<-|<<|>>|>&|<&|<>|>\||[;&|<>()\n]/y;

/** Words that POSIX mode does not treat as aliases where a command may start. */
const RESERVED: ReadonlySet<string> = new Set(
	'! case coproc do done elif else esac fi for function if in select then until while { } time [['.split(' ')
);

/** Position of a word, which decides whether it may be an alias: `choices` is after the word of `for` and `case`. */
type Place = 'word' | 'command' | 'choices';

/** Text without quotes and comments up to the last line continuation. */
const JOINED = /(?:(?:[^\s"'`$\\#]|(?<![\s;&|<>()])#)*\\\n)+/y;

/** Position in the text of a script. */
export class Cursor {
	at = 0;
	#line: number;
	/** Line continuations removed from the text, in order, each by the length of the text remaining after it. */
	readonly #joins: number[] = [];
	#mayJoin: boolean;
	/** Here-documents whose bodies follow the line. */
	pending: PendingDocument[] = [];
	/** Unfinished here-documents at the end of the text. */
	openDocuments: (PendingDocument & { end?: number })[] = [];
	/** Nesting depth of `$(`. */
	depth = 0;
	/** The original text, and the number of its first line. */
	readonly #written: { source: string; line: number };
	/** Set in the text of a here-document, outside of the commands in it. */
	isDocument = false;
	/**
	 * Set in text that is not part of a script, in which the end of the text closes quotes, outside of commands in it.
	 */
	isFragment = false;
	/** Aliases being expanded, outermost first, each with the length of the text remaining after its expansion. */
	#expanding: { name: string; left: number; endsInBlank: boolean }[] = [];
	/** Set after an alias that ended in a blank: the next unquoted word may be one too. */
	#isAliasNext = false;
	/** Set if aliases have changed the text. */
	hasAliases = false;

	constructor(
		public source: string,
		readonly dialect: Dialect,
		line: number,
		/** Parses the commands of a substitution up to its `)`. */
		readonly substitution: (cursor: Cursor) => Script,
		/** Sets a here-document's content from its text. */
		readonly fill: (cursor: Cursor, document: HereDocument, line: number) => void
	) {
		this.#line = line;
		this.#mayJoin = source.includes('\\\n');
		this.#written = { source, line };
	}

	/** Number of the current line. */
	get line(): number {
		return this.#line + this.#joined();
	}

	set line(line: number) {
		this.#line = line - this.#joined();
	}

	/** Number of line continuations before this position. */
	#joined(): number {
		const left = this.source.length - this.at;
		let [from, to] = [0, this.#joins.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			if (this.#joins[middle]! >= left) from = middle + 1;
			else to = middle;
		}
		return from;
	}

	get ended(): boolean {
		return this.at >= this.source.length;
	}

	/** Remaining text. */
	get rest(): string {
		return this.source.slice(this.at);
	}

	get char(): string {
		return this.source[this.at] ?? '';
	}

	peek(offset: number): string {
		return this.source[this.at + offset] ?? '';
	}

	sees(text: string): boolean {
		return this.source.startsWith(text, this.at);
	}

	take(text: string): boolean {
		if (!this.sees(text)) return false;
		this.at += text.length;
		return true;
	}

	/** @param expression sticky */
	match(expression: RegExp): RegExpExecArray | null {
		expression.lastIndex = this.at;
		return expression.exec(this.source);
	}

	/** Consumes the next character, counting lines. */
	next(): string {
		const char = this.char;
		if (char === '\n' && !this.#isInAlias()) this.line++;
		this.at++;
		return char;
	}

	/** Lines of an alias' text do not count as lines of the script. */
	#isInAlias(): boolean {
		if (this.#expanding.length === 0) return false;
		const left = this.source.length - this.at;
		return this.#expanding.some((one) => one.left < left);
	}

	/** Removes a line continuation from the text. */
	joinLine(offset: number): void {
		const at = this.at + offset;
		let end = at;
		while (this.source.startsWith('\\\n', end)) end += 2;
		if (end > at) this.#join(at, end);
	}

	/** Removes the line continuations from a part of the text. */
	#join(from: number, to: number): void {
		const left = this.source.length - to;
		const pieces = this.source.slice(from, to).split('\\\n');
		const text = pieces.join('');
		this.source = this.source.slice(0, from) + text + this.source.slice(to);
		let taken = 0;
		for (const piece of pieces.slice(0, -1)) {
			taken += piece.length;
			this.#joins.push(left + text.length - taken);
		}
	}

	/**
	 * Removes line continuations from the unquoted text here: reserved words, names and operators.
	 *
	 * @param token sticky: text up to the last line continuation
	 */
	joinToken(token = JOINED): void {
		const found = this.#mayJoin ? this.match(token) : null;
		if (found) this.#join(this.at, this.at + found[0].length);
	}

	get atMeta(): boolean {
		return this.ended || META.includes(this.char);
	}

	/** Skips blanks, line continuations and a comment; expands aliases after an alias that ended in a blank. */
	blanks(place: Place = 'word'): void {
		for (;;) {
			if (this.char === ' ' || this.char === '\t') this.at++;
			else if (this.sees('\\\n')) {
				this.at += 2;
				this.line++;
			} else break;
		}
		if (this.char === '#') this.skipLine();
		else this.joinToken();
		if (this.#isAliasNext || this.#expanding.length > 0) this.#expandAliases(place);
	}

	/** Skips blanks and newlines. */
	lines(place: Place = 'word'): void {
		for (this.blanks(place); this.char === '\n'; this.blanks(place)) this.newline();
	}

	/** Skips newlines up to a command, including those at the start of its aliases. */
	commandLines(): void {
		for (this.commandBlanks(); this.char === '\n'; this.commandBlanks()) this.newline();
	}

	/** Skips blanks up to a command and expands its aliases. */
	commandBlanks(): void {
		this.blanks('command');
		this.#expandAliases('command');
	}

	/** Stops treating the next word as an alias because a previous alias ended in a blank. */
	endAliases(): void {
		this.#leaveAliases();
		this.#isAliasNext = false;
	}

	/** Skips the rest of the line. */
	skipLine(): void {
		const end = this.source.indexOf('\n', this.at);
		this.at = end < 0 ? this.source.length : end;
	}

	/** Consumes a newline and the bodies of the here-documents after it. */
	newline(): void {
		this.endAliases();
		this.next();
		for (const pending of this.pending.splice(0)) this.#readBody(pending);
	}

	/** Ends the text: here-documents that were not reached are empty. */
	finish(): void {
		for (const pending of this.pending.splice(0)) this.#readBody(pending);
	}

	#readBody(pending: PendingDocument): void {
		const { document, stripTabs } = pending;
		const { delimiter } = document;
		const first = this.line;
		let body = '';
		for (;;) {
			if (this.ended) {
				this.openDocuments.push(pending);
				break;
			}
			const line = this.#bodyLine(document.quoted, stripTabs);
			const ending = line.endsWith('\n') ? line.slice(0, -1) : line;
			if (ending === delimiter) break;
			if (this.depth > 0 && ending.startsWith(delimiter) && /^\s*\)/.test(ending.slice(delimiter.length))) {
				this.at -= line.length - delimiter.length;
				if (line.endsWith('\n')) this.line--;
				this.openDocuments.push({ ...pending, end: this.line });
				break;
			}
			body += line;
		}
		document.text = body;
		this.fill(this, document, first);
	}

	/**
	 * Reads a line of a here-document including its newline; continued lines count as one if the delimiter is not
	 * quoted.
	 */
	#bodyLine(quoted: boolean, stripTabs: boolean): string {
		let text = '';
		for (;;) {
			const end = this.source.indexOf('\n', this.at);
			const stop = end < 0 ? this.source.length : end + 1;
			let line = this.source.slice(this.at, stop);
			if (line.endsWith('\n')) this.line++;
			this.at = stop;
			if (stripTabs && text === '') line = line.replace(/^\t+/, '');
			text += line;
			const isJoined = !quoted && /(?:^|[^\\])(?:\\\\)*\\\n$/.test(text);
			if (!isJoined || this.ended) return text;
			text = text.slice(0, -2);
		}
	}

	/** Returns the unquoted word at this position without consuming it. */
	plainWord(): string {
		return this.match(/[^\s;&|<>()"'`$\\]+/y)?.[0] ?? '';
	}

	/** Consumes a reserved word. */
	reserved(word: string): boolean {
		if (!this.sees(word) || !(META + '\r').includes(this.peek(word.length))) return false;
		this.at += word.length;
		return true;
	}

	seesReserved(word: string): boolean {
		return this.sees(word) && META.includes(this.peek(word.length));
	}

	/** Replaces the word here by its alias if allowed. */
	#expandAliases(place: Place): void {
		const { aliases } = this.dialect;
		if (!aliases || aliases.size === 0) return;
		this.#leaveAliases();
		if (place !== 'command' && !this.#isAliasNext) return;
		const name = this.#aliasName();
		if (name === undefined || this.#isReserved(name, place)) return;
		const text = aliases.get(name);
		if (text === undefined || this.#expanding.some((one) => one.name === name)) {
			this.#isAliasNext = false;
			return;
		}
		this.#insertAlias(name, text);
		// The start of the expansion may be an alias as well.
		this.blanks(place);
	}

	/**
	 * Drops the aliases that end before this position. The outermost of them decides whether the next word may be one.
	 */
	#leaveAliases(): void {
		const left = this.source.length - this.at;
		for (let last = this.#expanding.at(-1); last && last.left >= left; last = this.#expanding.at(-1)) {
			this.#isAliasNext = last.endsInBlank;
			this.#expanding.pop();
		}
	}

	/** Returns the word here if it may be an alias: unquoted, and not a descriptor number. */
	#aliasName(): string | undefined {
		const name = this.match(/[^\s;&|<>()"'`$\\]+/y)?.[0];
		if (name === undefined || !META.includes(this.peek(name.length))) return undefined;
		return /^\d+$/.test(name) && '<>'.includes(this.peek(name.length) || ' ') ? undefined : name;
	}

	#isReserved(name: string, place: Place): boolean {
		if (place === 'choices') return name === 'in' || name === 'do';
		return place === 'command' && this.dialect.posix === true && RESERVED.has(name);
	}

	#insertAlias(name: string, text: string): void {
		const rest = this.source.slice(this.at + name.length);
		this.hasAliases = true;
		this.source = this.source.slice(0, this.at) + text + rest;
		this.#mayJoin ||= text.endsWith('\\') || text.includes('\\\n');
		this.#expanding.push({ name, left: rest.length, endsInBlank: /[ \t]$/.test(text) });
	}

	/**
	 * @param endsLine whether the end of the text counts as the end of its line
	 * @throws ShellSyntaxError about the token at this place
	 */
	fail(endsLine = false): never {
		if (this.ended && !endsLine)
			throw new ShellSyntaxError('syntax error: unexpected end of file', true, this.#lastLine());
		const token = this.ended ? '\n' : (this.match(OPERATOR)?.[0] ?? this.match(/[^\s;&|<>()]+/y)?.[0] ?? this.char);
		const shown = token === '\n' ? 'newline' : token;
		throw new ShellSyntaxError(
			`syntax error near unexpected token \`${shown}'`,
			false,
			this.line,
			'text',
			this.#lineHere()
		);
	}

	/** Number of the line after the text: the last one counts as ended, and as continued if it ends in a backslash. */
	#lastLine(): number {
		const [end = ''] = /\\?$/.exec(this.source) ?? [];
		return this.source.endsWith('\n') ? this.line : this.line + 1 + end.length;
	}

	/** The complete line at this position; a newline belongs to the line it ends. */
	#lineHere(): string {
		if (this.hasAliases) return this.#written.source.split('\n')[this.line - this.#written.line] ?? '';
		const start = this.source.lastIndexOf('\n', this.at - 1) + 1;
		const end = this.source.indexOf('\n', this.at);
		return this.source.slice(start, end < 0 ? undefined : end);
	}

	/**
	 * @param line line shown in the message: where a quote starts
	 * @throws ShellSyntaxError
	 */
	unclosed(quote: string, line = this.line): never {
		throw new ShellSyntaxError(`unexpected EOF while looking for matching \`${quote}'`, true, line);
	}

	/** Creates a cursor for text inside this one, such as a here-document's body. */
	within(source: string, line: number): Cursor {
		const inner = new Cursor(source, this.dialect, line, this.substitution, this.fill);
		inner.depth = this.depth;
		inner.isDocument = true;
		return inner;
	}
}
