import { Buffer } from 'buffer';
import { invalidArgument, outOfRange } from '../../runtime/errors.ts';

const MAX_NAME_BYTES = 255;

/**
 * Parses the option `ALPNProtocols`: a list of names, or length-prefixed names. One byte per character.
 * @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE
 */
export function protocolNames(given: unknown): string[] {
	if (given === undefined || given === null) return [];
	if (Array.isArray(given)) return (given as unknown[]).map(nameOf);
	if (!ArrayBuffer.isView(given)) throw invalidArgument('ALPNProtocols', 'an array or an ArrayBufferView', given);
	const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
	const names: string[] = [];
	for (let at = 0; at < bytes.length; at += 1 + (bytes[at] ?? 0)) {
		names.push(bytes.toString('latin1', at + 1, at + 1 + (bytes[at] ?? 0)));
	}
	return names;
}

function nameOf(name: unknown, index: number): string {
	const bytes = Buffer.from(String(name));
	if (bytes.length > MAX_NAME_BYTES) {
		const words = `The byte length of the protocol at index ${index} exceeds the maximum length.`;
		throw outOfRange(words, `<= ${MAX_NAME_BYTES}`, bytes.length);
	}
	return bytes.toString('latin1');
}

/** `tls.convertALPNProtocols`: stores the names in the options as bytes. */
export function convertProtocols(given: unknown, options: { ALPNProtocols?: unknown }): void {
	const names = protocolNames(given).map((name) => Buffer.from(name, 'latin1'));
	options.ALPNProtocols = Buffer.concat(names.flatMap((name) => [Buffer.from([name.length]), name]));
}
