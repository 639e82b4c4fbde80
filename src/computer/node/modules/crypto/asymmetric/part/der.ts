import * as asn1 from 'asn1js';
import { KeyDataError } from './key-data-error.ts';

/** DER element (X.690) as asn1js parses and writes it. */
export type Element = asn1.BaseBlock;

const CONTEXT = 3;
/** @throws KeyDataError unless it is exactly one element */
export function parse(bytes: Uint8Array): Element {
	const { offset, result } = asn1.fromBER(own(bytes));
	if (offset !== bytes.length) throw new KeyDataError(result.error || 'data after the element');
	return result;
}

/** asn1js reads the underlying buffers of views, and does not accept shared ones. */
const own = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

/** Elements within a sequence, a set or a context-specific tag. @throws KeyDataError */
export function children(element: Element | undefined): Element[] {
	if (!(element instanceof asn1.Constructed)) throw new KeyDataError('an element with others in it is missing');
	return element.valueBlock.value as Element[];
}

/** Unsigned value of an INTEGER. @throws KeyDataError */
export function integerOf(element: Element | undefined): bigint {
	let value = 0n;
	for (const byte of integerBytes(element)) value = (value << 8n) | BigInt(byte);
	return value;
}

/** @throws KeyDataError */
export function integerBytes(element: Element | undefined): Uint8Array {
	if (!(element instanceof asn1.Integer)) throw new KeyDataError('an INTEGER is missing');
	return element.valueBlock.valueHexView;
}

/** @throws KeyDataError */
export function octetsOf(element: Element | undefined): Uint8Array {
	if (!(element instanceof asn1.OctetString)) throw new KeyDataError('an OCTET STRING is missing');
	return new Uint8Array(element.getValue());
}

/** @throws KeyDataError */
export function bitsOf(element: Element | undefined): Uint8Array {
	if (!(element instanceof asn1.BitString)) throw new KeyDataError('a BIT STRING is missing');
	return element.valueBlock.valueHexView;
}

/** @throws KeyDataError */
export function oidOf(element: Element | undefined): string {
	if (!(element instanceof asn1.ObjectIdentifier)) throw new KeyDataError('an OBJECT IDENTIFIER is missing');
	return element.getValue();
}

export const isSequence = (element: Element | undefined): boolean => element instanceof asn1.Sequence;
export const isOid = (element: Element | undefined): boolean => element instanceof asn1.ObjectIdentifier;
export const isInteger = (element: Element | undefined): boolean => element instanceof asn1.Integer;

/** Element with a context-specific tag, if present. */
export function tagged(elements: readonly Element[], number: number): Element | undefined {
	return elements.find(({ idBlock }) => idBlock.tagClass === CONTEXT && idBlock.tagNumber === number);
}

export const tagNumber = ({ idBlock }: Element): number => idBlock.tagNumber;

/** Text of an element of any of the string types. @throws KeyDataError */
export function textOf(element: Element | undefined): string {
	const value: unknown = element && Reflect.get(element.valueBlock, 'value');
	if (typeof value !== 'string') throw new KeyDataError('a text is missing');
	return value;
}

/** Time of a `UTCTime` or a `GeneralizedTime`. @throws KeyDataError */
export function timeOf(element: Element | undefined): Date {
	if (element instanceof asn1.UTCTime || element instanceof asn1.GeneralizedTime) return element.toDate();
	throw new KeyDataError('a time is missing');
}

export const booleanOf = (element: Element | undefined): boolean =>
	element instanceof asn1.Boolean && element.getValue();

/** Bytes from which an element was parsed. */
export const rawOf = (element: Element): Uint8Array => new Uint8Array(element.valueBeforeDecodeView);

/** Bytes of an element's content, whatever its type. */
export function contentOf(element: Element): Uint8Array {
	const bytes = encode(element);
	const length = bytes[1] ?? 0;
	return bytes.subarray(length < 0x80 ? 2 : 2 + (length & 0x7f));
}

export const encode = (element: Element): Uint8Array => new Uint8Array(element.toBER());

export const sequence = (...value: Element[]): Element => new asn1.Sequence({ value: value as never[] });
export const oid = (value: string): Element => new asn1.ObjectIdentifier({ value });
export const octets = (valueHex: Uint8Array): Element => new asn1.OctetString({ valueHex: own(valueHex) });
export const bits = (valueHex: Uint8Array): Element => new asn1.BitString({ valueHex: own(valueHex), unusedBits: 0 });
export const nothing = (): Element => new asn1.Null();

export function integer(value: bigint | number): Element {
	const hex = BigInt(value).toString(16);
	const even = hex.length % 2 === 0 ? hex : `0${hex}`;
	// A leading 1 bit would make it negative.
	const positive = parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even;
	const valueHex = Uint8Array.from(positive.match(/../g) ?? [], (digits) => parseInt(digits, 16));
	return new asn1.Integer({ valueHex: own(valueHex) });
}

/** Creates a context-specific tag around elements. */
export const context = (number: number, ...value: Element[]): Element =>
	new asn1.Constructed({ idBlock: { tagClass: CONTEXT, tagNumber: number }, value: value as never[] });
