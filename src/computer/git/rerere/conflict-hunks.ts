import { sha1 } from '#environment/sha1.ts';
import { toHex } from '../bytes.ts';
import { binaryBytes, splitLines } from '../diff/lines.ts';

/** A file in conflict, in the form that is the same whichever side is ours. */
export interface NormalFile {
	/** Name of the conflict: it depends on nothing around the hunks. */
	id: string;
	/** Content without labels and bases, the sides of each hunk in order. */
	content: Uint8Array;
	hunks: number;
}

/** Conflicts inside of conflicts that are followed; a file of deeper ones is not understood. */
const MOST_NESTED = 100;

/** Reads a file with markers. Null where they do not match each other. */
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

	/** Reads on behind the first marker of a hunk. */
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
