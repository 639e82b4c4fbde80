import { runWords } from '#computer/shell/execution/run-words.ts';
import { open } from '#computer/shell/execution/redirections.ts';
import { runSubshell } from '#computer/shell/execution/subshell.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { OpenFile } from '#computer/shell/streams/open-file.ts';
import { nullStream } from '#computer/shell/streams/simple-streams.ts';
import { decode, encode } from '#computer/process/text.ts';
import { type Options, UsageError, utility } from '../options.ts';
import { C_ESCAPES } from '../c-escapes.ts';
import { shellEscaped } from '../shell-escape.ts';

/** Default maximum length of a command, including the ends of its words, as in GNU xargs. */
const MAX_CHARACTERS = 131_072;

/** Options that split the input; the last one given wins. */
const EXCLUSIVE: Record<string, string | undefined> = {
	n: '--max-args',
	L: '--max-lines',
	l: '--max-lines',
	I: '--replace',
	i: '--replace'
};
const SHOWN: Record<string, string> = {
	'--max-args': '--max-args/-n',
	'--max-lines': '--max-lines/-l',
	'--replace': '--replace/-I/-i'
};

/** Rules by which the input is split into commands. */
interface Split {
	/** Maximum number of words per command. */
	words: number;
	/** Maximum number of lines per command; 0: not split by lines. */
	lines: number;
	/** Text replaced by each line. */
	replace: string | null;
}

/** `xargs`. */
export const xargs = utility(
	'+0|null a|arg-file= d|delimiter= E= e|eof=? I= i|replace=? L= l|max-lines=? n|max-args= o|open-tty P|max-procs= p|interactive process-slot-var= r|no-run-if-empty s|max-chars= show-limits t|verbose x|exit',
	async (call, options) => {
		const split = await chooseSplit(call, options);
		const file = options.get('a');
		const input = file === undefined ? call.shell.descriptors.require(0).retain() : open(call.shell, file, '<');
		const text = decode(await call.shell.control.race(input.readAll()));
		input.release();
		const delimiter = options.has('0') ? '\0' : options.get('d');
		const words =
			delimiter === undefined ? wordsOf(text, options, split.replace) : itemsOf(text, delimiterOf(delimiter));
		const command = options.operands.length > 0 ? options.operands : ['echo'];
		const limit = limitOf(options, command);
		return runAll(call, options, commandsOf(command, words, split, limit, !options.has('r')));
	}
);

/** Chooses among `-n`, `-L` and `-I`, and warns if one overrides another. */
async function chooseSplit(call: Call, options: Options): Promise<Split> {
	const split: Split = { words: Infinity, lines: 0, replace: null };
	let previous: string | null = null;
	for (const { name, value } of options.given) {
		const long = EXCLUSIVE[name];
		if (long === undefined) continue;
		// A line is already one argument.
		if (name === 'n' && split.replace !== null && value === '1') continue;
		if (previous !== null && previous !== long)
			await call.complain(
				`warning: options ${previous} and ${SHOWN[long]} are mutually exclusive, ignoring previous ${previous} value`
			);
		previous = long;
		Object.assign(split, { words: Infinity, lines: 0, replace: null });
		if (name === 'n') split.words = positive(value, 'n');
		else if (long === '--max-lines') split.lines = value === '' ? 1 : positive(value, name);
		else split.replace = value || '{}';
	}
	return split;
}

function positive(text: string, option: string): number {
	if (!/^\+?\d+$/.test(text)) throw new UsageError(`invalid number "${text}" for -${option} option`);
	if (Number(text) < 1) throw new UsageError(`value ${text} for -${option} option should be >= 1`);
	return Number(text);
}

/** Parses the argument of `-d`: a character, or an escape for one. */
function delimiterOf(text: string): string {
	const [, octal, hex, letter] = /^\\(?:0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([abfnrtv\\]))$/.exec(text) ?? [];
	if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
	if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
	if (letter !== undefined) return letter in C_ESCAPES ? C_ESCAPES[letter as keyof typeof C_ESCAPES] : letter;
	if ([...text].length === 1) return text;
	throw new UsageError(
		text.startsWith('\\')
			? `Invalid escape sequence ${text} in input delimiter specification.`
			: `Invalid input delimiter specification ${text}: the delimiter must be either a single character or an escape sequence starting with \\.`
	);
}

/** A word of the input. */
interface Word {
	text: string;
	/** True for the last word of its line, as counted by `-L`. */
	endsLine: boolean;
}

function itemsOf(text: string, delimiter: string): Word[] {
	const items = text.split(delimiter);
	if (items.at(-1) === '') items.pop();
	return items.map((item) => ({ text: item, endsLine: true }));
}

