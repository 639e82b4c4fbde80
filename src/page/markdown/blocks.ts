/**
 * Splits arriving markdown into finished blocks and an open tail, so that only the tail is rendered again. A
 * split is at an empty line outside a code fence, if the following text neither continues a list nor is
 * indented.
 */
export class BlockSplitter {
	/** Finished blocks, in order. */
	readonly blocks: string[] = [];
	#rest = '';
	/** End of the complete lines in `#rest` that have been inspected. */
	#seen = 0;
	#fence: string | null = null;
	/** End of the last empty line, if nothing has followed it yet. */
	#gap: number | null = null;

	/** Unfinished text. */
	get tail(): string {
		return this.#rest;
	}

	append(text: string): void {
		this.#rest += text;
		let end = this.#rest.indexOf('\n', this.#seen);
		while (end >= 0) {
			this.#line(this.#rest.slice(this.#seen, end), end + 1);
			end = this.#rest.indexOf('\n', this.#seen);
		}
	}

	#line(line: string, next: number): void {
		const start = this.#seen;
		this.#seen = next;
		if (this.#fence !== null) {
			const marker = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
			if (marker?.startsWith(this.#fence)) this.#fence = null;
			return;
		}
		if (line.trim() === '') {
			if (this.#rest.slice(0, start).trim() !== '') this.#gap = next;
			return;
		}
		if (this.#gap !== null && !continues(line, this.#rest)) this.#cut(this.#gap);
		this.#gap = null;
		this.#fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
	}

	#cut(at: number): void {
		this.blocks.push(this.#rest.slice(0, at));
		this.#rest = this.#rest.slice(at);
		this.#seen -= at;
	}
}

const LIST_ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])\s/;

/** Returns true if a line after an empty line still belongs to the block that starts with `block`. */
function continues(line: string, block: string): boolean {
	if (/^\s/.test(line)) return true;
	return LIST_ITEM.test(line) && LIST_ITEM.test(block);
}

/** Splits a finished text into blocks. A text with link definitions is not split, since they apply across blocks. */
export function splitBlocks(text: string): string[] {
	if (/^ {0,3}\[[^\]]+\]:/m.test(text)) return [text];
	const splitter = new BlockSplitter();
	splitter.append(text);
	return splitter.tail.trim() === '' ? splitter.blocks : [...splitter.blocks, splitter.tail];
}

/**
 * Predicts the final form of the tail: closes open markup, and holds back a last line whose meaning is still ambiguous
 * (the underline of a heading, a table's first row).
 */
export function settle(tail: string): string {
	if (/^ {0,3}(`{3,}|~{3,})/m.test(tail) && insideFence(tail)) return tail;
	let text = tail.replace(/\n[ \t]*(?:[-=*_+]+|#+|\d+[.)]?|\|[^\n]*)$/, '');
	if (/^\|[^\n]*$/.test(text)) return '';
	text = text.replace(/!?\[[^\]]*\]\([^)\s]*$/, '').replace(/(\*{1,3}|`+|~~)$/, '');
	if (count(text, '`') % 2 === 1) return `${text}\``;
	if (count(text, '**') % 2 === 1) return `${text.trimEnd()}**`;
	return text;
}

function insideFence(text: string): boolean {
	return (text.match(/^ {0,3}(`{3,}|~{3,})/gm)?.length ?? 0) % 2 === 1;
}

function count(text: string, mark: string): number {
	return text.split(mark).length - 1;
}
