import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { Heights } from '#page/timeline/heights.ts';

it('agrees with plain sums, whatever is measured in whatever order', () => {
	const change = fc.oneof(
		fc.record({ kind: fc.constant('resize' as const), count: fc.nat(60) }),
		fc.record({ kind: fc.constant('set' as const), index: fc.nat(70), height: fc.integer({ min: 1, max: 400 }) })
	);
	fc.assert(
		fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
			const heights = new Heights(50);
			let plain: number[] = [];
			for (const step of changes) {
				if (step.kind === 'resize') {
					heights.resize(step.count);
					plain = Array.from({ length: step.count }, (_, index) => plain[index] ?? 50);
				} else {
					const known = plain[step.index];
					expect(heights.set(step.index, step.height)).toBe(known === undefined ? 0 : step.height - known);
					if (known !== undefined) plain[step.index] = step.height;
				}
			}
			let sum = 0;
			plain.forEach((height, index) => {
				expect(heights.offset(index)).toBe(sum);
				expect(heights.at(sum)).toBe(index);
				expect(heights.at(sum + height - 1)).toBe(index);
				sum += height;
			});
			expect(heights.offset(plain.length)).toBe(sum);
		})
	);
});
