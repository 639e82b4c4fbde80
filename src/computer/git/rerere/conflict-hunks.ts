import { sha1 } from '#environment/sha1.ts';
import { toHex } from '../bytes.ts';
import { binaryBytes, splitLines } from '../diff/lines.ts';

/** Conflicting file, normalized so that it is the same whichever side is ours. */
export interface NormalFile {
	/** Id of the conflict, independent of the text around the hunks. */
	id: string;
	/** Content without labels and bases, with the sides of each hunk sorted. */
	content: Uint8Array;
	hunks: number;
}

/** Maximum nesting of conflicts; a file with deeper ones is rejected. */
const MOST_NESTED = 100;

/** Parses a file with conflict markers. Null if they do not match. */
export function normalFile(content: Uint8Array, markerSize: number): NormalFile | null {
	const reader = new HunkReader(splitLines(content), markerSize);
	const text = reader.all();
	return text === null
		? null
		: { id: toHex(sha1(binaryBytes(reader.hashed))), content: binaryBytes(text), hunks: reader.hunks };
}

class HunkReader {
	hashed = '';
	hunks = 0;
	#at = 0;

	constructor(
		private readonly lines: readonly string[],
		private readonly size: number
	) {}

	all(): string | null {
		let text = '';
		while (this.#at < this.lines.length) {
			const line = this.lines[this.#at++]!;
			if (!this.#isMarker(line, '<')) {
				text += line;
				continue;
			}
			const hunk = this.#hunk(0);
			if (hunk === null) return null;
			this.hashed += `${hunk.one}\0${hunk.two}\0`;
			this.hunks++;
			text += this.#written(hunk);
		}
		return text;
	}

	/** Parses a hunk after its first marker. */
	#hunk(depth: number): { one: string; two: string } | null {
		const sides = { one: '', two: '', base: '' };
		let side: keyof typeof sides = 'one';
		while (this.#at < this.lines.length) {
			const line = this.lines[this.#at++]!;
			if (this.#isMarker(line, '<')) {
				const inner = depth < MOST_NESTED ? this.#hunk(depth + 1) : null;
				if (inner === null) return null;
				sides[side] += this.#written(inner);
			} else if (this.#isMarker(line, '|')) {
				if (side !== 'one') return null;
				side = 'base';
			} else if (this.#isMarker(line, '=')) {
				if (side === 'two') return null;
				side = 'two';
			} else if (this.#isMarker(line, '>')) {
				if (side !== 'two') return null;
				const { one, two } = sides;
				return one > two ? { one: two, two: one } : { one, two };
			} else sides[side] += line;
		}
		return null;
	}

	#written({ one, two }: { one: string; two: string }): string {
		const mark = (letter: string) => `${letter.repeat(this.size)}\n`;
		return mark('<') + one + mark('=') + two + mark('>');
	}

	#isMarker(line: string, letter: string): boolean {
		if (!line.startsWith(letter.repeat(this.size))) return false;
		const next = line[this.size] ?? '';
		return letter === '<' || letter === '>' ? next === ' ' : /^\s$/.test(next);
	}
}
