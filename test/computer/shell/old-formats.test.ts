import { spawnSync } from 'node:child_process';
import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { unpackAny } from '#computer/coreutils/archives/compressed-formats.ts';
import { unpackLzw } from '#computer/coreutils/archives/lzw-format.ts';
import { GzipError } from '#computer/coreutils/archives/unpacked-content.ts';

const LIMIT = 2 ** 22;
const CLEAR = 256;
const hasGzip = spawnSync('gzip', ['--version']).status === 0;

/** Compresses like `compress`, with a clear code every `clearEvery` codes. */
function packLzw(bytes: Uint8Array, most: number, clearEvery: number): Uint8Array {
	const out: number[] = [0x1f, 0x9d, 0x80 | most];
	let [bits, hold, held, inGroup, next, count] = [9, 0, 0, 0, CLEAR + 1, 0];
	let codes = new Map<string, number>();
	const put = (code: number): void => {
		hold += code * 2 ** held;
		for (held += bits; held >= 8; held -= 8) {
			out.push(hold % 256);
			hold = Math.floor(hold / 256);
		}
		inGroup = (inGroup + 1) % 8;
	};
	const resize = (to: number): void => {
		while (inGroup !== 0) put(0);
		bits = to;
	};
	const emit = (code: number): void => {
		put(code);
		count++;
	};
	let prefix = -1;
	for (const byte of bytes) {
		if (prefix < 0) {
			prefix = byte;
			continue;
		}
		const known = codes.get(`${prefix} ${byte}`);
		if (known !== undefined) {
			prefix = known;
			continue;
		}
		emit(prefix);
		if (next < 2 ** most) codes.set(`${prefix} ${byte}`, next++);
		if (next > 2 ** bits && bits < most) resize(bits + 1);
		prefix = byte;
		if (count >= clearEvery) {
			// The code before a clear code ends a text, and the next one starts another.
			emit(prefix);
			if (next < 2 ** most && next + 1 > 2 ** bits && bits < most) resize(bits + 1);
			put(CLEAR);
			resize(9);
			[codes, next, count, prefix] = [new Map(), CLEAR + 1, 0, -1];
		}
	}
	if (prefix >= 0) emit(prefix);
	if (held > 0) out.push(hold % 256);
	return Uint8Array.from(out);
}

describe('the formats before gzip', () => {
	it('unpacks what compress packs, as gzip does', () => {
		const texts = fc
			.array(fc.integer({ min: 0, max: 40 }), { minLength: 1_000, maxLength: 6_000, size: 'max' })
			.map((list) => Uint8Array.from(list));
		fc.assert(
			fc.property(
				texts,
				fc.integer({ min: 10, max: 16 }),
				fc.constantFrom(100, 300, 700, Infinity),
				(text, most, every) => {
					const packed = packLzw(text, most, every);
					expect(unpackLzw(packed, LIMIT)).toEqual(text);
					if (hasGzip) expect(Uint8Array.from(spawnSync('gzip', ['-dc'], { input: packed }).stdout)).toEqual(text);
				}
			),
			{ numRuns: 40 }
		);
	});

	it('refuses what is damaged with an error of its own', () => {
		const magic = fc.constantFrom([0x1f, 0x9d, 0x90], [0x1f, 0x1e, 0, 0, 0, 9], [0x1f, 0xa0], [0x1f, 0x8b, 8, 0]);
		fc.assert(
			fc.property(magic, fc.uint8Array({ maxLength: 200 }), (start, rest) => {
				try {
					expect(unpackAny(Uint8Array.from([...start, ...rest]), LIMIT).bytes.length).toBeLessThanOrEqual(LIMIT);
				} catch (error) {
					expect(error).toBeInstanceOf(GzipError);
				}
			}),
			{ numRuns: 3_000 }
		);
	});
});
