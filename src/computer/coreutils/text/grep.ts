import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { decode } from '#computer/process/text.ts';
import { KnownLines } from '../input/known-lines.ts';
import { readWhole } from '../input/whole-file.ts';
import { isOutputFile } from '../input/output-file.ts';
import { LineSource } from '../input/line-source.ts';
import { TextOutput } from '../input/text-output.ts';
import { Options, UsageError, utility } from '../options.ts';
import { escapePattern, PatternError, posixPattern } from './posix-pattern.ts';
import { filesBelow, namedFiles, type SearchedFile } from './searched-files.ts';

export const SPECIFICATION =
	'i|ignore-case|y no-ignore-case v|invert-match c|count n|line-number l|files-with-matches L|files-without-match ' +
	'o|only-matching q|quiet|silent s|no-messages h|no-filename H|with-filename r|recursive R|dereference-recursive ' +
	'w|word-regexp x|line-regexp e|regexp= f|file= F|fixed-strings E|extended-regexp G|basic-regexp P|perl-regexp ' +
	'm|max-count= A|after-context= B|before-context= C|context= b|byte-offset a|text I z|null-data Z|null T|initial-tab ' +
	'U|binary u include= exclude= exclude-dir= exclude-from= color|colour=? line-buffered binary-files= label= d|directories= ' +
	'D|devices= 0 1 2 3 4 5 6 7 8 9';

/** Patterns and output format of one call. */
interface Search {
	matches: (line: string) => boolean;
	/** Quick test whether a whole text may contain matching lines. */
	mayMatch: (text: string) => boolean;
	pieces: (line: string) => { at: number; text: string }[];
	options: Options;
	before: number;
	after: number;
	most: number;
	named: boolean;
	/** Set if a line was printed: groups of lines are also separated across files. */
	hasShown: boolean;
	out: TextOutput;
	end: string;
}

/** `grep`, `egrep`, `fgrep`: lines are read, matched and shown as they arrive. */
export const grep = utility(
	SPECIFICATION,
	async (call, options) => {
		const operands = [...options.operands];
		const patterns = await patternsOf(call, options, operands);
		if (patterns === null) return 2;
		let expression: RegExp[];
		try {
			expression = compile(call.name, options, patterns);
		} catch (error) {
			if (!(error instanceof PatternError) && !(error instanceof SyntaxError)) throw error;
			await call.complain(error.message);
			return 2;
		}
		const recursive = options.has('r', 'R');
		const names = operands.length ? operands : [recursive ? '.' : '-'];
		const digits = options.given
			.filter(({ name }) => /^\d$/.test(name))
			.map(({ name }) => name)
			.join('');
		const context = options.number('C', digits ? Number(digits) : 0);
		const inverted = options.has('v');
		const test = (line: string) => expression.some((one) => one.test(line));
		const search: Search = {
			matches: inverted ? (line) => !test(line) : test,
			mayMatch: inverted || options.has('P', 'z') ? () => true : textTest(expression),
			pieces: (line) => (inverted ? [] : piecesOf(expression, line)),
			options,
			before: options.number('B', context),
			after: options.number('A', context),
			most: options.number('m', Infinity),
			named: options.has('h', 'H') ? options.last('h', 'H') === 'H' : recursive || names.length > 1,
			hasShown: false,
			out: new TextOutput(call),
			end: options.has('z') ? '\0' : '\n'
		};
		let [found, failed] = [false, false];
		const files = recursive ? filesBelow(call, options, names, operands.length === 0) : namedFiles(call, names);
		for (const file of files) {
			await call.shell.control.yieldIfDue();
			const result = await searchFile(call, search, file);
			found ||= result === 'found';
			failed ||= result === 'failed';
			if (found && options.has('q')) break;
		}
		await search.out.flush();
		return failed && !(found && options.has('q')) ? 2 : found ? 0 : 1;
	},
	2
);

async function patternsOf(call: Call, options: Options, operands: string[]): Promise<string[] | null> {
	const patterns: string[] = options.all('e').flatMap((text) => text.split('\n'));
	for (const name of options.all('f')) {
		const source = new LineSource(call, [name]);
		for (let line = await source.next(); line; line = await source.next()) patterns.push(line.text);
		if (source.status) return null;
	}
	if (options.has('e', 'f')) return patterns;
	const first = operands.shift();
	if (first === undefined) throw new UsageError('usage: grep [OPTION]... PATTERNS [FILE]...');
	return first.split('\n');
}

