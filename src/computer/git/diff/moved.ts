import { comparedLines, type Blanks } from './unified-diff.ts';

/** Options for finding and marking moved lines. */
export interface MovedHow {
	mode: 'plain' | 'blocks' | 'zebra' | 'dimmed-zebra';
	blanks: Blanks;
	/** Allows a block to have different indentation at its new position. */
	allowsIndent: boolean;
}

/** A line of a diff, as needed to find moves. */
export interface MovableLine {
	kind: 'old' | 'new' | 'other';
	/** Text without the sign. */
	text: string;
	tabWidth: number;
}

/** Mark of a line that also occurs on the other side. */
export interface MovedMark {
	/** Belongs to the second of two adjacent blocks, which get alternating colors. */
	isAlternative: boolean;
	/** Is inside a block. */
	isDimmed: boolean;
}

/** Minimum number of letters and digits in a block. */
const LEAST_LETTERS = 20;

/** Finds moved lines. @returns a mark per line, null for lines that were not moved */
export function movedMarks(lines: readonly MovableLine[], how: MovedHow): (MovedMark | null)[] {
	const finder = new MovedFinder(lines, how);
	finder.find();
	if (how.mode === 'dimmed-zebra') finder.dim();
	return finder.marks;
}

/** Possible original position of a block. */
interface Candidate {
	at: number;
	/** Additional columns of indentation of the block compared with this position; null while all its lines are blank. */
	shift: number | null;
}

class MovedFinder {
	readonly marks: (MovedMark | null)[];
	readonly #keys: readonly string[];
	readonly #indents: readonly (number | null)[];
	readonly #places = { old: new Map<string, number[]>(), new: new Map<string, number[]>() };
	#candidates: Candidate[] = [];
	#length = 0;

	constructor(
		private readonly lines: readonly MovableLine[],
		private readonly how: MovedHow
	) {
		this.marks = lines.map(() => null);
		this.#indents = lines.map(indentOf);
		const texts = lines.map(({ text }) => (how.allowsIndent ? text.replace(/^[ \t\r\f\v]+/, '') : text));
		this.#keys = comparedLines(texts, how.blanks);
		for (const [i, { kind }] of lines.entries()) {
			if (kind === 'other') continue;
			const key = this.#keys[i]!;
			const places = this.#places[kind].get(key);
			if (places) places.push(i);
			else this.#places[kind].set(key, [i]);
		}
	}

	find(): void {
		let kind: MovableLine['kind'] = 'other';
		let isSecond = false;
		for (let n = 0; n < this.lines.length; n++) {
			const line = this.lines[n]!;
			if (line.kind === 'other') isSecond = false;
			let matches = this.#matches(n);
			if (this.#candidates.length > 0 && (matches.length === 0 || line.kind !== kind)) {
				if (!this.#closeBlock(n) && this.#length > 1) {
					// Another block may begin at the second line of this one.
					matches = [];
					n -= this.#length;
				}
				this.#candidates = [];
				this.#length = 0;
				isSecond = false;
			}
			if (matches.length === 0) {
				kind = 'other';
				continue;
			}
			if (this.how.mode === 'plain') {
				this.marks[n] = { isAlternative: false, isDimmed: false };
				continue;
			}
			this.#advance(n);
			if (this.#candidates.length === 0) {
				const isClosed = this.#closeBlock(n);
				if (!isClosed && this.#length > 1) n -= this.#length;
				else this.#candidates = matches.map((at) => ({ at, shift: this.#shift(n, at) }));
				const opened = this.#candidates.length > 0;
				isSecond = isClosed && opened && kind === line.kind ? !isSecond : false;
				kind = opened ? line.kind : 'other';
				this.#length = 0;
			}
			if (this.#candidates.length === 0) continue;
			this.#length++;
			this.marks[n] = { isAlternative: isSecond && this.how.mode !== 'blocks', isDimmed: false };
		}
		this.#closeBlock(this.lines.length);
	}

	/** Marks lines that are not at the boundary of adjacent blocks. */
	dim(): void {
		const { marks, lines } = this;
		const at = (i: number) => (lines[i] && lines[i].kind !== 'other' ? { mark: marks[i] ?? null } : null);
		for (const [i, mark] of marks.entries()) {
			if (!mark) continue;
			const neighbours = [at(i - 1), at(i + 1)];
			const isSame = (one: { mark: MovedMark | null } | null) =>
				one !== null && one.mark !== null && one.mark.isAlternative === mark.isAlternative;
			const isOther = (one: { mark: MovedMark | null } | null) =>
				one !== null && one.mark !== null && one.mark.isAlternative !== mark.isAlternative;
			mark.isDimmed = neighbours.every(isSame) || !neighbours.some(isOther);
		}
	}

	#matches(n: number): readonly number[] {
		const { kind } = this.lines[n]!;
		if (kind === 'other') return [];
		return this.#places[kind === 'old' ? 'new' : 'old'].get(this.#keys[n]!) ?? [];
	}

	#shift(n: number, at: number): number | null {
		const [here, there] = [this.#indents[n]!, this.#indents[at]!];
		if (!this.how.allowsIndent) return 0;
		return here === null || there === null ? null : here - there;
	}

	/** Keeps the candidates that continue with this line. */
	#advance(n: number): void {
		this.#candidates = this.#candidates.flatMap(({ at, shift }) => {
			const next = at + 1;
			if (this.lines[next]?.kind !== this.lines[at]!.kind || this.#keys[next] !== this.#keys[n]) return [];
			const own = this.#shift(n, next);
			if (own === null || shift === null) return [{ at: next, shift: own ?? shift }];
			return own === shift ? [{ at: next, shift }] : [];
		});
	}

	/** Ends the block before line `end`; discards it if it has too few letters. @returns false if it was discarded */
	#closeBlock(end: number): boolean {
		if (this.how.mode === 'plain') return this.#length > 0;
		let letters = 0;
		for (let i = end - this.#length; i < end; i++) letters += this.lines[i]!.text.replace(/[^A-Za-z0-9]/g, '').length;
		if (letters >= LEAST_LETTERS) return true;
		this.marks.fill(null, end - this.#length, end);
		return false;
	}
}

/** Columns of leading whitespace; null for a blank line. */
function indentOf({ text, tabWidth }: MovableLine): number | null {
	const blanks = /^[\r\f\v]*([ \t]*)/.exec(text)?.[1] ?? '';
	if (/^[ \t\r\n\f\v]*$/.test(text)) return null;
	let width = 0;
	for (const letter of blanks) width += letter === '\t' ? tabWidth - (width % tabWidth) : 1;
	return width;
}
