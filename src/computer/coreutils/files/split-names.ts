import { UsageError, type Options } from '../options.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';

const ALPHABETS = { letters: 'abcdefghijklmnopqrstuvwxyz', decimal: '0123456789', hexadecimal: '0123456789abcdef' };
const USUAL_LENGTH = 2;

/** Names of the files that `split` writes: a prefix and a counting suffix. */
export class SplitNames {
	readonly #alphabet: string;
	readonly #end: string;
	/** The suffix gets longer when its first digit is used up. */
	#grows: boolean;
	/** Leading digits that mark a longer suffix. */
	#head = '';
	#digits: number[] | null = null;
	readonly #length: number;
	readonly #first: number;

	/**
	 * @param chunks number of files, if known
	 * @throws UsageError
	 */
	constructor(
		options: Options,
		private readonly prefix: string,
		chunks: number | null
	) {
		const kind = options.last('d', 'x', 'numeric-suffixes', 'hex-suffixes');
		const isHexadecimal = kind === 'x' || kind === 'hex-suffixes';
		this.#alphabet = kind === undefined ? ALPHABETS.letters : ALPHABETS[isHexadecimal ? 'hexadecimal' : 'decimal'];
		this.#end = options.get('additional-suffix') ?? '';
		if (this.#end.includes('/'))
			throw new UsageError(`invalid suffix ${quoted(this.#end)}, contains directory separator`, true);
		const start = kind === undefined ? '' : (options.get(kind) ?? '');
		if (start !== '' && !(isHexadecimal ? /^[\da-f]+$/ : /^\d+$/).test(start))
			throw new UsageError(
				`${start}: invalid start value for ${isHexadecimal ? 'hexadecimal' : 'numerical'} suffix`,
				true
			);
		this.#first = start === '' ? 0 : parseInt(start, isHexadecimal ? 16 : 10);
		const given = options.get('a');
		if (given !== undefined && !/^\d+$/.test(given)) throw new UsageError(`invalid suffix length: ${quoted(given)}`);
		const last = chunks === null ? 0 : chunks - 1 + (this.#first < chunks ? this.#first : 0);
		const needed = chunks === null ? 0 : last.toString(this.#alphabet.length).length;
		const wanted = Number(given ?? 0);
		if (wanted > 0 && wanted < needed) throw new UsageError(`the suffix length needs to be at least ${needed}`);
		this.#length = wanted || Math.max(USUAL_LENGTH, needed);
		this.#grows = wanted === 0 && chunks === null && start === '';
		if (start.length > this.#length)
			throw new UsageError('numerical suffix start value is too large for the suffix length', true);
	}

	/** Returns null once all suffixes are used. */
	next(): string | null {
		if (!this.#digits) {
			const text = this.#first.toString(this.#alphabet.length).padStart(this.#length, '0');
			this.#digits = [...text].map((digit) => parseInt(digit, this.#alphabet.length));
		} else if (!this.#advance(this.#digits)) return null;
		const suffix = this.#digits.map((digit) => this.#alphabet[digit]).join('');
		return `${this.prefix}${this.#head}${suffix}${this.#end}`;
	}

	#advance(digits: number[]): boolean {
		const base = this.#alphabet.length;
		for (let at = digits.length - 1; at >= 0; at--) {
			digits[at] = (digits[at] ?? 0) + 1;
			if (at === 0 && this.#grows && digits[0] === base - 1) {
				this.#head += this.#alphabet[base - 1];
				this.#digits = Array.from({ length: digits.length + 1 }, () => 0);
				return true;
			}
			if ((digits[at] ?? 0) < base) return true;
			digits[at] = 0;
		}
		return false;
	}
}
