/** A piece of a word after expansion. Quoted text is literal: no splitting, no globbing. */
export interface Segment {
	text: string;
	quoted: boolean;
}

export type Field = Segment[];

/** Collects the fields that one word expands to, splitting unquoted results at IFS. */
export class FieldBuilder {
	readonly fields: Field[] = [];
	#open: Field | null = null;
	/** Set after whitespace of the last split that may or may not end a field. */
	#pendingBreak = false;

	constructor(private readonly separators: string) {}

	/** Adds text that is not split. Empty quoted text still creates a field. */
	add(text: string, quoted: boolean): void {
		if (text === '' && !quoted) return;
		this.#settle();
		(this.#open ??= []).push({ text, quoted });
	}

	/** Adds the result of an unquoted expansion. */
	addSplit(text: string): void {
		if (this.separators === '') return this.add(text, false);
		let piece = '';
		let index = 0;
		while (index < text.length) {
			const char = text[index] ?? '';
			if (!this.separators.includes(char)) {
				piece += char;
				index++;
				continue;
			}
			if (piece) this.add(piece, false);
			piece = '';
			let hard = !isBlank(char);
			index++;
			while (index < text.length && this.separators.includes(text[index] ?? '')) {
				if (!isBlank(text[index] ?? '')) {
					if (hard) break;
					hard = true;
				}
				index++;
			}
			if (hard) {
				if (this.#pendingBreak) this.#settle();
				if (!this.#open) this.#open = [];
				this.#finish();
			} else if (this.#open) {
				this.#pendingBreak = true;
			}
		}
		if (piece) this.add(piece, false);
	}

	/** Ends the current field, as between the elements of `"$@"`. */
	breakField(): void {
		this.#pendingBreak = false;
		this.#finish();
	}

	result(): Field[] {
		this.#finish();
		return this.fields;
	}

	#settle(): void {
		if (this.#pendingBreak) this.#finish();
		this.#pendingBreak = false;
	}

	#finish(): void {
		if (this.#open) this.fields.push(this.#open);
		this.#open = null;
	}
}

const isBlank = (char: string) => char === ' ' || char === '\t' || char === '\n';

export const fieldText = (field: Field) => field.map((segment) => segment.text).join('');
