import { describe, expect, it } from 'vitest';
import { draw, wilson } from './sample.mjs';

describe('a sample of mutants', () => {
	const all = Array.from({ length: 1000 }, (_, index) => index);

	it('is the same for the same seed, and another for another', () => {
		expect(draw(all, 150, 1)).toEqual(draw(all, 150, 1));
		expect(draw(all, 150, 2)).not.toEqual(draw(all, 150, 1));
	});

	it('has no mutant twice, and no more than there are', () => {
		expect(new Set(draw(all, 150, 1)).size).toBe(150);
		expect(draw([1, 2, 3], 150, 1).sort()).toEqual([1, 2, 3]);
	});

	it('is spread evenly over all of them', () => {
		const counts = [0, 0, 0, 0];
		for (let seed = 1; seed <= 40; seed += 1)
			for (const each of draw(all, 100, seed)) counts[Math.floor(each / 250)]! += 1;
		for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
	});

	it('has the interval whose ends lie 1.96 standard deviations from the measured share', () => {
		for (const [killed, counted] of [
			[45, 50],
			[3, 150],
			[20, 20]
		] as const) {
			const { low, high } = wilson(killed, counted);
			for (const end of [low, high])
				expect(Math.abs(killed / counted - end)).toBeCloseTo(1.96 * Math.sqrt((end * (1 - end)) / counted), 6);
			expect(low).toBeLessThan(high);
		}
		expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
	});
});
