import type { Part, Script, Statement, Word } from '../ast/nodes.ts';
import { readLine, readSubstitution } from './commands.ts';
import { Cursor, type Dialect } from './cursor.ts';
import { ShellError } from '../state/control.ts';
import { ShellSyntaxError } from './error.ts';
import { fillDocument } from './redirection.ts';
import { type Mode, readParts } from './word.ts';

const PLAIN: Dialect = { aliases: null, extglob: true };

/** Parses a script line by line: changes by an earlier line (aliases, `extglob`) apply to the next. */
export class ScriptReader {
	readonly #cursor: Cursor;
	readonly #first: number;
	/** Number of lines returned by {@link takeLines}. */
	#taken = 0;

	constructor(
		private readonly source: string,
		dialect: Dialect,
		line = 1
	) {
		this.#first = line;
		this.#cursor = new Cursor(source, dialect, line, readSubstitution, fillDocument);
	}

	/** Parses the statements of the next line; null at the end. @throws ShellSyntaxError */
	next(): Statement[] | null {
		return readLine(this.#cursor);
	}

	/** Returns the source text of the lines parsed since the last call. */
	takeLines(): string {
		const from = this.#taken;
		this.passLines();
		return this.source
			.split(/(?<=\n)/)
			.slice(from, this.#taken)
			.join('');
	}

	/** Excludes the lines parsed since then from the result of {@link takeLines}. */
	passLines(): void {
		this.#taken = this.#cursor.ended ? Infinity : Math.max(this.#taken, this.#cursor.line - this.#first);
	}

	/** Returns whether no command follows. */
	get hasEnded(): boolean {
		return this.#cursor.rest.trim() === '';
	}

	/** Continues after the line with an error. */
	skipLine(): void {
		this.#cursor.skipLine();
	}

	/** Number of the next line. */
	get line(): number {
		return this.#cursor.line;
	}

	set line(line: number) {
		this.#cursor.line = line;
	}

	/**
	 * Returns and clears the here-documents that were not ended by their delimiters: the first line of each, its
	 * delimiter, and its last line unless that is the last one of the text.
	 */
	unendedDocuments(): [line: number, delimiter: string, end: number | undefined][] {
		return this.#cursor.openDocuments.splice(0).map(({ document, line, end }) => [line, document.delimiter, end]);
	}

	/** Returns whether the last line ends in a line continuation. */
	get endsJoined(): boolean {
		// A consumed continuation is gone from the cursor's text; one from an alias exists only there.
		return [this.source, this.#cursor.source].some((text) => /(?:^|[^\\])(?:\\\\)*\\\n?$/.test(text));
	}

	/** Returns whether the text ends in a here-document. */
	get endsInDocument(): boolean {
		return this.#cursor.openDocuments.some(({ end }) => end === undefined);
	}
}

const parsed = new Map<string, Script>();
const REMEMBERED = 500;

/**
 * Parses a whole script, without aliases unless a dialect has them.
 * @throws ShellSyntaxError
 */
export function parse(source: string, dialect = PLAIN): Script {
	if (dialect !== PLAIN) return parseWhole(source, dialect);
	const known = parsed.get(source);
	if (known) return known;
	const script = parseWhole(source, dialect);
	if (parsed.size >= REMEMBERED) parsed.clear();
	parsed.set(source, script);
	return script;
}

function parseWhole(source: string, dialect: Dialect): Script {
	const reader = new ScriptReader(source, dialect);
	const statements: Statement[] = [];
	for (let line = reader.next(); line; line = reader.next()) statements.push(...line);
	if (reader.endsInDocument) throw new ShellSyntaxError('here-document without its end', true);
	if (reader.endsJoined) throw new ShellSyntaxError('syntax error: unexpected end of file', true);
	return { type: 'Script', statements };
}

const words = new Map<string, Word>();

function fragmentParts(cursor: Cursor, mode: Mode): Part[] {
	try {
		return readParts(cursor, mode, '');
	} catch (error) {
		if (!(error instanceof ShellSyntaxError)) throw error;
		const [, missing] = /matching `(.)'$/.exec(error.message) ?? [];
		const rest = cursor.source.slice(cursor.at);
		const messages: Record<string, string> = {
			'}': `${cursor.source}: bad substitution`,
			'`': `bad substitution: no closing "\`" in ${rest}`
		};
		throw new ShellError(messages[missing ?? ''] ?? error.message, 1, 'line');
	}
}

/**
 * Parses text from expansions as a word in `mode`: a subscript, the value of a prompt. Its end closes open quotes.
 *
 * @throws ShellError if an expansion is not closed
 */
export function parseWord(text: string, mode: Mode): Word {
	const key = `${mode}:${text}`;
	const known = words.get(key);
	if (known) return known;
	const cursor = new Cursor(text, PLAIN, 1, readSubstitution, fillDocument);
	cursor.isFragment = true;
	const word: Word = { type: 'Word', parts: fragmentParts(cursor, mode) };
	if (words.size >= REMEMBERED) words.clear();
	words.set(key, word);
	return word;
}
