import type { DiffColors } from './colors.ts';
import { lineChanges } from './unified-diff.ts';

/** Options for comparing and showing words. */
export interface WordHow {
	mode: 'color' | 'plain' | 'porcelain';
	/** From the command line; takes precedence over the file's driver. */
	words: readonly RegExp[] | null;
	/** Default from the config. */
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

/** Shows runs of removed and added lines word by word. */
export class WordDiff {
	readonly #style: Style;

	constructor(
		private readonly mode: WordHow['mode'],
		private readonly words: readonly RegExp[] | null,
		private readonly colors: DiffColors | null
	) {
		this.#style = STYLES[mode];
	}

	/** Formats an unchanged line. @param line with its newline */
	context(line: string): string {
		const text = line.replace(/\n$/, '');
		const { colors } = this;
		const painted = (shown: string) =>
			colors && shown !== '' ? `${colors.context}${shown}${colors.reset}\n` : `${shown}\n`;
		return this.mode === 'porcelain' ? `${painted(` ${text}`)}~\n` : painted(text);
	}

	/** Formats removed lines and the lines that replace them; both texts end with a newline. */
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

/** Range of some words and the text between them; without words, the position after the previous one. */
function spanOf(words: readonly Span[], start: number, count: number): Span {
	if (count > 0) return [words[start]![0], words[start + count - 1]![1]];
	const end = start === 0 ? 0 : words[start - 1]![1];
	return [end, end];
}

/** Finds words by patterns, the longest match at the first position; without patterns, runs of non-whitespace. */
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
