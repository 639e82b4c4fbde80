import { Buffer } from 'buffer';
import { bitLength } from '../big-integers.ts';
import { asymmetric } from '../asymmetric/load.ts';
import type { KeyMaterial } from '../asymmetric/part/material.ts';

/** Returns the fields of `toLegacyObject` for the key. */
export function keyFields(key: KeyMaterial, spki: Uint8Array): Record<string, unknown> {
	if (key.kind === 'rsa' || key.kind === 'rsa-pss') {
		return {
			modulus: key.n.toString(16).toUpperCase(),
			bits: bitLength(key.n),
			exponent: `0x${key.e.toString(16)}`,
			pubkey: Buffer.from(spki)
		};
	}
	if (key.kind !== 'ec') return {};
	const curve = asymmetric().CURVES[key.curve];
	const nist = key.curve === 'secp224r1' || curve?.crv?.startsWith('P-') ? { nistCurve: curve?.crv ?? 'P-224' } : {};
	return { bits: curve?.bits, pubkey: Buffer.from(key.point), asn1Curve: key.curve, ...nist };
}
