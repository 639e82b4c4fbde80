import { children, type Element, encode, parse, tagged } from './der.ts';

/** Fields of a certificate's part that is signed (RFC 5280, 4.1). The version is absent in the oldest. */
export function signedFields(certificate: Element): Element[] {
	const fields = children(children(certificate)[0]);
	return tagged(fields, 0) ? fields.slice(1) : fields;
}

/** `SubjectPublicKeyInfo` of a certificate. @throws KeyDataError */
export function certificateKey(der: Uint8Array): Uint8Array {
	const [, , , , , key] = signedFields(parse(der));
	return key ? encode(key) : new Uint8Array(0);
}
