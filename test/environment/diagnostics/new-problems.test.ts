import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { newOnes, type Placed } from '#environment/diagnostics/new-problems.ts';

const at = (line: number, message = 'wrong'): Placed => ({ line, column: 1, code: 'C', message });
const line = fc.constantFrom('a', 'b', 'c', '', '}');

describe('new problems of a file', () => {
	it('are none for old ones, wherever an insertion or a removal moves them', () => {
		fc.assert(
			fc.property(
				fc.array(line),
				fc.array(line, { minLength: 1 }),
				fc.array(line),
				fc.boolean(),
				(head, middle, tail, removes) => {
					const without = [...head, 'HEAD', 'TAIL', ...tail];
					const withMiddle = [...head, 'HEAD', ...middle, 'TAIL', ...tail];
					// One problem for each line that is in both texts.
					const outside = (texts: string[]): Placed[] =>
						texts.flatMap((_, index) =>
							index <= head.length || index >= texts.length - tail.length - 1 ? [at(index + 1)] : []
						);
					const [before, after] = removes ? [withMiddle, without] : [without, withMiddle];
					const { length } = newOnes(outside(before), outside(after), before.join('\n'), after.join('\n'));
					expect(length).toBe(0);
				}
			)
		);
	});

	it('are those more than before on the lines that changed', () => {
		const before = 'one\ntwo\nthree';
		const after = 'one\nTWO\nTWO\nthree';
		expect(newOnes([at(2)], [at(2), at(3)], before, after)).toEqual([at(3)]);
		expect(newOnes([at(2)], [at(2, 'else')], before, after)).toEqual([at(2, 'else')]);
	});

	it('know an old one on an untouched line whose words have changed', () => {
		expect(newOnes([at(1, 'type A')], [at(2, 'type B')], 'x', 'new\nx')).toEqual([]);
		expect(newOnes([], [at(2)], 'x', 'new\nx')).toEqual([at(2)]);
	});
});
