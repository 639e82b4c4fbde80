/**
 * Parses JSON while it is still arriving. Every character is visited once and one tree is extended in place, so
 * the cost is linear in the length of the text for any chunk size, and reading `value` is free.
 *
 * Incomplete parts are shown as far as they are known: an open string with its beginning, an open container
 * with its contents so far, a number that is already valid. Keys, `true`, `false` and `null` appear when they
 * are complete. Text that is not JSON stops the parser at that point (`invalid`); what was parsed before
 * remains.
 */
export class PartialJsonReader {
	/** The tree so far; `undefined` while nothing is known. Live: it grows with the next `push`. */
	value: unknown = undefined;
	/** True when the text contains one complete value. */
	complete = false;
	invalid = false;

	private readonly stack: Container[] = [];
	private mode: 'value' | 'key' | 'colon' | 'separator' | 'string' | 'number' | 'literal' = 'value';
	/** The string, number or literal being parsed. */
	private token = '';
	private tokenIsKey = false;
	/** An incomplete escape sequence: `\` and the characters after it. */
	private escape = '';

	/** Parses the next chunk of the text. */
	push(piece: string): void {
		let index = 0;
		while (index < piece.length && !this.invalid) {
			if (this.mode === 'string') index = this.readString(piece, index);
			else if (this.mode === 'number' || this.mode === 'literal') index = this.readWord(piece, index);
			else index = this.readStructure(piece, index);
		}
		this.showUnfinished();
	}

	/** Ends the text: a number at the very end is complete then. */
	end(): void {
		if (this.mode === 'number' || this.mode === 'literal') this.finishWord();
	}

	private readStructure(piece: string, index: number): number {
		const character = piece[index] ?? '';
		if (character === ' ' || character === '\n' || character === '\r' || character === '\t') return index + 1;
		const top = this.stack.at(-1);
		if (this.complete) return this.fail(index);
		if (this.mode === 'colon') {
			if (character !== ':') return this.fail(index);
			this.mode = 'value';
			return index + 1;
		}
		if (character === '}' || character === ']') {
			const closes = top && (character === '}') === (top.kind === 'object');
			// A trailing comma is accepted: some models write one.
			if (!closes || (this.mode === 'value' && top.kind === 'object')) return this.fail(index);
			this.stack.pop();
			this.afterValue();
			return index + 1;
		}
		if (this.mode === 'separator') {
			if (character !== ',' || !top) return this.fail(index);
			this.mode = top.kind === 'object' ? 'key' : 'value';
			return index + 1;
		}
		if (this.mode === 'key') {
			if (character !== '"') return this.fail(index);
			this.startString(true);
			return index + 1;
		}
		return this.startValue(character, index);
	}

	private startValue(character: string, index: number): number {
		if (character === '{' || character === '[') {
			const container: Container =
				character === '{' ? { kind: 'object', items: {}, key: '' } : { kind: 'array', items: [], next: 0 };
			this.place(container.items);
			this.stack.push(container);
			this.mode = character === '{' ? 'key' : 'value';
			return index + 1;
		}
		if (character === '"') {
			this.startString(false);
			return index + 1;
		}
		if (!/[-0-9tfn]/.test(character)) return this.fail(index);
		this.mode = /[-0-9]/.test(character) ? 'number' : 'literal';
		this.token = '';
		return index;
	}

	private startString(isKey: boolean): void {
		this.mode = 'string';
		this.token = '';
		this.tokenIsKey = isKey;
		this.escape = '';
	}

	private readString(piece: string, start: number): number {
		if (this.escape !== '') return this.readEscape(piece, start);
		let index = start;
		while (index < piece.length) {
			const code = piece.charCodeAt(index);
			if (code === 0x22 || code === 0x5c) break;
			// Raw line breaks inside strings are invalid JSON.
			if (code < 0x20) {
				this.token += piece.slice(start, index);
				return this.fail(index);
			}
			index++;
		}
		if (index > start) this.token += piece.slice(start, index);
		if (index === piece.length) return index;
		if (piece.charCodeAt(index) === 0x5c) {
			this.escape = '\\';
			return index + 1;
		}
		if (this.tokenIsKey) {
			const top = this.stack.at(-1);
			if (top?.kind === 'object') top.key = this.token;
			this.mode = 'colon';
		} else {
			this.place(this.token);
			this.afterValue();
		}
		return index + 1;
	}

	private readEscape(piece: string, index: number): number {
		this.escape += piece[index] ?? '';
		if (this.escape[1] === 'u') {
			if (this.escape.length < 6) return index + 1;
			if (!/^\\u[0-9a-fA-F]{4}$/.test(this.escape)) return this.fail(index);
			this.token += String.fromCharCode(parseInt(this.escape.slice(2), 16));
		} else {
			const character = escapes[this.escape[1] ?? ''];
			if (character === undefined) return this.fail(index);
			this.token += character;
		}
		this.escape = '';
		return index + 1;
	}

	private readWord(piece: string, start: number): number {
		let index = start;
		const wordCharacter = this.mode === 'number' ? /[-+.0-9eE]/ : /[a-z]/;
		while (index < piece.length && wordCharacter.test(piece[index] ?? '')) index++;
		this.token += piece.slice(start, index);
		if (index < piece.length) this.finishWord();
		return index;
	}

	private finishWord(): void {
		const value = this.mode === 'number' ? numberOf(this.token) : literals.get(this.token);
		if (value === undefined) {
			this.invalid = true;
			return;
		}
		this.place(value);
		this.afterValue();
	}

	private showUnfinished(): void {
		if (this.mode === 'string' && !this.tokenIsKey) this.place(this.token);
		// Longer tokens are not meaningful numbers, and parsing them again for each chunk would not be linear.
		if (this.mode === 'number' && this.token.length <= 40) {
			const value = numberOf(this.token);
			if (value !== undefined) this.place(value);
		}
	}

	/** Stores a value at the current position; an incomplete one is stored again as it grows. */
	private place(value: unknown): void {
		const top = this.stack.at(-1);
		if (!top) this.value = value;
		else if (top.kind === 'array') top.items[top.next] = value;
		else if (top.key === '__proto__') {
			Object.defineProperty(top.items, top.key, { value, enumerable: true, configurable: true, writable: true });
		} else top.items[top.key] = value;
	}

	private afterValue(): void {
		const top = this.stack.at(-1);
		if (top?.kind === 'array') top.next = top.items.length;
		if (!top) this.complete = true;
		this.mode = 'separator';
	}

	private fail(index: number): number {
		this.invalid = true;
		return index;
	}
}

type Container =
	{ kind: 'object'; items: Record<string, unknown>; key: string } | { kind: 'array'; items: unknown[]; next: number };

const escapes: Record<string, string> = {
	'"': '"',
	'\\': '\\',
	'/': '/',
	b: '\b',
	f: '\f',
	n: '\n',
	r: '\r',
	t: '\t'
};
const literals = new Map<string, boolean | null>([
	['true', true],
	['false', false],
	['null', null]
]);

function numberOf(text: string): number | undefined {
	return /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

/** Known part of the object in `text`; `{}` if it is empty or not an object. */
export function parsePartialObject(text: string): Record<string, unknown> {
	const reader = new PartialJsonReader();
	reader.push(text);
	reader.end();
	return objectOr(reader.value);
}

/** `value` if it is a plain JSON object, else `{}`. */
export function objectOr(value: unknown): Record<string, unknown> {
	return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
