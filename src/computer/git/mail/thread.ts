import { fatal } from '../errors.ts';

/** Reply structure of a series: each mail refers to the previous one (`deep`), or all to the first (`shallow`). */
export type ThreadMode = 'shallow' | 'deep' | null;

/** Parses `--thread` and `format.thread`. @throws GitError */
export function threadMode(text: string): ThreadMode {
	if (text === '' || text === 'shallow' || /^(?:true|yes|on|1)$/i.test(text)) return 'shallow';
	if (text === 'deep') return 'deep';
	if (/^(?:false|no|off|0)$/i.test(text)) return null;
	throw fatal(`unknown value for config 'format.thread': ${text}`);
}

/** Builds the header fields that link the mails of a series. */
export class Thread {
	readonly #references: string[];
	#before: string | null = null;

	/**
	 * @param replyTo id of the mail that the series replies to
	 * @param suffix part after `.` in the ids of this series
	 */
	constructor(
		private readonly mode: ThreadMode,
		replyTo: string | null,
		private readonly suffix: string,
		private readonly hasCover: boolean
	) {
		this.#references = replyTo === null ? [] : [replyTo];
	}

	/** Fields of the next mail. @param name `cover`, or the commit's id */
	fields(name: string): string {
		const id = `${name}.${this.suffix}`;
		if (this.mode !== null && this.#before !== null) {
			// Shallow: all mails reply to the cover letter; without one, to `replyTo`, or else to the first mail.
			if (this.mode === 'deep' || (this.hasCover ? this.#isFirstLeft() : this.#references.length === 0))
				this.#references.push(this.#before);
		}
		this.#before = id;
		const own = this.mode === null ? '' : `Message-Id: <${id}>\n`;
		const last = this.#references.at(-1);
		if (last === undefined) return own;
		return `${own}In-Reply-To: <${last}>\nReferences: ${this.#references.map((one) => `<${one}>`).join('\n\t')}\n`;
	}

	#count = 0;

	/** Returns true on the first call only: the cover letter is then written but not yet referred to. */
	#isFirstLeft(): boolean {
		return this.#count++ === 0;
	}
}

/** Removes whitespace and angle brackets around an id. */
export const cleanMessageId = (text: string): string => text.replace(/^[\s<]+/, '').replace(/[\s>]+$/, '');
