import { fromBytes, toBytes } from '../../big-integers.ts';
import { CURVES, curveBytes } from './curves.ts';
import {
	bits,
	children,
	type Element,
	integer,
	integerOf,
	isOid,
	octets,
	octetsOf,
	oid,
	oidOf,
	sequence
} from './der.ts';
import type { EcKey } from './material.ts';
import { KeyDataError } from './key-data-error.ts';

const PRIME_FIELD = '1.2.840.10045.1.1';

/** Seeds from which the curves' coefficients were generated, which OpenSSL writes with them (FIPS 186-4, D.1.2). */
const SEEDS: Readonly<Record<string, string>> = {
	secp224r1: 'bd71344799d5c7fcdc45b59fa3b9ab8f6a948bc5',
	prime256v1: 'c49d360886e704936a6678e1139d26b7819f7e90',
	secp384r1: 'a335926aa319a27a1d00896a6773a4827acdac73',
	secp521r1: 'd09e8800291cb85396cc6717393284aaa0da64ba'
};

/** `ECParameters` (RFC 3279): the curve's name, or its explicit parameters. */
export function curveParameters({ curve, isExplicit }: EcKey): Element {
	const known = CURVES[curve];
	if (!known) throw new Error(`no curve ${curve}`);
	if (!isExplicit) return oid(known.oid);
	const { Point } = known.math;
	const { p, n, h, a, b } = Point.CURVE();
	const size = curveBytes(curve);
	const seed = SEEDS[curve];
	return sequence(
		integer(1),
		sequence(oid(PRIME_FIELD), integer(p)),
		sequence(
			octets(toBytes(a, size)),
			octets(toBytes(b, size)),
			...(seed ? [bits(toBytes(BigInt(`0x${seed}`), seed.length / 2))] : [])
		),
		octets(Point.BASE.toBytes(false)),
		integer(n),
		integer(h)
	);
}

/** Curve given by name or explicit parameters. @throws KeyDataError for an unknown one */
export function curveOf(element: Element | undefined): { curve: string; isExplicit: boolean } {
	const isExplicit = !isOid(element);
	const found = isExplicit ? writtenOut(element) : namedBy(oidOf(element));
	if (!found) throw new KeyDataError('an unknown curve');
	return { curve: found, isExplicit };
}

const namedBy = (identifier: string): string | undefined =>
	Object.keys(CURVES).find((name) => CURVES[name]?.oid === identifier);

function writtenOut(element: Element | undefined): string | undefined {
	const [, field, coefficients, base] = children(element);
	const [type, prime] = children(field);
	if (oidOf(type) !== PRIME_FIELD) return undefined;
	const [a, b] = children(coefficients).slice(0, 2).map(octetsOf).map(fromBytes);
	const start = octetsOf(base);
	return Object.keys(CURVES).find((name) => {
		const { Point } = CURVES[name]?.math ?? {};
		const own = Point?.CURVE();
		const isBase = Point !== undefined && Point.BASE.toBytes(false).every((byte, at) => byte === start[at]);
		return own?.p === integerOf(prime) && own.a === a && own.b === b && isBase;
	});
}
