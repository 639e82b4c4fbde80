import { concat, encode } from '#computer/process/text.ts';
import { UsageError, utility } from '../options.ts';
import { bytesOf } from './byte-rows.ts';

const SPECIFICATION = 'f|from-code= t|to-code= c l|list o|output= s|silent';

/** Encodings that can be written; all encodings of the browser can be read. */
const WRITTEN = ['ASCII', 'ISO-8859-1', 'UTF-8', 'UTF-16', 'UTF-16BE', 'UTF-16LE', 'UTF-32', 'UTF-32BE', 'UTF-32LE'];
const SYNONYMS: Readonly<Record<string, string>> = {
	...{ 'US-ASCII': 'ASCII', 'ANSI_X3.4-1968': 'ASCII', UTF8: 'UTF-8', UTF16: 'UTF-16', UTF32: 'UTF-32' },
	...{ LATIN1: 'ISO-8859-1', L1: 'ISO-8859-1', 'ISO8859-1': 'ISO-8859-1', 'ISO_8859-1': 'ISO-8859-1' }
};

/** `iconv`: converts text from one encoding to another. */
export const iconv = utility(SPECIFICATION, async (call, options) => {
	if (options.has('l')) {
		await call.out(WRITTEN.map((name) => `${name}//\n`).join(''));
		return 0;
	}
	const [from] = nameOf(options.get('f') ?? 'UTF-8');
	const [to, suffixes] = nameOf(options.get('t') ?? 'UTF-8');
	const { bytes, status } = await bytesOf(call, options.operands);
	if (status !== 0) return status;
	const text = decoded(from, bytes);
	if (text === null) throw new UsageError(`conversion from unsupported encoding: ${from}`, true);
	if (!WRITTEN.includes(to)) throw new UsageError(`conversion to unsupported encoding: ${to}`, true);
	const result = converted(text.good, to, {
		isLenient: options.has('c') || suffixes.includes('IGNORE'),
		replaces: suffixes.includes('TRANSLIT')
	});
	const output = options.get('o');
	if (output === undefined) await call.shell.descriptors.require(1).write(result.bytes);
	else call.shell.host.context.sync.writeFile(call.shell.path(output), result.bytes);
	const stopped = result.stopped === null ? null : text.placeOf(result.stopped);
	const at = stopped ?? text.illegalAt;
	if (at === null) return 0;
	if (!options.has('c')) await call.complain(`illegal input sequence at position ${at}`);
	return 1;
});

/** Normalizes the name of an encoding, and splits off the suffixes after `//`. */
function nameOf(text: string): [name: string, suffixes: string[]] {
	const [name = '', ...suffixes] = text.toUpperCase().split('//');
	return [SYNONYMS[name] ?? name, suffixes];
}

interface Decoded {
	/** Text before the first invalid bytes. */
	good: string;
	/** Offset of the invalid bytes; null if all are valid. */
	illegalAt: number | null;
	/** Converts an index of the text to an offset in the bytes. */
	placeOf: (index: number) => number;
}

/** Decodes bytes; null for an unknown encoding. */
function decoded(from: string, bytes: Uint8Array): Decoded | null {
	if (from === 'ISO-8859-1' || from === 'ASCII') {
		const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
		const at = from === 'ASCII' ? bytes.findIndex((byte) => byte > 0x7f) : -1;
		return { good: at < 0 ? text : text.slice(0, at), illegalAt: at < 0 ? null : at, placeOf: (index) => index };
	}
	let decoder: TextDecoder;
	try {
		decoder = new TextDecoder(from, { ignoreBOM: true });
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
	const text = decoder.decode(bytes);
	const width = from.startsWith('UTF-16') ? 2 : from.startsWith('UTF-32') ? 4 : 1;
	const placeOf = (index: number) => (from === 'UTF-8' ? encode(text.slice(0, index)).length : index * width);
	for (let at = text.indexOf('\ufffd'); at >= 0 && from === 'UTF-8'; at = text.indexOf('\ufffd', at + 1)) {
		const place = placeOf(at);
		// The replacement character may also be part of the input.
		if (bytes[place] === 0xef && bytes[place + 1] === 0xbf && bytes[place + 2] === 0xbd) continue;
		return { good: text.slice(0, at), illegalAt: place, placeOf };
	}
	return { good: text, illegalAt: null, placeOf };
}

/** Encodes text up to a character that the encoding lacks, and returns its position. */
function converted(
	text: string,
	to: string,
	{ isLenient, replaces }: { isLenient: boolean; replaces: boolean }
): { bytes: Uint8Array; stopped: number | null } {
	if (to === 'UTF-8') return { bytes: encode(text), stopped: null };
	const mark = to === 'UTF-16' || to === 'UTF-32' ? [written('\ufeff', to)] : [];
	const parts = mark.flatMap((part) => part ?? []);
	let index = 0;
	for (const letter of text) {
		const plain = replaces ? letter.normalize('NFD').replace(/\p{M}/gu, '') : letter;
		const piece = written(letter, to) ?? written(plain, to) ?? (replaces ? written('?', to) : null);
		if (piece) parts.push(piece);
		else if (!isLenient) return { bytes: concat(parts), stopped: index };
		index += letter.length;
	}
	return { bytes: concat(parts), stopped: null };
}

/** Encodes a text; null if the encoding lacks a character. */
function written(text: string, to: string): Uint8Array | null {
	if (to === 'ASCII' || to === 'ISO-8859-1') {
		const most = to === 'ASCII' ? 0x7f : 0xff;
		const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
		return codes.every((code) => code <= most) ? Uint8Array.from(codes) : null;
	}
	const isLittle = !to.endsWith('BE');
	const units = to.startsWith('UTF-32')
		? Array.from(text, (letter) => letter.codePointAt(0) ?? 0)
		: Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
	const width = to.startsWith('UTF-32') ? 4 : 2;
	const bytes = new Uint8Array(units.length * width);
	const view = new DataView(bytes.buffer);
	for (const [at, unit] of units.entries())
		if (width === 4) view.setUint32(at * 4, unit, isLittle);
		else view.setUint16(at * 2, unit, isLittle);
	return bytes;
}
