import { eachInput } from '../../input/each-input.ts';
import { decode } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';
import { TextOutput } from '../../input/text-output.ts';
import { type Options, UsageError, utility } from '../../options.ts';
import { breaksOf, cutOf } from './breaks.ts';
import { type Word, wordsOf } from './words.ts';

const WIDTH = 75;
/** Maximum number of words of a paragraph before a part of it is written. */
const MOST_WORDS = 998;
const MOST_CHARS = 5000;
const MOST_WIDTH = MOST_CHARS / 2;
const TAB_WIDTH = 8;

const filled = utility(
	'c|crown-margin s|split-only t|tagged-paragraph u|uniform-spacing p|prefix= w|width= g|goal=',
	async (call, options) => {
		const manner = mannerOf(options);
		const out = new TextOutput(call);
		const status = await eachInput(call, options.operands, async (file) => {
			const text = decode(await call.shell.control.race(file.readAll()));
			await new Formatter(call, manner, out).whole(text);
		});
		await out.flush();
		return status;
	}
);

/** `fmt`: fills paragraphs up to a width. Also accepts the traditional form `-72`. */
export const fmt: BuiltIn = (call) => {
	const [first = '', ...rest] = call.args;
	return filled(/^-\d+$/.test(first) ? { ...call, args: [`-w${first.slice(1)}`, ...rest] } : call);
};

interface Manner {
	kind: 'plain' | 'crown' | 'split' | 'tagged';
	isUniform: boolean;
	width: number;
	goal: number;
	/** Indentation of the prefix, and its text without trailing blanks. */
	prefix: { lead: number; text: string; length: number };
}

/** @throws UsageError */
function mannerOf(options: Options): Manner {
	const read = (name: string, most: number): number | undefined => {
		const text = options.get(name);
		if (text === undefined) return undefined;
		const number = /^\s*\+?\d+$/.test(text) ? Number(text) : NaN;
		const range = number > most ? ': Numerical result out of range' : '';
		if (!(number <= most)) throw new UsageError(`invalid width: '${text}'${range}`);
		return number;
	};
	const given = read('w', MOST_WIDTH);
	const goal = read('g', given ?? WIDTH);
	const width = given ?? (goal === undefined ? WIDTH : goal + 10);
	const prefix = options.get('p') ?? '';
	return {
		kind: options.has('s') ? 'split' : options.has('c') ? 'crown' : options.has('t') ? 'tagged' : 'plain',
		isUniform: options.has('u'),
		width,
		goal: goal ?? Math.floor((width * 187) / 200),
		prefix: { lead: /^ */.exec(prefix)?.[0].length ?? 0, text: prefix.trim(), length: prefix.replace(/^ +/, '').length }
	};
}

interface Line {
	/** Column where the prefix starts; `indent`: where the text starts. */
	lead: number;
	indent: number;
	text: string;
	raw: string;
	/** Set if the line has the prefix and text after it. */
	isText: boolean;
}

class Formatter {
	#words: Word[] = [];
	#chars = 0;
	#firstIndent = 0;
	#otherIndent = 0;
	#lastLength = 0;
	#lead = 0;
	#hasTabs = false;

	constructor(
		private readonly call: Call,
		private readonly manner: Manner,
		private readonly out: TextOutput
	) {}

	async whole(text: string): Promise<void> {
		const lines =
			text === ''
				? []
				: text
						.replace(/\n$/, '')
						.split('\n')
						.map((raw) => this.#line(raw));
		for (let at = 0; at < lines.length;) {
			const line = lines[at];
			this.#hasTabs ||= line?.raw.includes('\t') === true;
			if (!line?.isText) {
				this.out.add(`${line?.raw.trim() === '' ? '' : (line?.raw ?? '')}\n`);
				at++;
				continue;
			}
			at = this.#paragraph(lines, at);
			if (this.out.full) await this.out.flush();
			await this.call.shell.control.yieldIfDue();
		}
	}

	#line(raw: string): Line {
		const { prefix } = this.manner;
		const lead = columnAfter(/^[ \t]*/.exec(raw)?.[0] ?? '', 0);
		const body = raw.trimStart();
		if (prefix.text === '') return { lead: 0, indent: lead, text: body, raw, isText: body !== '' };
		const rest = body.startsWith(prefix.text) ? body.slice(prefix.text.length) : null;
		const indent = columnAfter(/^[ \t]*/.exec(rest ?? '')?.[0] ?? '', lead + prefix.text.length);
		const isText = rest !== null && rest.trim() !== '' && lead >= prefix.lead && indent >= lead + prefix.length;
		return { lead, indent, text: (rest ?? '').trimStart(), raw, isText };
	}

