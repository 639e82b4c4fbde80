import { sha1 } from '@noble/hashes/legacy.js';
import { deflateSync, constants } from 'node:zlib';
import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { inflateInto } from '#environment/archive/inflate.ts';
import { objectId, type GitObject } from '#computer/git/objects/object.ts';
import { PackReceiver } from '#computer/git/objects/pack-receiver.ts';

const text = (value: string) => new TextEncoder().encode(value);
const concat = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const none = () => null;

/** Header of an object in a pack. */
function head(type: number, size: number): Uint8Array {
	const bytes = [(type << 4) | (size & 15)];
	for (let left = Math.floor(size / 16); left > 0; left = Math.floor(left / 128)) {
		bytes[bytes.length - 1]! |= 128;
		bytes.push(left & 127);
	}
	return Uint8Array.from(bytes);
}

/** A delta that copies the whole base, and then appends `more`. */
const appending = (base: number, more: string) =>
	Uint8Array.from([base, base + more.length, 0x90, base, more.length, ...text(more)]);

const back = (distance: number) =>
	Uint8Array.from(distance < 128 ? [distance] : [((distance >> 7) - 1) | 128, distance & 127]);

function packOf(count: number, ...objects: Uint8Array[]): Uint8Array {
	const start = concat(text('PACK'), Uint8Array.from([0, 0, 0, 2, 0, 0, 0, count]), ...objects);
	return concat(start, sha1(start));
}

function receive(pack: Uint8Array, step = pack.length, find: (id: string) => GitObject | null = none) {
	const receiver = new PackReceiver(find);
	for (let at = 0; at < pack.length; at += step) receiver.push(pack.subarray(at, at + step));
	return receiver.finish();
}

const blob = text('one blob');
const whole = concat(head(3, blob.length), deflateSync(blob));
const more = appending(blob.length, ' and more');
const byOffset = (distance: number) => concat(head(6, more.length), back(distance), deflateSync(more));
const byId = (id: string) => concat(head(7, more.length), new Uint8Array(Buffer.from(id, 'hex')), deflateSync(more));

it('inflates what zlib deflated, however it did, and tells where it ends', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.oneof(
					fc.uint8Array({ maxLength: 3000 }),
					fc.string().map((line) => text(line.repeat(40)))
				),
				{
					maxLength: 6
				}
			),
			fc.constantFrom(0, 1, 6, 9),
			fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY),
			fc.uint8Array({ maxLength: 8 }),
			(parts, level, strategy, after) => {
				const content = concat(...parts);
				const compressed = deflateSync(content, { level, strategy });
				const out = new Uint8Array(content.length);
				expect(inflateInto(concat(after, compressed, after), after.length, out)).toBe(after.length + compressed.length);
				expect(Buffer.compare(out, content)).toBe(0);
			}
		),
		{ numRuns: 300 }
	);
});

it('says of every shorter stream that it ends early, and of a broken one nothing worse than that it is broken', () => {
	const content = text('the quick brown fox jumps over the lazy dog, '.repeat(30));
	const compressed = new Uint8Array(deflateSync(content));
	for (let length = 0; length < compressed.length; length++) {
		const cut = compressed.subarray(0, length);
		expect(() => inflateInto(cut, 0, new Uint8Array(content.length))).toThrow('ends early');
	}
	fc.assert(
		fc.property(fc.nat(compressed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
			const broken = compressed.slice();
			broken[at]! ^= change;
			try {
				expect(inflateInto(broken, 0, new Uint8Array(content.length))).toBeLessThanOrEqual(broken.length);
			} catch (error) {
				expect(error).toBeInstanceOf(RangeError);
			}
		}),
		{ numRuns: 500 }
	);
});

it('puts together deltas of what came before, of what comes later and of what the repository had', () => {
	const id = objectId('blob', blob);
	const longer = objectId('blob', text('one blob and more'));
	const packs = [packOf(2, whole, byOffset(whole.length)), packOf(2, byId(id), whole), packOf(2, whole, byId(id))];
	for (const pack of packs) {
		for (const step of [1, 7, pack.length]) {
			const received = receive(pack, step);
			expect([...received!.objects.keys()].sort()).toEqual([id, longer].sort());
			expect(received!.pack).toEqual(pack);
		}
	}
	const thin = receive(packOf(1, byId(id)), 5, (wanted) => (wanted === id ? { type: 'blob', content: blob } : null));
	expect([...thin!.objects.keys()]).toEqual([longer]);
});

it('takes nothing that a server must not send', () => {
	const good = packOf(1, whole);
	expect(receive(new Uint8Array(0))).toBeNull();
	expect(receive(packOf(0))).toBeNull();
	expect(() => receive(text('<html>not found</html>'))).toThrow('no pack');
	expect(() => receive(good.subarray(0, -1))).toThrow();
	expect(() => receive(concat(good, text('x')))).toThrow('does not end where it should');
	expect(() => receive(concat(good.subarray(0, -1), text('\0')))).toThrow('checksum');
	expect(() => receive(packOf(2, whole))).toThrow();
	expect(() => receive(packOf(1, concat(head(5, 3), deflateSync('abc'))))).toThrow('unknown type');
	// Sizes: larger than the content, smaller than it, larger than any file, larger than any number.
	expect(() => receive(packOf(1, concat(head(3, 2), deflateSync('abc'))))).toThrow('larger than it says');
	expect(() => receive(packOf(1, concat(head(3, 4), deflateSync('abc'))))).toThrow('not of the size');
	expect(() => receive(packOf(1, concat(head(3, 2 ** 32), deflateSync('abc'))))).toThrow('too large');
	expect(() => receive(packOf(1, new Uint8Array(40).fill(0xbf)))).toThrow('no size');
	const vast = Uint8Array.from([blob.length, 255, 255, 255, 255, 15, 0x90, blob.length]);
	const bomb = concat(head(6, vast.length), back(whole.length), deflateSync(vast));
	expect(() => receive(packOf(2, whole, bomb))).toThrow('larger than');
	// Delta bases: missing, in the middle of an object, the delta itself.
	expect(() => receive(packOf(2, whole, byOffset(whole.length - 1)))).toThrow('no object');
	expect(() => receive(packOf(2, whole, byOffset(0)))).toThrow('nowhere');
	expect(() => receive(packOf(1, byId('00'.repeat(20))))).toThrow('nowhere');
	expect(() => receive(packOf(2, whole, byId(objectId('blob', text('one blob and more')))))).toThrow('nowhere');
});
