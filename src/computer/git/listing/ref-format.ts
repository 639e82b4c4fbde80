import { decode, encode } from '../bytes.ts';
import { COLOR_RESET } from '../color-choice.ts';
import { binaryBytes, binaryText } from '../diff/lines.ts';
import { displayWidth } from '../display-width.ts';
import { fatal, GitError } from '../errors.ts';
import type { Field, ListedRef } from './listed-ref.ts';
import type { RefFields } from './ref-fields.ts';
import { quoteFor, type QuoteLanguage } from './quoted-value.ts';

/** Part of a format. */
type Part =
	| { is: 'text'; text: string }
	| { is: 'field'; field: Field }
	| { is: 'align'; width: number; position: Position; parts: Part[] }
	| Condition;

interface Condition {
	is: 'if';
	/** Text to compare the part before `%(then)` with; null if that part only must not be empty. */
	equals: { text: string; wanted: boolean } | null;
	asked: Part[];
	then: Part[] | null;
	otherwise: Part[] | null;
}

type Position = 'left' | 'middle' | 'right';
type Token = { text: string } | { name: string };

/** Fields that define the structure of a format. */
const STRUCTURE = new Set(['align', 'if', 'then', 'else', 'end']);

/** Line format of `for-each-ref`, `branch` and `tag`. */
export class RefFormat {
	readonly #tokens: Token[];
	#parts: Part[] | undefined;
	readonly #endsColor: boolean;

	/**
	 * @param quotes language of the script that evaluates the lines
	 * @throws GitError for a malformed format
	 */
	constructor(
		format: string,
		private readonly fields: RefFields,
		isColored = false,
		private readonly quotes: QuoteLanguage | null = null
	) {
		this.#tokens = tokensOf(format);
		const names = this.#tokens.flatMap((token) => ('name' in token ? [token.name] : []));
		for (const name of names) this.#check(name);
		const color = names.findLast((name) => name.startsWith('color:'));
		this.#endsColor = isColored && color !== undefined && color !== 'color:reset';
	}

	/** Line of a ref, as binary text. @throws GitError if a condition or an alignment is not closed */
	line(ref: ListedRef): string {
		this.#parts ??= new Structure(this.#tokens, this.fields).parts();
		const text = this.#shown(this.#parts, ref, true);
		return this.#endsColor ? text + this.#quoted(COLOR_RESET) : text;
	}

	#check(name: string): void {
		const [base = ''] = name.split(':', 1);
		if (base === 'rest') throw fatal(`this command reject atom %(${name})`);
		if (name === 'raw' && this.quotes !== null && this.quotes !== 'perl')
			throw fatal(`--format=${name} cannot be used with --python, --shell, --tcl`);
		if (base === 'align') alignment(name);
		else if (base === 'if') comparison(name);
		else if (!STRUCTURE.has(base)) this.fields.field(name);
	}

	#quoted(text: string): string {
		return this.quotes === null ? text : quoteFor(this.quotes, text);
	}

	#shown(parts: readonly Part[], ref: ListedRef, isTop: boolean): string {
		return parts.map((part) => this.#partText(part, ref, isTop)).join('');
	}

	#partText(part: Part, ref: ListedRef, isTop: boolean): string {
		if (part.is === 'text') return part.text;
		const text =
			part.is === 'field'
				? part.field(ref).text
				: part.is === 'align'
					? aligned(this.#shown(part.parts, ref, false), part.width, part.position)
					: this.#shown(this.#chosen(part, ref), ref, false);
		// Nested text is quoted together with the text around it.
		return isTop ? this.#quoted(text) : text;
	}

	#chosen({ equals, asked, then, otherwise }: Condition, ref: ListedRef): readonly Part[] {
		const text = this.#shown(asked, ref, false);
		const holds = equals === null ? text.trim() !== '' : (text === equals.text) === equals.wanted;
		return (holds ? then : otherwise) ?? [];
	}
}