	/** Writes the paragraph that starts at a line. Returns the index of the line after it. */
	#paragraph(lines: readonly Line[], start: number): number {
		const { kind } = this.manner;
		const first = lines[start];
		if (!first) return start + 1;
		this.#lastLength = 0;
		this.#lead = first.lead;
		this.#firstIndent = first.indent;
		const isSame = (line: Line | undefined): line is Line => line?.isText === true && line.lead === first.lead;
		let at = start + 1;
		const second = lines[at];
		this.#setOtherIndent(isSame(second) ? second.indent : null);
		this.#words = [];
		this.#take(first.text);
		const goesOn = kind !== 'split' && !(kind === 'tagged' && second?.indent === first.indent);
		if (goesOn)
			for (let line = lines[at]; isSame(line) && line.indent === this.#otherIndent; line = lines[++at])
				this.#take(line.text);
		// Tabs are written once one was read, including in the line that ends the paragraph.
		this.#hasTabs ||= lines.slice(start, at + 1).some(({ raw }) => raw.includes('\t'));
		const last = this.#words.at(-1);
		if (last) last.hasPeriod = last.isFinal = true;
		this.#write(this.#words.length);
		return at;
	}

	/** @param indent indentation of the second line, if it belongs to the paragraph */
	#setOtherIndent(indent: number | null): void {
		const { kind } = this.manner;
		if (kind === 'crown') this.#otherIndent = indent ?? this.#firstIndent;
		else if (kind !== 'tagged') this.#otherIndent = this.#firstIndent;
		else if (indent !== null && indent !== this.#firstIndent) this.#otherIndent = indent;
		else if (this.#otherIndent === this.#firstIndent) this.#otherIndent = this.#firstIndent === 0 ? 3 : 0;
	}

	#take(text: string): void {
		for (const word of wordsOf(text, this.manner.isUniform)) {
			const isFull = this.#words.length >= MOST_WORDS || this.#chars + word.text.length > MOST_CHARS;
			if (this.#words.length > 0 && isFull) this.#write(null);
			this.#words.push(word);
			this.#chars += word.text.length;
		}
	}

	/** Writes the first words; null: as many as are best written before the paragraph continues. */
	#write(end: number | null): void {
		const { width, goal } = this.manner;
		const measure = { firstIndent: this.#firstIndent, otherIndent: this.#otherIndent, lastLength: this.#lastLength };
		const breaks = breaksOf(this.#words, { width, goal, ...measure });
		const cut = end ?? cutOf(breaks, this.#words.length);
		for (let at = 0; at < cut; at = breaks[at]?.next ?? cut) {
			const words = this.#words.slice(at, breaks[at]?.next);
			this.#writeLine(words, at === 0 ? this.#firstIndent : this.#otherIndent);
		}
		this.#words = this.#words.slice(cut);
		this.#chars = this.#words.reduce((sum, { text }) => sum + text.length, 0);
	}

	#writeLine(words: readonly Word[], indent: number): void {
		const { text: prefix } = this.manner.prefix;
		let line = this.#blanks(0, this.#lead) + prefix;
		line += this.#blanks(this.#lead + prefix.length, indent);
		let column = indent;
		for (const [index, word] of words.entries()) {
			column += word.text.length;
			const next = column + (index < words.length - 1 ? word.space : 0);
			line += word.text + this.#blanks(column, next);
			column = next;
		}
		this.#lastLength = column;
		this.out.add(`${line}\n`);
	}

	/** Blanks from one column to another, with tabs if the input has them. */
	#blanks(from: number, to: number): string {
		let [text, column] = ['', from];
		const stop = to - (to % TAB_WIDTH);
		if (this.#hasTabs && from + 1 < stop) for (; column < stop; column = nextStop(column)) text += '\t';
		return text + ' '.repeat(Math.max(0, to - column));
	}
}

const nextStop = (column: number) => (Math.floor(column / TAB_WIDTH) + 1) * TAB_WIDTH;
const columnAfter = (blanks: string, from: number) =>
	[...blanks].reduce((column, blank) => (blank === '\t' ? nextStop(column) : column + 1), from);
