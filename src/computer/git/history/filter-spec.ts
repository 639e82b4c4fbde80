import { decode, encode } from '../bytes.ts';
import { integerOf } from '../config/values.ts';
import { fatal, type GitError } from '../errors.ts';
import { OBJECT_TYPES, type ObjectType } from '../objects/object.ts';

/** Filter of objects as typed after `--filter` (git-rev-list(1)). */
export type FilterSpec = { text: string } & (
	| { kind: 'blob:none' }
	| { kind: 'blob:limit'; limit: number }
	| { kind: 'tree'; depth: number }
	/** `name` of the blob with sparse-checkout patterns. */
	| { kind: 'sparse:oid'; name: string }
	| { kind: 'object:type'; type: ObjectType }
	| { kind: 'combine'; parts: readonly FilterSpec[] }
);

/** Maximum number of filters in one `combine:`. */
const MOST_COMBINED = 64;
/** Maximum depth of `combine:` within `combine:`. */
const MOST_NESTED = 16;
const RESERVED = /[~`!@#$^&*()[\]{}\\;'",<>?\s]/;

/** Parses a filter specification. @throws GitError if it is invalid */
export function parseFilter(text: string, depth = 0): FilterSpec {
	const wrong = () => fatal(`invalid filter-spec '${text}'`);
	const [, kind = '', value] = /^([a-z]+)(?::(.*))?$/s.exec(text) ?? [];
	if (text === 'blob:none') return { text, kind: 'blob:none' };
	const limit = /^blob:limit=(.*)$/s.exec(text)?.[1];
	if (limit !== undefined) return { text, kind: 'blob:limit', limit: integerOf(limit) ?? raise(wrong()) };
	if (kind === 'tree') {
		if (value === undefined || !/^\d+$/.test(value)) throw fatal("expected 'tree:<depth>'");
		return { text, kind, depth: Number(value) };
	}
	const name = /^sparse:oid=(.*)$/s.exec(text)?.[1];
	if (name !== undefined) return { text, kind: 'sparse:oid', name };
	if (/^sparse:path=/.test(text)) throw fatal('sparse:path filters support has been dropped');
	const wanted = /^object:type=(.*)$/s.exec(text)?.[1];
	if (wanted !== undefined) {
		const type = OBJECT_TYPES.find((one) => one === wanted);
		if (!type) throw fatal(`'${wanted}' for 'object:type=<type>' is not a valid object type`);
		return { text, kind: 'object:type', type };
	}
	if (kind === 'combine') return { text, kind, parts: combinedParts(value ?? '', depth) };
	throw wrong();
}

/** Parses filters separated by `+`; other special characters are percent-encoded. */
function combinedParts(text: string, depth: number): FilterSpec[] {
	const parts = text.split('+').filter((part) => part !== '');
	if (parts.length === 0) throw fatal('expected something after combine:');
	if (parts.length > MOST_COMBINED || depth >= MOST_NESTED) throw fatal('too many filters are combined');
	return parts.map((part) => {
		const odd = RESERVED.exec(part)?.[0];
		if (odd !== undefined) throw fatal(`must escape char in sub-filter-spec: '${odd}'`);
		return parseFilter(percentDecoded(part), depth + 1);
	});
}

/** One filter for several ones, of which an object must pass all; null without any. */
export function joinedFilter(texts: readonly string[]): FilterSpec | null {
	const [only, ...more] = texts.map((text) => parseFilter(text));
	if (!only || more.length === 0) return only ?? null;
	const parts = [only, ...more].flatMap(({ text }) => (/^combine:/.test(text) ? text.slice(8) : percentEncoded(text)));
	return parseFilter(`combine:${parts.join('+')}`);
}

/** Filter as it is sent to a server and stored: a limit is expanded, for servers that know no units. */
export const sentFilter = (spec: FilterSpec): string =>
	spec.kind === 'blob:limit' ? `blob:limit=${spec.limit}` : spec.text;

const percentDecoded = (text: string): string =>
	decode(
		Uint8Array.from(
			text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
			(letter) => letter.charCodeAt(0)
		)
	);

const percentEncoded = (text: string): string =>
	[...encode(text)]
		.map((byte) => {
			const letter = String.fromCharCode(byte);
			return byte > 0x20 && !RESERVED.test(letter) && !/[%+]/.test(letter)
				? letter
				: `%${byte.toString(16).padStart(2, '0')}`;
		})
		.join('');

function raise(error: GitError): never {
	throw error;
}
