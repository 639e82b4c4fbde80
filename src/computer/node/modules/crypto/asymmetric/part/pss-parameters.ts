import { children, context, type Element, integer, integerOf, nothing, oid, oidOf, sequence, tagged } from './der.ts';
import { HASH_OIDS, hashOfOid } from './hash-oids.ts';
import type { PssParameters } from './material.ts';
import { KeyDataError } from './key-data-error.ts';

/** Algorithm identifier of RSASSA-PSS. */
export const RSA_PSS = '1.2.840.113549.1.1.10';
const MASK = '1.2.840.113549.1.1.8';
const DEFAULT_HASH = 'sha1';
const DEFAULT_SALT_LENGTH = 20;

const hashElement = (name: string): Element => sequence(oid(HASH_OIDS[name] ?? ''), nothing());

/** `RSASSA-PSS-params` (RFC 4055): the values that differ from the defaults. */
export function pssElement({ hash, maskHash, saltLength }: PssParameters): Element {
	return sequence(
		...(hash === DEFAULT_HASH ? [] : [context(0, hashElement(hash))]),
		...(maskHash === DEFAULT_HASH ? [] : [context(1, sequence(oid(MASK), hashElement(maskHash)))]),
		...(saltLength === DEFAULT_SALT_LENGTH ? [] : [context(2, integer(saltLength))])
	);
}

/** @throws KeyDataError for an unknown hash function or mask */
export function pssOf(element: Element): PssParameters {
	const fields = children(element);
	const [hash, mask, salt] = [0, 1, 2].map((number) => tagged(fields, number)).map((tag) => tag && children(tag)[0]);
	const [maskName, maskHash] = mask ? children(mask) : [];
	if (maskName && oidOf(maskName) !== MASK) throw new KeyDataError('an unknown mask');
	return {
		hash: hash ? hashNamed(hash) : DEFAULT_HASH,
		maskHash: maskHash ? hashNamed(maskHash) : DEFAULT_HASH,
		saltLength: salt ? Number(integerOf(salt)) : DEFAULT_SALT_LENGTH
	};
}

function hashNamed(element: Element): string {
	const name = hashOfOid(oidOf(children(element)[0]));
	if (name === undefined) throw new KeyDataError('an unknown hash function');
	return name;
}
