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
		for (const text of ['{"a":1,', '{"a":[1,],}']) {
			const reader = new PartialJsonReader();
			reader.push(text);
			expect(reader.invalid, text).toBe(false);
		}
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
	it('is whole and valid at its end, and not where a value is missing', () => {
		const whole = new PartialJsonReader();
		whole.push('{"a":"x"}');
		whole.end();
		expect([whole.complete, whole.invalid]).toEqual([true, false]);
		const missing = new PartialJsonReader();
		missing.push('{"a":}');
		expect([missing.complete, missing.invalid]).toEqual([false, true]);
	});
	it('reads numbers with long exponents', () => expect(parsePartialObject('{"a":1e10,')).toEqual({ a: 1e10 }));
	it('reads `null` as no object', () => expect(parsePartialObject('null')).toEqual({}));
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
		// Quadratic time would be 64, however often it is tried; a busy machine may need several attempts.
		await expect.poll(() => time(large) / time(small), { timeout: 30_000 }).toBeLessThan(24);
	});
});

/** Result for a text: its value, then whether it is complete or invalid JSON. */
function known(...pieces: string[]): [value: unknown, state: string] {
	const reader = new PartialJsonReader();
	for (const piece of pieces) reader.push(piece);
	return [structuredClone(reader.value), reader.invalid ? 'invalid' : reader.complete ? 'complete' : 'open'];
}

describe('what is known of a text so far', () => {
	it.each<[string, unknown, string]>([
		['', undefined, 'open'],
		[' \n\r\t', undefined, 'open'],
		['{', {}, 'open'],
		['{}', {}, 'complete'],
		['{ } ', {}, 'complete'],
		['{}x', {}, 'invalid'],
		['{}}', {}, 'invalid'],
		['{}{', {}, 'invalid'],
		['[', [], 'open'],
		['[]', [], 'complete'],
		['"a"', 'a', 'complete'],
		['"a', 'a', 'open'],
		['true ', true, 'complete'],
		['[true]', [true], 'complete'],
		['[false,null]', [false, null], 'complete'],
		['[tru', [], 'open'],
		['[truth]', [], 'invalid'],
		['[nul]', [], 'invalid'],
		['[x', [], 'invalid'],
		['[1', [1], 'open'],
		['[1]', [1], 'complete'],
		['[-1.5e+3,0.25,1E2]', [-1500, 0.25, 100], 'complete'],
		['[-', [], 'open'],
		['[1.', [], 'open'],
		['[1e', [], 'open'],
		['[01]', [], 'invalid'],
		['[1.]', [], 'invalid'],
		['[+1]', [], 'invalid'],
		['[.5]', [], 'invalid'],
		['[1-1]', [], 'invalid'],
		['[1,]', [1], 'complete'],
		['[,1]', [], 'invalid'],
		['[1 2]', [1], 'invalid'],
		['[1}', [1], 'invalid'],
		['[[1],[2]]', [[1], [2]], 'complete'],
		['[{"a":1},{', [{ a: 1 }, {}], 'open'],
		['{"a":1]', { a: 1 }, 'invalid'],
		['{"a":[1},"b":2}', { a: [1] }, 'invalid'],
		['{"a":}', {}, 'invalid'],
		['{"a"}', {}, 'invalid'],
		['{"a" 1}', {}, 'invalid'],
		['{"a" : 1 , "b" : 2 }', { a: 1, b: 2 }, 'complete'],
		['{"a":1,}', { a: 1 }, 'complete'],
		['{"a":1 "b":2}', { a: 1 }, 'invalid'],
		['{a:1}', {}, 'invalid'],
		['{1:1}', {}, 'invalid'],
		['{"a":"b', { a: 'b' }, 'open'],
		['{"a', {}, 'open'],
		['{"a":{"b":{"c":[', { a: { b: { c: [] } } }, 'open'],
		['["\\"\\\\\\/\\b\\f\\n\\r\\t"]', ['"\\/\b\f\n\r\t'], 'complete'],
		['["\\u0041\\uD83C\\udf0d"]', ['A🌍'], 'complete'],
		['["\\u00', [''], 'open'],
		['["\\u00g1"]', [''], 'invalid'],
		['["\\x"]', [''], 'invalid'],
		['["a\\', ['a'], 'open'],
		['["a\nb"]', ['a'], 'invalid'],
		['["a\u001f"]', ['a'], 'invalid'],
		['["a b\u007f"]', ['a b\u007f'], 'complete'],
		['}', undefined, 'invalid'],
		[']', undefined, 'invalid'],
		[',', undefined, 'invalid'],
		['1,', 1, 'invalid']
	])('of %j is %j, which is %s', (text, value, state) => {
		expect(known(text)).toEqual([value, state]);
		// However it is split; each prefix of an open number is a number too.
		expect(known(...text)[1]).toBe(state);
		if (state === 'complete') expect(known(...text)[0]).toEqual(value);
	});

	it('does not go on behind what is no JSON', () => {
		expect(known('{"a":1]', ',"b":2}')).toEqual([{ a: 1 }, 'invalid']);
		expect(known('[1,x', '2]')).toEqual([[1], 'invalid']);
	});

	it('grows piece by piece, also a number and an escape', () => {
		expect(['1', '12', '12.', '12.5'].map((text) => known(`[${text}`)[0])).toEqual([[1], [12], [], [12.5]]);
		expect(known('[1', '2', '.', '5', ']')).toEqual([[12.5], 'complete']);
		expect(known('["\\', 'u', '0', '0', '4', '1', '"]')).toEqual([['A'], 'complete']);
		expect(known('{"a', 'b"', ':', '"c', 'd"', '}')).toEqual([{ ab: 'cd' }, 'complete']);
	});

	it('ends a number or a word with the text', () => {
		const reader = new PartialJsonReader();
		reader.push('12');
		expect(reader.complete).toBe(false);
		reader.end();
		expect([reader.value, reader.complete]).toEqual([12, true]);
		const word = new PartialJsonReader();
		word.push('tru');
		word.end();
		expect([word.value, word.invalid]).toEqual([undefined, true]);
		const open = new PartialJsonReader();
		open.push('{"a":1');
		open.end();
		expect([open.value, open.complete, open.invalid]).toEqual([{ a: 1 }, false, false]);
	});

	it('shows a number of forty characters while it grows, and a longer one when it is whole', () => {
		const digits = '1'.repeat(40);
		expect(known(`[${digits}`)[0]).toEqual([Number(digits)]);
		expect(known(`[${digits}1`)[0]).toEqual([]);
		expect(known(`[${digits}1]`)[0]).toEqual([Number(`${digits}1`)]);
	});

	it('is an object for a call, whatever else it is', () => {
		expect(['[1]', '"a"', '1', 'x', ''].map(parsePartialObject)).toEqual([{}, {}, {}, {}, {}]);
	});
});
