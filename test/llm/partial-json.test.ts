import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { parsePartialObject, PartialJsonReader } from '#llm/partial-json.ts';

describe('partial JSON', () => {
	it('reads a whole object [PJSON-001]', () => expect(parsePartialObject('{"a":1}')).toEqual({ a: 1 }));
	it('shows the beginning of an unclosed string [PJSON-002]', () =>
		expect(parsePartialObject('{"file":"/src/ma')).toEqual({ file: '/src/ma' }));
	it('closes an open object [PJSON-003]', () => expect(parsePartialObject('{"a":1,"b":2')).toEqual({ a: 1, b: 2 }));
	it('closes nested objects [PJSON-004]', () => expect(parsePartialObject('{"a":{"b":1')).toEqual({ a: { b: 1 } }));
	it('closes an array [PJSON-005]', () => expect(parsePartialObject('{"items":[1,2,3')).toEqual({ items: [1, 2, 3] }));
	it('reads nothing as an empty object [PJSON-006]', () => expect(parsePartialObject('')).toEqual({}));
	it('adds pieces up [PJSON-007]', () => {
		const reader = new PartialJsonReader();
		const seen: string[] = [];
		for (const piece of ['{"path":"/s', 'rc","lines":[1', '0,20]}']) {
			reader.push(piece);
			seen.push(JSON.stringify(reader.value));
		}
		expect(seen).toEqual(['{"path":"/s"}', '{"path":"/src","lines":[1]}', '{"path":"/src","lines":[10,20]}']);
		expect(reader.complete).toBe(true);
	});
	it('forgives a trailing comma [PJSON-008]', () => {
		expect(parsePartialObject('{"a":1,')).toEqual({ a: 1 });
		expect(parsePartialObject('{"a":[1,],}')).toEqual({ a: [1] });
	});
	it('shows no incomplete key, word or number', () => {
		expect(parsePartialObject('{"a":1,"unfinis')).toEqual({ a: 1 });
		expect(parsePartialObject('{"a":tru')).toEqual({});
		expect(parsePartialObject('{"a":-')).toEqual({});
		expect(parsePartialObject('{"a":"x\\u00')).toEqual({ a: 'x' });
	});
	it('stops at what is no JSON and keeps what came before', () => {
		const reader = new PartialJsonReader();
		reader.push('{"a":1,"b":oops}');
		expect(reader.value).toEqual({ a: 1 });
		expect(reader.invalid).toBe(true);
	});
	it('does not take `__proto__` for the prototype', () => {
		const value = parsePartialObject('{"__proto__":{"polluted":1}}');
		expect(Object.keys(value)).toEqual(['__proto__']);
		expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
	});

	it('ends at what JSON.parse gives, however the text is cut', () => {
		fc.assert(
			fc.property(
				fc.json(),
				fc.constantFrom(0, 1, 4),
				fc.infiniteStream(fc.integer({ min: 1, max: 7 })),
				(compact, indent, sizes) => {
					const text = JSON.stringify(JSON.parse(compact), null, indent);
					const reader = new PartialJsonReader();
					for (let at = 0; at < text.length;) {
						const size = sizes.next().value;
						reader.push(text.slice(at, at + size));
						at += size;
					}
					reader.end();
					expect(reader.invalid).toBe(false);
					expect(reader.complete).toBe(true);
					expect(reader.value).toEqual(JSON.parse(text));
				}
			),
			{ numRuns: 500 }
		);
	});

	it('never throws on any text', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (text) => void parsePartialObject(text)),
			{ numRuns: 500 }
		);
	});

	it('costs eight times as much for eight times the text, in pieces of four characters', async () => {
		const text = (size: number) =>
			JSON.stringify({ path: '/a', content: 'line of text\n"quoted"\n'.repeat(size / 24) });
		const time = (json: string) => {
			const runs = Array.from({ length: 5 }, () => {
				const start = performance.now();
				const reader = new PartialJsonReader();
				let seen = 0;
				for (let at = 0; at < json.length; at += 4) {
					reader.push(json.slice(at, at + 4));
					if (reader.value !== undefined) seen++;
				}
				expect(seen).toBeGreaterThan(0);
				return performance.now() - start;
			});
			return Math.min(...runs);
		};
		const small = text(80_000);
		const large = text(640_000);
		time(small);
		// Quadratic would be 64, however often it is tried; a busy machine may need several times.
		await expect.poll(() => time(large) / time(small), { timeout: 30_000 }).toBeLessThan(24);
	});
});