/** Reads words: blanks separate, quotes and backslashes protect. With `-L` a line that ends in a blank continues. */
function* wordsOf(text: string, options: Options, replace: string | null): Generator<Word> {
	const last = options.last('E', 'e');
	const end = last === undefined ? '' : options.get(last);
	const reader = new WordReader(text, replace !== null);
	for (let word = reader.next(); word !== null; word = reader.next()) {
		if (word === end && end !== '') return;
		yield { text: word, endsLine: reader.endsLine && !reader.endsInBlank };
	}
}

/** Reads the words of an input one by one. */
class WordReader {
	/** The last word read ends its line. */
	endsLine = false;
	/** The line of the last word ends with a blank. */
	endsInBlank = false;
	#at = 0;

	/** @param takesLines whether a line is one word, without leading blanks */
	constructor(
		private readonly text: string,
		private readonly takesLines: boolean
	) {}

	/** Null at the end. @throws UsageError for an unclosed quote */
	next(): string | null {
		const blank = /[ \t\r\v\f\n]*/y;
		blank.lastIndex = this.#at;
		this.#at += blank.exec(this.text)?.[0].length ?? 0;
		if (this.#at >= this.text.length) return null;
		let word = '';
		for (; this.#at < this.text.length; this.#at++) {
			const one = this.text[this.#at] ?? '';
			if (one === '\n' || (!this.takesLines && /[ \t]/.test(one))) break;
			if (one === '\\') word += this.text[++this.#at] ?? '';
			else if (one === '"' || one === "'") word += this.#quoted(one);
			else word += one;
		}
		const [rest = ''] = /^[ \t]*\n?/.exec(this.text.slice(this.#at, this.#at + 4096)) ?? [];
		this.endsLine = rest.endsWith('\n') || this.#at >= this.text.length;
		this.endsInBlank = /^[ \t]+\n/.test(rest);
		return word;
	}

	#quoted(quote: string): string {
		const end = this.text.slice(this.#at + 1).search(/["'\n]/) < 0 ? -1 : this.text.indexOf(quote, this.#at + 1);
		const content = end < 0 ? '\n' : this.text.slice(this.#at + 1, end);
		if (content.includes('\n')) {
			const kind = quote === "'" ? 'single' : 'double';
			throw new UsageError(
				`unmatched ${kind} quote; by default quotes are special to xargs unless you use the -0 option`
			);
		}
		this.#at = end;
		return content;
	}
}

function limitOf(options: Options, command: readonly string[]): number {
	const given = options.get('s');
	const limit = given === undefined ? MAX_CHARACTERS : Math.min(positive(given, 's'), MAX_CHARACTERS);
	if (lengthOf(command) > limit) throw new UsageError('cannot fit single argument within argument list size limit');
	return limit;
}

const lengthOf = (words: readonly string[]): number =>
	words.reduce((sum, word) => sum + (/^[\0-\x7f]*$/.test(word) ? word.length : encode(word).length) + 1, 0);

/**
 * Builds commands with as many words as fit, while the input is read: commands before a syntax error have run.
 *
 * @param runsOnce whether the command runs once without words
 * @throws UsageError for a word that is too long
 */
function* commandsOf(
	command: readonly string[],
	input: Iterable<Word>,
	split: Split,
	limit: number,
	runsOnce: boolean
): Generator<string[]> {
	const { replace } = split;
	const start = lengthOf(command);
	let [words, length, lineCount]: [string[], number, number] = [[], start, 0];
	let isEmpty = true;
	const take = (): string[] => {
		const taken = [...command, ...words];
		[words, length, lineCount, isEmpty] = [[], start, 0, false];
		return taken;
	};
	for (const { text, endsLine } of input) {
		if (replace !== null) {
			isEmpty = false;
			yield command.map((word) => word.replaceAll(replace, text));
			continue;
		}
		const added = lengthOf([text]);
		if (start + added > limit) throw new UsageError('argument line too long');
		if (words.length > 0 && length + added > limit) yield take();
		words.push(text);
		length += added;
		lineCount += endsLine ? 1 : 0;
		if (words.length >= split.words || (split.lines > 0 && lineCount >= split.lines)) yield take();
	}
	if (words.length > 0 || (isEmpty && runsOnce && replace === null)) yield take();
}

async function runAll(call: Call, options: Options, commands: Generator<string[]>): Promise<number> {
	const { shell } = call;
	let status = 0;
	const work = async (): Promise<void> => {
		for (const words of commands) {
			if (options.has('t', 'p'))
				await shell.descriptors.get(2)?.write(encode(`${words.map(shellEscaped).join(' ')}\n`));
			const result = await runSubshell(shell, (inner) => {
				inner.descriptors.set(0, new OpenFile(nullStream));
				return runWords(inner, words, 'functions');
			});
			if (result === 255) await call.complain(`${words[0]}: exited with status 255; aborting`);
			if (result !== 0) status = result === 255 ? 124 : result === 126 || result === 127 ? result : 123;
			if (result === 255 || result === 127) return;
		}
	};
	const parallel = Number(options.get('P') ?? 1) || 8;
	await Promise.all(Array.from({ length: parallel }, work));
	return status;
}
