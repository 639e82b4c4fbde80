import { decode, encode } from '../bytes.ts';
import { decodeAs, encodeAs, isDecodable } from '../encoded-text.ts';

/** Unicode encoding: size of its code units in bytes, byte order, and treatment of a byte order mark. */
interface UnicodeForm {
	size: 2 | 4;
	isLittle: boolean;
	mark: 'required' | 'refused' | 'added';
}

const FORMS: Readonly<Record<string, UnicodeForm>> = {
	utf16: { size: 2, isLittle: true, mark: 'required' },
	utf16le: { size: 2, isLittle: true, mark: 'refused' },
	utf16be: { size: 2, isLittle: false, mark: 'refused' },
	'utf16le-bom': { size: 2, isLittle: true, mark: 'added' },
	'utf16be-bom': { size: 2, isLittle: false, mark: 'added' },
	utf32: { size: 4, isLittle: true, mark: 'required' },
	utf32le: { size: 4, isLittle: true, mark: 'refused' },
	utf32be: { size: 4, isLittle: false, mark: 'refused' }
};

const MARK = 0xfeff;
const LARGEST = 0x10ffff;

const formOf = (name: string): UnicodeForm | undefined => FORMS[name.toLowerCase().replace(/^utf-/, 'utf')];

/** Byte order indicated by the byte order mark; null if there is none. */
function markedOrder({ size }: UnicodeForm, content: Uint8Array): 'little' | 'big' | null {
	if (content.length < size) return null;
	const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
	const first = (isLittle: boolean) => (size === 2 ? view.getUint16(0, isLittle) : view.getUint32(0, isLittle));
	return first(true) === MARK ? 'little' : first(false) === MARK ? 'big' : null;
}

/** Error about a missing or prohibited byte order mark, with a hint; null if there is none. */
export function markFault(encoding: string, path: string, content: Uint8Array): { error: string; hint: string } | null {
	const form = formOf(encoding);
	if (!form || form.mark === 'added') return null;
	const isMarked = markedOrder(form, content) !== null;
	const name = encoding.replace(/^utf-?/i, '');
	if (form.mark === 'refused' && isMarked)
		return {
			error: `BOM is prohibited in '${path}' if encoded as ${encoding}`,
			hint: `The file '${path}' contains a byte order mark (BOM). Please use UTF-${name.slice(0, -2)} as working-tree-encoding.`
		};
	if (form.mark === 'required' && !isMarked)
		return {
			error: `BOM is required in '${path}' if encoded as ${encoding}`,
			hint: `The file '${path}' is missing a byte order mark (BOM). Please use UTF-${name}BE or UTF-${name}LE (depending on the byte order) as working-tree-encoding.`
		};
	return null;
}

/** Converts a text from a named encoding to UTF-8; null if the encoding is unknown or the text is invalid in it. */
export function toUtf8(encoding: string, content: Uint8Array): Uint8Array | null {
	const form = formOf(encoding);
	if (form) return decodeUnicode(form, content);
	if (!isDecodable(encoding)) return null;
	const text = decodeAs(encoding, content);
	return text.includes('\ufffd') ? null : encode(text);
}

/** Converts UTF-8 to a named encoding; null if the encoding is unknown or lacks a character. */
export function fromUtf8(encoding: string, content: Uint8Array): Uint8Array | null {
	const text = decode(content);
	if (text.includes('\ufffd')) return null;
	const form = formOf(encoding);
	if (form) return encodeUnicode(form, text);
	return encodeAs(encoding, text);
}

function decodeUnicode(form: UnicodeForm, content: Uint8Array): Uint8Array | null {
	const { size } = form;
	if (content.length % size !== 0) return null;
	const order = form.mark === 'refused' ? null : markedOrder(form, content);
	const isLittle = order === null ? form.isLittle : order === 'little';
	const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
	let text = '';
	for (let at = order === null ? 0 : size; at < content.length; at += size) {
		const unit = size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle);
		if (unit > LARGEST) return null;
		text += size === 2 ? String.fromCharCode(unit) : String.fromCodePoint(unit);
	}
	return /\p{Surrogate}/u.test(text) ? null : encode(text);
}

function encodeUnicode({ size, isLittle, mark }: UnicodeForm, text: string): Uint8Array {
	const marked = mark === 'refused' ? text : `\ufeff${text}`;
	const units = size === 2 ? marked.split('') : [...marked];
	const made = new Uint8Array(units.length * size);
	const view = new DataView(made.buffer);
	for (const [i, unit] of units.entries()) {
		if (size === 2) view.setUint16(i * 2, unit.charCodeAt(0), isLittle);
		else view.setUint32(i * 4, unit.codePointAt(0)!, isLittle);
	}
	return made;
}
