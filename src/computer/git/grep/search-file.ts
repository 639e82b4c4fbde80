import { isBinary, nameText, splitLines } from '../diff/lines.ts';
import type { GrepColors } from './grep-colors.ts';
import { evaluate, patternsOf, type Expression } from './expression.ts';
import { SearchedLine } from './searched-line.ts';

/** Rules by which files are searched and results shown. */
export interface SearchHow {
	expression: Expression;
	/** Shows lines that do not match. */
	inverts: boolean;
	/** Requires that each alternative matches somewhere in a file. */
	needsAll: boolean;
	mode: 'quiet' | 'names' | 'without' | 'quiet without' | 'count' | 'parts' | 'lines';
	number: boolean;
	column: boolean;
	before: number;
	after: number;
	/** Shows the function's line above a match. */
	showsFunction: boolean;
	/** Shows the whole function. */
	wholeFunction: boolean;
	/** Maximum number of matching lines per file. */
	most: number;
	heading: boolean;
	breaks: boolean;
	showsName: boolean;
	/** Ends names with a zero byte. */
	zero: boolean;
	/** Treatment of binary files: only name them, search them like text, or skip them. */
	binary: 'name' | 'text' | 'skip';
	colors: GrepColors | null;
}

/** A file that is searched. */
export interface SearchedFile {
	/** As it is shown. */
	name: string;
	content: () => Uint8Array | null;
	/** Returns whether a line is the first of a function. */
	isFunction: (line: string) => boolean;
}

/** Searches files one after another and shows the results. */
export class Searcher {
	/** Set once something was shown, so that a separator precedes the next file. */
	#hasShown = false;
	readonly #patterns: readonly RegExp[];

	/** @param out takes binary text */
	constructor(
		private readonly how: SearchHow,
		private readonly out: (text: string) => void
	) {
		this.#patterns = patternsOf(how.expression).map((regex) => new RegExp(regex, `g${regex.flags.replace('g', '')}`));
	}

	/** Searches a file. @returns whether the requested result was found */
	search(file: SearchedFile): boolean {
		const { how } = this;
		const bytes = file.content();
		if (!bytes) return false;
		const isData = how.binary !== 'text' && isBinary(bytes);
		if (isData && how.binary === 'skip') return false;
		const lines = splitLines(bytes).map((line) => new SearchedLine(line.replace(/\n$/, '')));
		const hits = this.#hits(lines);
		const isFound = hits.size > 0 && (!how.needsAll || this.#hasAll(lines));
		if (how.mode === 'without' || how.mode === 'quiet without') {
			if (!isFound && how.mode === 'without') this.out(`${this.#name(file.name)}${how.zero ? '\0' : '\n'}`);
			return !isFound;
		}
		if (!isFound || how.mode === 'quiet') return isFound;
		if (how.mode === 'names') this.out(`${this.#name(file.name)}${how.zero ? '\0' : '\n'}`);
		else if (how.mode === 'count')
			this.out(`${how.showsName ? this.#name(file.name) + this.#nameEnd(':') : ''}${hits.size}\n`);
		else if (isData) this.out(`Binary file ${nameText(file.name)} matches\n`);
		else {
			new FilePrinter(file, lines, hits, this.how, this.#patterns, this.#hasShown, this.out).print();
			this.#hasShown = true;
		}
		return true;
	}

	/** Line numbers of the hits, with the position of the first match. */
	#hits(lines: readonly SearchedLine[]): Map<number, number> {
		const { expression, inverts, most } = this.how;
		const hits = new Map<number, number>();
		for (const [i, line] of lines.entries()) {
			if (hits.size >= most) break;
			const { isHit, at, negatedAt } = evaluate(expression, line.text);
			if (isHit !== inverts) hits.set(i, (inverts ? negatedAt : at) ?? 0);
		}
		return hits;
	}

	#hasAll(lines: readonly SearchedLine[]): boolean {
		const { expression } = this.how;
		const parts = expression.kind === 'or' ? expression.of : [expression];
		return parts.every((part) => lines.some(({ text }) => evaluate(part, text).isHit));
	}

	#name(name: string): string {
		return painted(nameText(name), this.how.colors?.filename);
	}

	#nameEnd(sign: string): string {
		return this.how.zero ? '\0' : painted(sign, this.how.colors?.separator);
	}
}

function painted(text: string, color: string | undefined): string {
	return color === undefined || color === '' || text === '' ? text : `${color}${text}\x1b[m`;
}

/** Prints the lines of one file. */
class FilePrinter {
	/** Number of the last line that was shown, from 1; 0 before the first. */
	#last = 0;

	constructor(
		private readonly file: SearchedFile,
		private readonly lines: readonly SearchedLine[],
		private readonly hits: ReadonlyMap<number, number>,
		private readonly how: SearchHow,
		private readonly patterns: readonly RegExp[],
		/** Set if another file was shown before. */
		private readonly isNext: boolean,
		private readonly out: (text: string) => void
	) {}

