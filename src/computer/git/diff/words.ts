import type { DiffColors } from './colors.ts';
import { lineChanges } from './unified-diff.ts';

/** Rules by which words are compared and shown. */
export interface WordHow {
	mode: 'color' | 'plain' | 'porcelain';
	/** From the command line; the file's driver comes next. */
	words: readonly RegExp[] | null;
	/** From the settings. */
	usual: readonly RegExp[] | null;
}

interface Style {
	old: readonly [before: string, after: string];
	new: readonly [before: string, after: string];
	context: readonly [before: string, after: string];
	newline: string;
}

const STYLES: Readonly<Record<WordHow['mode'], Style>> = {
	porcelain: { old: ['-', '\n'], new: ['+', '\n'], context: [' ', '\n'], newline: '~\n' },
	plain: { old: ['[-', '-]'], new: ['{+', '+}'], context: ['', ''], newline: '\n' },
	color: { old: ['', ''], new: ['', ''], context: ['', ''], newline: '\n' }
};

/** Runs of lines that went and came, shown word by word. */
export class WordDiff {
	readonly #style: Style;

	constructor(
		private readonly mode: WordHow['mode'],
		private readonly words: readonly RegExp[] | null,
		private readonly colors: DiffColors | null
	) {
		this.#style = STYLES[mode];
	}

	/** A line that stayed. @param line with its newline */
	context(line: string): string {
		const text = line.replace(/\n$/, '');
		const { colors } = this;
		const painted = (shown: string) =>
			colors && shown !== '' ? `${colors.context}${shown}${colors.reset}\n` : `${shown}\n`;
		return this.mode === 'porcelain' ? `${painted(` ${text}`)}~\n` : painted(text);
	}

	/** Lines that went and lines that came in their place; both texts end with a newline. */
	changed(before: string, after: string): string {
		if (after === '') return this.#shown('old', before);
		const [old, now] = [wordsOf(before, this.words), wordsOf(after, this.words)];
		const textOf =
			(text: string) =>
			([from, to]: Span) =>
				text.slice(from, to);
		let shown = '';
		let at = 0;
		for (const change of lineChanges(old.map(textOf(before)), now.map(textOf(after)), 'count', false)) {
			const gone = spanOf(old, change.beforeStart, change.beforeCount);
			const come = spanOf(now, change.afterStart, change.afterCount);
			if (at !== come[0]) shown += this.#shown('context', after.slice(at, come[0]));
			if (gone[0] !== gone[1]) shown += this.#shown('old', before.slice(...gone));
			if (come[0] !== come[1]) shown += this.#shown('new', after.slice(...come));
			at = come[1];
		}
		return at === after.length ? shown : shown + this.#shown('context', after.slice(at));
	}

	#shown(kind: 'old' | 'new' | 'context', text: string): string {
		const [before, after] = this.#style[kind];
		const color = this.colors?.[kind] ?? '';
		const reset = color === '' ? '' : this.colors!.reset;
		const lines = text.split('\n');
		return lines
			.map((line) => (line === '' ? '' : `${color}${before}${line}${after}${reset}`))
			.join(this.#style.newline);
	}
}

type Span = [from: number, to: number];

/** The text of some words with what is between them; without words, the place behind the one before. */
function spanOf(words: readonly Span[], start: number, count: number): Span {
	if (count > 0) return [words[start]![0], words[start + count - 1]![1]];
	const end = start === 0 ? 0 : words[start - 1]![1];
	return [end, end];
}

/** Words by patterns, the longest at the first place where one fits; without patterns, runs of anything but blanks. */
function wordsOf(text: string, patterns: readonly RegExp[] | null): Span[] {
	if (!patterns) return [...text.matchAll(/[^ \t\r\n]+/g)].map((found) => [found.index, found.index + found[0].length]);
	const spans: Span[] = [];
	for (let at = 0; at < text.length;) {
		const found = firstWord(text, at, patterns);
		if (!found) break;
		const newline = text.indexOf('\n', found[0]);
		const end = newline >= 0 && newline < found[1] ? newline : found[1];
		if (end > found[0]) spans.push([found[0], end]);
		at = Math.max(end, found[0] + 1);
	}
	return spans;
}

function firstWord(text: string, from: number, patterns: readonly RegExp[]): Span | null {
	if (patterns.length === 1) {
		const [regex] = patterns as [RegExp];
		regex.lastIndex = from;
		const found = regex.exec(text);
		return found && [found.index, found.index + found[0].length];
	}
	for (let at = from; at < text.length; at++) {
		let longest = 0;
		for (const regex of patterns) {
			regex.lastIndex = at;
			longest = Math.max(longest, regex.exec(text)?.[0].length ?? 0);
		}
		if (longest > 0) return [at, at + longest];
	}
	return null;
}
