import { fatal } from '../errors.ts';

/** Ways in which the mails of a series refer to each other: each to the one before, or all to the first. */
export type ThreadMode = 'shallow' | 'deep' | null;

/** Reads `--thread` and `format.thread`. @throws GitError */
export function threadMode(text: string): ThreadMode {
	if (text === '' || text === 'shallow' || /^(?:true|yes|on|1)$/i.test(text)) return 'shallow';
	if (text === 'deep') return 'deep';
	if (/^(?:false|no|off|0)$/i.test(text)) return null;
	throw fatal(`unknown value for config 'format.thread': ${text}`);
}

/** Gives the mails of a series the fields that tie them together. */
export class Thread {
	readonly #references: string[];
	#before: string | null = null;

	/**
	 * @param replyTo id of the mail that the series answers
	 * @param suffix behind `.` in the ids of this series
	 */
	constructor(
		private readonly mode: ThreadMode,
		replyTo: string | null,
		private readonly suffix: string,
		private readonly hasCover: boolean
	) {
		this.#references = replyTo === null ? [] : [replyTo];
	}

	/** The fields of the next mail. @param name `cover`, or the commit's id */
	fields(name: string): string {
		const id = `${name}.${this.suffix}`;
		if (this.mode !== null && this.#before !== null) {
			// All answer the first mail; with a cover letter that is it, and else what the first one answers, if it does.
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

	/** Tells once that the cover letter has been written and is not referred to yet. */
	#isFirstLeft(): boolean {
		return this.#count++ === 0;
	}
}

/** An id without what is around it. */
export const cleanMessageId = (text: string): string => text.replace(/^[\s<]+/, '').replace(/[\s>]+$/, '');