	print(): void {
		const { how, hits, lines } = this;
		let lastHit: number | null = null;
		let isInside = false;
		for (let at = 0; at < lines.length; at++) {
			const column = hits.get(at);
			if (column !== undefined) {
				if (how.before > 0 || how.wholeFunction) this.#showBefore(at);
				else if (how.showsFunction) this.#showFunction(at);
				this.#show(at, ':', lines[at]!.column(column));
				lastHit = at;
				isInside = how.wholeFunction;
				continue;
			}
			if (isInside && this.#endsFunction(at)) isInside = false;
			if (isInside || (lastHit !== null && at <= lastHit + how.after)) this.#show(at, '-', 0);
		}
	}

	/** Returns whether no line of the function follows, apart from blank ones at its end. */
	#endsFunction(from: number): boolean {
		let at = from;
		while (at < this.lines.length && this.#isBlank(at)) at++;
		return at >= this.lines.length || this.#isFunction(at);
	}

	#isBlank(at: number): boolean {
		return /^[ \t\r]*$/.test(this.lines[at]!.raw);
	}

	#isFunction(at: number): boolean {
		return this.file.isFunction(this.lines[at]!.raw);
	}

	/** Shows the lines above a hit: context, or the function with the comment above it. */
	#showBefore(hit: number): void {
		const { how } = this;
		let from = Math.max(hit - how.before, this.#last);
		const context = from;
		let needsComment = how.wholeFunction && this.#isFunction(hit);
		let needsFunction = how.showsFunction || (how.wholeFunction && !needsComment);
		if (how.wholeFunction) from = this.#last;
		let functionAt = -1;
		let at = hit;
		while (at > 0 && at > from) {
			at--;
			if (needsComment && (this.#isBlank(at) || this.#isFunction(at))) {
				needsComment = false;
				from = context;
				if (at < from) {
					at++;
					break;
				}
			}
			if (needsFunction && this.#isFunction(at)) {
				functionAt = at;
				needsFunction = false;
				if (how.wholeFunction) needsComment = true;
				else from = context;
			}
		}
		if (how.showsFunction && needsFunction) this.#showFunction(at);
		for (; at < hit; at++) this.#show(at, at === functionAt ? '=' : '-', 0);
	}

	/** Shows the first line of the function that contains a line. */
	#showFunction(from: number): void {
		for (let at = from - 1; at >= this.#last; at--) {
			if (!this.#isFunction(at)) continue;
			this.#show(at, '=', 0);
			return;
		}
	}

	/** @param column of the first match, from 1; 0 for a line that is only context */
	#show(at: number, sign: ':' | '-' | '=', column: number): void {
		const { how } = this;
		const isFirst = this.#last === 0;
		const separator = painted('--', how.colors?.separator);
		if (how.breaks && isFirst) {
			if (this.isNext) this.out('\n');
		} else if (how.before > 0 || how.after > 0 || how.wholeFunction) {
			if (isFirst ? this.isNext : at > this.#last) this.out(`${separator}\n`);
		}
		if (isFirst && how.heading && how.showsName)
			this.out(`${painted(nameText(this.file.name), how.colors?.filename)}\n`);
		this.#last = at + 1;
		if (how.mode === 'parts') this.#showParts(at, sign);
		else this.out(`${this.#head(at, sign, column)}${this.#content(at, sign)}\n`);
	}

	#head(at: number, sign: string, column: number): string {
		const { how } = this;
		const separator = painted(sign, how.colors?.separator);
		const name = painted(nameText(this.file.name), how.colors?.filename) + (how.zero ? '\0' : separator);
		const number = painted(String(at + 1), how.colors?.linenumber) + separator;
		const place = painted(String(column), how.colors?.column) + separator;
		return [
			how.showsName && !how.heading ? name : '',
			how.number ? number : '',
			how.column && column > 0 ? place : ''
		].join('');
	}

	/** Non-overlapping matches of a line, in order. */
	*#matches(at: number): Generator<[from: number, to: number]> {
		const { text } = this.lines[at]!;
		for (let from = 0; from <= text.length;) {
			let best: [number, number] | null = null;
			for (const regex of this.patterns) {
				regex.lastIndex = from;
				const found = regex.exec(text);
				if (!found) continue;
				const end = found.index + found[0].length;
				if (!best || found.index < best[0] || (found.index === best[0] && end > best[1])) best = [found.index, end];
			}
			if (!best || best[0] === best[1]) return;
			yield best;
			from = best[1];
		}
	}

	#showParts(at: number, sign: ':' | '-' | '='): void {
		const line = this.lines[at]!;
		if (sign !== ':') return;
		// As in git, the columns of further matches are relative to the first.
		let first = 0;
		let end = 0;
		for (const [from, to] of this.#matches(at)) {
			if (end === 0) first = line.column(from);
			const column = first + line.bytes(0, end).length;
			const part = painted(line.bytes(from, to), this.how.colors?.matchselected);
			this.out(`${this.#head(at, sign, column)}${part}\n`);
			end = to;
		}
	}

	#content(at: number, sign: ':' | '-' | '='): string {
		const { colors } = this.how;
		const line = this.lines[at]!;
		if (!colors) return line.raw;
		const color = sign === ':' ? colors.selected : sign === '-' ? colors.context : colors.function;
		const match = sign === ':' ? colors.matchselected : colors.matchcontext;
		let text = '';
		let done = 0;
		// Matches are highlighted in selected lines, and in context lines only if a color is set for them.
		for (const [from, to] of sign === ':' || match !== '' ? this.#matches(at) : []) {
			text += painted(line.bytes(done, from), color) + painted(line.bytes(from, to), match);
			done = to;
		}
		return text + painted(line.bytes(done), color);
	}
}
