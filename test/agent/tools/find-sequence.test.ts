import { describe, expect, it } from 'vitest';
import { findSequence } from '#agent/tools/find-sequence.ts';
import fc from '#test/fast-check.ts';

const all = (whole: string, wanted: string, from?: number) => [...findSequence([...whole], [...wanted], from)];

describe('a sequence', () => {
	it.each<[string, string, number | undefined, number[]]>([
		['abcabc', 'bc', undefined, [1, 4]],
		['aaaa', 'aa', undefined, [0, 1, 2]],
		// A partial match may contain the start of the next one.
		['aaab', 'aab', undefined, [1]],
		['ababac', 'abac', undefined, [2]],
		['abcabcabd', 'abcabd', undefined, [3]],
		['abcabc', 'bc', 2, [4]],
		['abc', 'bc', 2, []],
		['abc', 'abcd', undefined, []],
		['abc', '', undefined, []],
		['', 'a', undefined, []]
	])('of %j: %j from %j is at %j', (whole, wanted, from, places) => {
		expect(all(whole, wanted, from)).toEqual(places);
	});

	it('is found at each place where it stands', () => {
		const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 });
		const short = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 6 });
		fc.assert(
			fc.property(text, short, (whole, wanted) => {
				const expected = [...whole].flatMap((_, at) => (whole.startsWith(wanted, at) ? [at] : []));
				expect(all(whole, wanted)).toEqual(expected);
			})
		);
	});
});