function compile(name: string, options: Options, patterns: string[]): RegExp[] {
	const kind = options.last('F', 'E', 'G', 'P') ?? (name === 'egrep' ? 'E' : name === 'fgrep' ? 'F' : 'G');
	const ignoreCase = options.last('i', 'no-ignore-case') === 'i';
	const flags = ignoreCase ? 'sui' : 'su';
	return patterns.map((pattern) => {
		let source: string;
		if (kind === 'F') source = escapePattern(pattern);
		else if (kind === 'P') source = perlSource(pattern);
		else source = posixPattern(pattern, { extended: kind === 'E' }).source;
		if (options.has('x')) source = `^(?:${source})$`;
		else if (options.has('w')) source = `(?<!\\w)(?:${source})(?!\\w)`;
		if (source === '(?:)') return /^/su;
		return kind === 'P' ? perlExpression(source, ignoreCase) : new RegExp(source, flags);
	});
}

/** Converts Perl syntax to JavaScript's. */
const perlSource = (pattern: string) =>
	pattern
		.replace(/\(\?P?<([a-zA-Z]\w*)>/g, '(?<$1>')
		.replace(/\\A/g, '^')
		.replace(/\\[zZ]/g, '$')
		.replace(/\\h/g, '[ \\t]')
		.replace(
			/\[\[:(\w+):\]\]/g,
			(whole, name: string) =>
				({ digit: '\\d', space: '\\s', alpha: '[A-Za-z]', alnum: '[A-Za-z0-9]', upper: '[A-Z]', lower: '[a-z]' })[
					name
				] ?? whole
		);

function perlExpression(source: string, ignoreCase: boolean): RegExp {
	const inline = /^\(\?i\)/.test(source);
	const text = inline ? source.slice(4) : source;
	// `\K` excludes the text before it from the match.
	const keep = text.indexOf('\\K');
	const kept = keep >= 0 ? `(?<=${text.slice(0, keep)})${text.slice(keep + 2)}` : text;
	try {
		return new RegExp(kept, ignoreCase || inline ? 'ui' : 'u');
	} catch {
		return new RegExp(kept, ignoreCase || inline ? 'i' : '');
	}
}

function piecesOf(expressions: readonly RegExp[], line: string): { at: number; text: string }[] {
	const pieces: { at: number; text: string }[] = [];
	let from = 0;
	while (from <= line.length) {
		let best: { at: number; text: string } | null = null;
		for (const expression of expressions) {
			const sticky = new RegExp(expression.source, `${expression.flags.replace('g', '')}g`);
			sticky.lastIndex = from;
			const match = sticky.exec(line);
			if (match && (!best || match.index < best.at || (match.index === best.at && match[0].length > best.text.length)))
				best = { at: match.index, text: match[0] };
		}
		if (!best) break;
		if (best.text) pieces.push(best);
		from = best.at + Math.max(1, best.text.length);
	}
	return pieces;
}

/** Result for a file that is not searched, after a complaint if necessary; null for any other. */
async function refusal(
	call: Call,
	search: Search,
	file: SearchedFile,
	shown: string
): Promise<'none' | 'failed' | null> {
	const { options } = search;
	const showsLines = !options.has('q', 'l', 'L') && search.most > 1;
	if (showsLines && isOutputFile(call, file.name)) {
		await call.complain(`${shown}: input file is also the output`);
		return 'failed';
	}
	if (options.get('D') === 'skip' && DEVICE.test(file.name)) return 'none';
	const problem = problemOf(file);
	return problem ? reportProblem(call, search, file, problem) : null;
}

/** Files skipped by `-D skip`. */
const DEVICE = /^\/dev\//;

async function searchFile(call: Call, search: Search, given: SearchedFile): Promise<'found' | 'none' | 'failed'> {
	const { options, out, end } = search;
	const isPipe = given.stat?.kind === 'fifo';
	if (isPipe && options.get('D') === 'skip') return 'none';
	// A pipe can only be read once.
	const file = isPipe ? { ...given, content: await readWhole(call.shell, given.name) } : given;
	const { name, stat, content } = file;
	const shown = name === '-' ? (options.get('label') ?? '(standard input)') : name;
	const refused = await refusal(call, search, file, shown);
	if (refused) return refused;
	if (stat && !options.has('a') && looksBinary(call, file)) return searchBinary(call, search, file);
	const delimiter = options.has('z') ? 0 : 10;
	const lines = content ? knownLines(search, content, delimiter) : new LineSource(call, [name], delimiter);
	if (lines instanceof LineSource) lines.beforeWaiting = () => out.flush();
	const prefix = linePrefix(search, shown);
	const counts = options.has('c');
	const listing = options.last('l', 'L');
	const silent = options.has('q') || counts || listing !== undefined;
	let [count, number, offset, lastShown, trailing] = [0, 0, 0, 0, 0];
	const held: { text: string; number: number; offset: number }[] = [];
	scan: for (let batch = await lines.batch(); batch.length; batch = await lines.batch()) {
		for (const { text } of batch) {
			number++;
			const start = offset;
			offset += options.has('b') ? new TextEncoder().encode(text).length + 1 : 0;
			if (count < search.most && search.matches(text)) {
				count++;
				if (silent) {
					if (!counts) break scan;
				} else if (options.has('o')) {
					for (const piece of search.pieces(text))
						out.add(`${prefix(':', number, start + piece.at)}${piece.text}${end}`);
				} else {
					const first = held[0]?.number ?? number;
					const isApart = lastShown > 0 ? first > lastShown + 1 : search.hasShown;
					if ((search.before || search.after) && isApart) out.add('--\n');
					search.hasShown = true;
					for (const one of held) out.add(`${prefix('-', one.number, one.offset)}${one.text}${end}`);
					out.add(`${prefix(':', number, start)}${text}${end}`);
					lastShown = number;
				}
				held.length = 0;
				trailing = search.after;
				if (count >= search.most && trailing === 0) break scan;
			} else if (trailing > 0) {
				trailing--;
				if (!silent && !options.has('o')) out.add(`${prefix('-', number, start)}${text}${end}`);
				lastShown = number;
				if (count >= search.most && trailing === 0) break scan;
			} else if (search.before > 0) {
				held.push({ text, number, offset: start });
				if (held.length > search.before) held.shift();
			}
			if (out.full) await out.flush();
		}
	}
	lines.close();
	if (lines.status) return 'failed';
	out.add(summary(search, shown, count));
	return (listing === 'L' ? count === 0 : count > 0) ? 'found' : 'none';
}

async function reportProblem(
	call: Call,
	{ options }: Search,
	{ name, stat }: SearchedFile,
	problem: string
): Promise<'none' | 'failed'> {
	if (options.get('d') === 'skip') return 'none';
	if (!options.has('s')) await call.complain(`${name}: ${problem}`);
	return stat ? 'none' : 'failed';
}

/** Returns the line that `-c`, `-l` or `-L` prints for a file. */
function summary({ named, options }: Search, shown: string, count: number): string {
	const listing = options.last('l', 'L');
	if (listing === undefined)
		return options.has('c') ? `${named ? `${shown}${options.has('Z') ? '\0' : ':'}` : ''}${count}\n` : '';
	return (listing === 'l') === count > 0 ? `${shown}${options.has('Z') ? '\0' : '\n'}` : '';
}

/** Name, number and offset before a line, if requested. */
const linePrefix =
	({ named, options }: Search, shown: string) =>
	(mark: string, number: number, offset: number): string =>
		(named ? shown + (options.has('Z') ? '\0' : mark) : '') +
		(options.has('n') ? `${number}${mark}` : '') +
		(options.has('b') ? `${offset}${mark}` : '');

/** Reason why a file cannot be searched. */
function problemOf({ name, stat }: SearchedFile): string | null {
	if (stat === null && !/^\/dev\//.test(name)) return 'No such file or directory';
	return stat?.kind === 'directory' ? 'Is a directory' : null;
}

/** Returns no lines if none can match: for most files of a tree, one test of the whole text is sufficient. */
function knownLines(search: Search, content: Uint8Array, delimiter: number): KnownLines {
	const text = decode(content);
	return new KnownLines(search.mayMatch(text) ? text : '', delimiter);
}

/**
 * Creates a test of a whole text that is true at least if one of its lines matches. Not for patterns with repetition:
 * over many lines they take longer than over one at a time.
 */
function textTest(expressions: readonly RegExp[]): (text: string) => boolean {
	if (expressions.some(({ source }) => /[*+{]/.test(source))) return () => true;
	const anywhere = expressions.map(({ source, flags }) => new RegExp(source, `${flags}m`));
	return (text) => anywhere.some((one) => one.test(text));
}

const looksBinary = (call: Call, { name, content }: SearchedFile) =>
	(content?.subarray(0, 32_768) ?? call.shell.host.context.sync.readFile(call.shell.path(name), 0, 32_768)).includes(0);

async function searchBinary(
	call: Call,
	search: Search,
	{ name, content }: SearchedFile
): Promise<'found' | 'none' | 'failed'> {
	const { options, out } = search;
	if (options.has('I') || options.get('binary-files') === 'without-match') return 'none';
	try {
		const text = decode(content ?? call.shell.host.context.sync.readFile(call.shell.path(name)));
		const count = text.split('\n').filter((line) => search.matches(line)).length;
		if (options.has('c')) out.add(`${search.named ? `${name}:` : ''}${count}\n`);
		else if (options.has('l') && count) out.add(`${name}\n`);
		else if (options.has('L')) out.add(count ? '' : `${name}\n`);
		else if (count && !options.has('q')) await call.complain(`${name}: binary file matches`);
		return count > 0 !== options.has('L') ? 'found' : 'none';
	} catch (error) {
		await call.complain(`${name}: ${reason(error)}`);
		return 'failed';
	}
}