/** Splits a format into literal text and the names of fields. */
function tokensOf(format: string): Token[] {
	const tokens: Token[] = [];
	for (let at = 0; at < format.length;) {
		const [text = ''] = /^(?:%%|%(?!\()|[^%])*/.exec(format.slice(at)) ?? [];
		if (text !== '') tokens.push({ text: literal(text) });
		at += text.length;
		if (at >= format.length) break;
		const end = format.indexOf(')', at);
		if (end < 0) throw new GitError(`error: malformed format string ${format.slice(at)}`, 129);
		tokens.push({ name: format.slice(at + 2, end) });
		at = end + 1;
	}
	return tokens;
}

const literal = (text: string): string =>
	binaryText(encode(text)).replace(/%(?:%|([0-9a-fA-F]{2}))/g, (_, hex?: string) =>
		hex === undefined ? '%' : String.fromCharCode(Number.parseInt(hex, 16))
	);

function comparison(name: string): Condition['equals'] {
	const option = name.includes(':') ? name.slice(name.indexOf(':') + 1) : '';
	if (option === '') return null;
	const [, not, text] = /^(not)?equals=(.*)$/s.exec(option) ?? [];
	if (text === undefined) throw fatal(`unrecognized %(if) argument: ${option}`);
	return { text: binaryText(encode(text)), wanted: not === undefined };
}

function alignment(name: string): { width: number; position: Position } {
	const option = name.includes(':') ? name.slice(name.indexOf(':') + 1) : '';
	if (option === '') throw fatal('expected format: %(align:<width>,<position>)');
	let width: number | null = null;
	let position: Position = 'left';
	for (const part of option.split(',')) {
		const [, key, value = part] = /^(position|width)=(.*)$/s.exec(part) ?? [];
		const isPosition = value === 'left' || value === 'middle' || value === 'right';
		if (key !== 'position' && /^\d+$/.test(value)) width = Number(value);
		else if (key !== 'width' && isPosition) position = value;
		else if (key !== undefined) throw fatal(`unrecognized ${key}:${value}`);
		else throw fatal(`unrecognized %(align) argument: ${part}`);
	}
	if (width === null) throw fatal('positive width expected with the %(align) atom');
	return { width, position };
}

function aligned(text: string, width: number, position: Position): string {
	const missing = width - displayWidth(decode(binaryBytes(text)));
	if (missing <= 0) return text;
	const before = position === 'left' ? 0 : position === 'right' ? missing : Math.floor(missing / 2);
	return ' '.repeat(before) + text + ' '.repeat(missing - before);
}

/** Block that is open until its `%(end)`. */
interface Open {
	part: Exclude<Part, { is: 'text' | 'field' }> | null;
	parts: Part[];
}

/** Builds the nested structure of a format. */
class Structure {
	readonly #open: Open[] = [{ part: null, parts: [] }];

	constructor(
		private readonly tokens: readonly Token[],
		private readonly fields: RefFields
	) {}

	parts(): Part[] {
		for (const token of this.tokens) {
			if ('text' in token) this.#last.parts.push({ is: 'text', text: token.text });
			else this.#take(token.name);
		}
		if (this.#open.length > 1) throw fatal('format: %(end) atom missing');
		return this.#last.parts;
	}

	get #last(): Open {
		return this.#open.at(-1)!;
	}

	#take(name: string): void {
		const [base = ''] = name.split(':', 1);
		if (base === 'align') {
			const part = { is: 'align' as const, ...alignment(name), parts: [] };
			this.#open.push({ part, parts: part.parts });
		} else if (base === 'if') {
			const part: Condition = { is: 'if', equals: comparison(name), asked: [], then: null, otherwise: null };
			this.#open.push({ part, parts: part.asked });
		} else if (base === 'then') this.#then();
		else if (base === 'else') this.#else();
		else if (base === 'end') this.#end();
		else this.#last.parts.push({ is: 'field', field: this.fields.field(name) });
	}

	#then(): void {
		const { part } = this.#last;
		if (part?.is !== 'if') throw fatal('format: %(then) atom used without a %(if) atom');
		if (part.otherwise !== null) throw fatal('format: %(then) atom used after %(else)');
		if (part.then !== null) throw fatal('format: %(then) atom used more than once');
		part.then = this.#last.parts = [];
	}

	#else(): void {
		const { part } = this.#last;
		if (part?.is !== 'if') throw fatal('format: %(else) atom used without a %(if) atom');
		if (part.then === null) throw fatal('format: %(else) atom used without a %(then) atom');
		if (part.otherwise !== null) throw fatal('format: %(else) atom used more than once');
		part.otherwise = this.#last.parts = [];
	}

	#end(): void {
		const { part } = this.#last;
		if (part === null) throw fatal('format: %(end) atom used without corresponding atom');
		if (part.is === 'if' && part.then === null) throw fatal('format: %(if) atom used without a %(then) atom');
		this.#open.pop();
		this.#last.parts.push(part);
	}
}
