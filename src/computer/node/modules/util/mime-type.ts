import { nodeError } from '../../runtime/errors.ts';

/** Character that no token of a media type contains (RFC 9110). */
const NOT_TOKEN = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
/** Character that no value of a parameter contains, even in quotation marks. */
const NOT_QUOTABLE = /[^\t\u0020-~\u0080-\u00FF]/;
const SPACES = '[\\t\\n\\r ]*';
const PARAMETER = new RegExp(`^${SPACES}([^;=]*)(?:=(?:"((?:[^"\\\\]|\\\\[^]|\\\\$)*)"?[^;]*|([^;]*)))?(?:;|$)`);

function syntaxError(part: string, text: string, at: number) {
	const place = at < 0 ? '' : ` at ${at}`;
	return nodeError(
		TypeError,
		'ERR_INVALID_MIME_SYNTAX',
		`The MIME syntax for a ${part} in "${text}" is invalid${place}`
	);
}

/** Checks a token. @throws ERR_INVALID_MIME_SYNTAX with its position, which `text` as a whole is shown for */
function token(part: string, value: string, text = value): string {
	const at = value.search(NOT_TOKEN);
	if (value === '' || at >= 0) throw syntaxError(part, text, at);
	return value;
}

/** `util.MIMEParams`: parameters of a media type, in their order. */
export class MIMEParams {
	readonly #values = new Map<string, string>();

	/** Parses parameters; what is invalid is left out, and of two with one name the first one counts. */
	static read(params: MIMEParams, text: string): void {
		for (let rest = text; rest !== '';) {
			const match = PARAMETER.exec(rest);
			if (!match) return;
			rest = rest.slice(match[0].length);
			const [, name = '', quoted, plain] = match;
			const value = quoted?.replace(/\\([^])/g, '$1') ?? plain?.replace(/[\t\n\r ]+$/, '');
			const lower = name.toLowerCase();
			if (value === undefined || (quoted === undefined && value === '')) continue;
			if (lower === '' || NOT_TOKEN.test(lower) || NOT_QUOTABLE.test(value) || params.#values.has(lower)) continue;
			params.#values.set(lower, value);
		}
	}

	get(name: unknown): string | null {
		return this.#values.get(String(name)) ?? null;
	}

	has(name: unknown): boolean {
		return this.#values.has(String(name));
	}

	set(name: unknown, value: unknown): void {
		const text = String(value);
		token('parameter name', String(name));
		const at = text.search(NOT_QUOTABLE);
		if (at >= 0) throw syntaxError('parameter value', text, at);
		this.#values.set(String(name), text);
	}

	delete(name: unknown): void {
		this.#values.delete(String(name));
	}

	*entries(): IterableIterator<[name: string, value: string]> {
		yield* this.#values.entries();
	}

	*keys(): IterableIterator<string> {
		yield* this.#values.keys();
	}

	*values(): IterableIterator<string> {
		yield* this.#values.values();
	}

	[Symbol.iterator](): IterableIterator<[name: string, value: string]> {
		return this.entries();
	}

	toString(): string {
		return [...this.#values].map(([name, value]) => `${name}=${written(value)}`).join(';');
	}

	toJSON(): string {
		return this.toString();
	}
}

function written(value: string): string {
	return value !== '' && !NOT_TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/** `util.MIMEType`: a media type, parsed as the WHATWG MIME Sniffing Standard says. */
export class MIMEType {
	#type: string;
	#subtype: string;
	readonly #params = new MIMEParams();

	constructor(input: unknown) {
		const text = String(input).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
		const [essence = '', ...rest] = text.split(';');
		const slash = essence.indexOf('/');
		if (slash < 0) throw syntaxError('type', text, -1);
		this.#type = token('type', essence.slice(0, slash), text).toLowerCase();
		this.#subtype = token('subtype', essence.slice(slash + 1).replace(/[\t\n\r ]+$/, ''), text).toLowerCase();
		MIMEParams.read(this.#params, rest.join(';'));
	}

	get type(): string {
		return this.#type;
	}

	set type(value: unknown) {
		this.#type = token('type', String(value)).toLowerCase();
	}

	get subtype(): string {
		return this.#subtype;
	}

	set subtype(value: unknown) {
		this.#subtype = token('subtype', String(value)).toLowerCase();
	}

	get essence(): string {
		return `${this.#type}/${this.#subtype}`;
	}

	get params(): MIMEParams {
		return this.#params;
	}

	toString(): string {
		const params = this.#params.toString();
		return params === '' ? this.essence : `${this.essence};${params}`;
	}

	toJSON(): string {
		return this.toString();
	}
}
