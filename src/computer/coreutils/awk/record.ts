import { posixPattern } from '../text/posix-pattern.ts';
import { AwkError } from './tokens.ts';
import { fromInput, type Value } from './values.ts';

const patterns = new Map<string, RegExp>();

/** A regular expression of a program or made from a text. */
export function awkPattern(source: string, flags = ''): RegExp {
	const key = `${flags}/${source}`;
	let pattern = patterns.get(key);
	if (!pattern) {
		try {
			const translated = posixPattern(source.replace(/\\y/g, '\\b'), { extended: true, escapes: true });
			pattern = new RegExp(translated.source, `${translated.flags}${flags}`);
		} catch (error) {
			throw new AwkError(
				`regular expression compile failed (${error instanceof Error ? error.message : 'bad'})\n${source}`
			);
		}
		patterns.set(key, pattern);
	}
	return pattern;
}

/** Splits a text at a separator as `FS` means it. */
export function splitText(text: string, separator: string | RegExp, paragraphs = false): string[] {
	if (text === '') return [];
	if (separator === ' ') return text.match(/[^ \t\n]+/g) ?? [];
	if (separator instanceof RegExp) return cut(text, separator);
	if (paragraphs && separator !== '\n') return cut(text, new RegExp(`(?:${awkPattern(separator).source})|\\n`, 'su'));
	if (separator === '') return [...text];
	if (separator.length === 1 && separator !== '\\') return text.split(separator);
	return cut(text, awkPattern(separator));
}

/** Like `split`, without the groups of the separator. */
function cut(text: string, separator: RegExp): string[] {
	const pieces: string[] = [];
	const search = new RegExp(separator.source, `${separator.flags.replace('g', '')}g`);
	let from = 0;
	for (const match of text.matchAll(search)) {
		if (match[0] === '') continue;
		pieces.push(text.slice(from, match.index));
		from = match.index + match[0].length;
	}
	pieces.push(text.slice(from));
	return pieces;
}

/** `$0` and its fields, each computed when asked for. */
export class CurrentRecord {
	#whole: string | null = '';
	#fields: Value[] | null = [];

	constructor(
		private readonly settings: {
			separator: () => string;
			joiner: () => string;
			text: (value: Value) => string;
			paragraphs: () => boolean;
		}
	) {}

	set(text: string): void {
		this.#whole = text;
		this.#fields = null;
	}

	get count(): number {
		return this.#split().length;
	}

	set count(count: number) {
		const fields = this.#split();
		while (fields.length < count) fields.push('');
		fields.length = Math.max(0, count);
		this.#whole = null;
	}

	get(index: number): Value {
		if (index === 0) return fromInput(this.text);
		if (index < 0) throw new AwkError(`attempt to access field ${index}`);
		const value = this.#split()[index - 1];
		return typeof value === 'string' ? fromInput(value) : value;
	}

	put(index: number, value: Value): void {
		if (index === 0) return this.set(this.settings.text(value));
		if (index < 0) throw new AwkError(`attempt to access field ${index}`);
		const fields = this.#split();
		while (fields.length < index) fields.push('');
		fields[index - 1] = value;
		this.#whole = null;
	}

	get text(): string {
		return (this.#whole ??= (this.#fields ?? []).map(this.settings.text).join(this.settings.joiner()));
	}

	#split(): Value[] {
		return (this.#fields ??= splitText(this.#whole ?? '', this.settings.separator(), this.settings.paragraphs()));
	}
}
