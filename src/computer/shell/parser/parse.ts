import type { Part, Script, Statement, Word } from '../ast/nodes.ts';
import { readLine, readSubstitution } from './commands.ts';
import { Cursor, type Dialect } from './cursor.ts';
import { ShellError } from '../state/control.ts';
import { ShellSyntaxError } from './error.ts';
import { fillDocument } from './redirection.ts';
import { type Mode, readParts } from './word.ts';

const PLAIN: Dialect = { aliases: null, extglob: true };

/** Reads a script line by line: what an earlier line changes (aliases, `extglob`) holds for the next. */
export class ScriptReader {
	readonly #cursor: Cursor;
	readonly #first: number;
	/** Number of lines that {@link takeLines} has given. */
	#taken = 0;

	constructor(
		private readonly source: string,
		dialect: Dialect,
		line = 1
	) {
		this.#first = line;
		this.#cursor = new Cursor(source, dialect, line, readSubstitution, fillDocument);
	}

	/** The statements of the next line; null at the end. @throws ShellSyntaxError */
	next(): Statement[] | null {
		return readLine(this.#cursor);
	}

	/** Text of the lines that were read since the last call, as it is written. */
	takeLines(): string {
		const from = this.#taken;
		this.passLines();
		return this.source
			.split(/(?<=\n)/)
			.slice(from, this.#taken)
			.join('');
	}

	/** Leaves the lines that were read since out of what {@link takeLines} gives. */
	passLines(): void {
		this.#taken = this.#cursor.ended ? Infinity : Math.max(this.#taken, this.#cursor.line - this.#first);
	}

	/** Returns true if no command follows. */
	get hasEnded(): boolean {
		return this.#cursor.rest.trim() === '';
	}

	/** Continues after the line with an error. */
	skipLine(): void {
		this.#cursor.skipLine();
	}

	/** The line that comes next. */
	get line(): number {
		return this.#cursor.line;
	}

	set line(line: number) {
		this.#cursor.line = line;
	}

	/**
	 * Takes the here-documents that something else than their delimiters has ended: the first line of each, its
	 * delimiter, and its last line unless that is the text's.
	 */
	unendedDocuments(): [line: number, delimiter: string, end: number | undefined][] {
		return this.#cursor.openDocuments.splice(0).map(({ document, line, end }) => [line, document.delimiter, end]);
	}

	/** Returns true if the last line goes on in one that is missing. */
	get endsJoined(): boolean {
		// A join that was taken is gone from the cursor's text; one that an alias began is only there.
		return [this.source, this.#cursor.source].some((text) => /(?:^|[^\\])(?:\\\\)*\\\n?$/.test(text));
	}

	/** Returns true if the text has ended in a here-document. */
	get endsInDocument(): boolean {
		return this.#cursor.openDocuments.some(({ end }) => end === undefined);
	}
}

const parsed = new Map<string, Script>();
const REMEMBERED = 500;

/**
 * The syntax tree of a whole script, without aliases unless a dialect has them.
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
 * Text that expansions gave as a word that is read as in `mode`: a subscript, the value of a prompt. Its end closes
 * open quotes.
 *
 * @throws ShellError where an expansion is not closed
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
