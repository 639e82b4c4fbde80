import { concat } from '#environment/concat.ts';
import type { Footer } from './footer.ts';
import { type History, isSame, type LocalTime, type Transition } from './transitions.ts';

const HEADER_BYTES = 44;
const FIRST_32_BIT = -(2 ** 31);
const LAST_32_BIT = 2 ** 31 - 1;

/**
 * Encodes a file of compiled time zone data with both blocks: that of 32-bit times for readers of version 1, and that
 * of 64-bit times.
 *
 * @see RFC 9636, section 3
 */
export function writeTzif(history: History, footer: Footer): Uint8Array {
	const version = footer.isExtended ? '3' : '2';
	const tail = new TextEncoder().encode(`\n${footer.text}\n`);
	return concat([block(inside32Bits(history), 4, version), block(history, 8, version), tail]);
}

/**
 * Part of a history that fits into 32 bits. It begins with a transition to the local time at their start, as in zic's
 * output.
 */
function inside32Bits({ first, transitions }: History): History {
	const inside = transitions.filter(({ at }) => at >= FIRST_32_BIT && at <= LAST_32_BIT);
	const before = transitions.findLast(({ at }) => at < FIRST_32_BIT);
	const start: Transition[] = before ? [{ at: FIRST_32_BIT, to: before.to }] : [];
	return { first, transitions: [...start, ...inside] };
}

function block({ first, transitions }: History, timeBytes: 4 | 8, version: string): Uint8Array {
	const types: LocalTime[] = [first];
	for (const { to } of transitions) if (!types.some((type) => isSame(type, to))) types.push(to);
	const names = [...new Set(types.map(({ abbreviation }) => abbreviation))];
	const text = new TextEncoder().encode(names.map((name) => `${name}\0`).join(''));
	const bytes = new Uint8Array(HEADER_BYTES + transitions.length * (timeBytes + 1) + types.length * 6 + text.length);
	const view = new DataView(bytes.buffer);
	bytes.set(new TextEncoder().encode(`TZif${version}`));
	// No leap seconds, and no flags for the clock in which a transition was given.
	for (const [index, count] of [0, 0, 0, transitions.length, types.length, text.length].entries())
		view.setUint32(20 + index * 4, count);
	let at = HEADER_BYTES;
	for (const transition of transitions) {
		if (timeBytes === 4) view.setInt32(at, transition.at);
		else view.setBigInt64(at, BigInt(transition.at));
		at += timeBytes;
	}
	for (const { to } of transitions) bytes[at++] = types.findIndex((type) => isSame(type, to));
	for (const { offset, isDst, abbreviation } of types) {
		view.setInt32(at, offset);
		bytes[at + 4] = isDst ? 1 : 0;
		bytes[at + 5] = placeOf(abbreviation, names);
		at += 6;
	}
	bytes.set(text, at);
	return bytes;
}

/** Offset of an abbreviation in the text of all, each followed by a NUL. */
function placeOf(name: string, names: readonly string[]): number {
	return names.slice(0, names.indexOf(name)).reduce((sum, { length }) => sum + length + 1, 0);
}
