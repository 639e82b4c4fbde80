import { type Algorithm, algorithmOf, type DigestName, DIGESTS, hasLength } from './digests.ts';

export interface ListedSum {
	name: string;
	/** Lower-case hexadecimal. */
	digest: string;
	algorithm: Algorithm;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', '\\': '\\' };

/** Escapes a name that contains line breaks or backslashes; `mark` is the prefix that shows it is escaped. */
export function escapedName(name: string): { mark: string; shown: string } {
	if (!/[\\\n\r]/.test(name)) return { mark: '', shown: name };
	const shown = name.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
	return { mark: '\\', shown };
}

/** Parses checksum lines. The first line without a tag decides whether names follow one blank (BSD) or two. */
export class SumLines {
	#isReversed: boolean | null = null;

	/**
	 * @param wanted algorithm of all lines; null accepts any that a line names
	 * @param allowsPlain whether lines without a tag are accepted
	 */
	constructor(
		private readonly wanted: DigestName | null,
		private readonly allowsPlain: boolean
	) {}

	/** Returns null if the line is not a checksum line. */
	read(line: string): ListedSum | null {
		const text = line.replace(/^[ \t]+/, '');
		const isEscaped = text.startsWith('\\');
		const rest = isEscaped ? text.slice(1) : text;
		const sum = this.#tagged(rest) ?? (this.allowsPlain ? this.#plain(rest) : null);
		if (!sum || !isEscaped) return sum;
		if (/\\(?![nr\\])/.test(sum.name.replaceAll('\\\\', ''))) return null;
		return { ...sum, name: sum.name.replace(/\\([nr\\])/g, (_whole, letter: string) => ESCAPES[letter] ?? letter) };
	}

	#tagged(text: string): ListedSum | null {
		const [, tag = '', length, name = '', digest = ''] =
			/^(\w+?)(?:-(\d+))? ?\((.+)\) ?= ([0-9a-f]+)[ \t]*$/is.exec(text) ?? [];
		const found = names().find((one) => DIGESTS[one].tag === tag);
		if (!found || (this.wanted !== null && found !== this.wanted)) return null;
		return this.#sum(found, length === undefined ? digest.length * 4 : Number(length), name, digest);
	}

	#plain(text: string): ListedSum | null {
		const { wanted } = this;
		const [, digest = '', blank = '', mark = '', name = ''] = /^([0-9a-f]+)([ \t])([ *]?)(.*)$/is.exec(text) ?? [];
		if (wanted === null || blank === '' || mark + name === '') return null;
		const isReversed = mark === '' || name === '';
		if (isReversed && this.#isReversed === false) return null;
		this.#isReversed ??= isReversed;
		return this.#sum(wanted, digest.length * 4, this.#isReversed ? mark + name : name, digest);
	}

	#sum(found: DigestName, bits: number, name: string, digest: string): ListedSum | null {
		return digest.length * 4 === bits && hasLength(found, bits)
			? { name, digest: digest.toLowerCase(), algorithm: algorithmOf(found, bits) }
			: null;
	}
}

const names = () => Object.keys(DIGESTS) as DigestName[];
