import { expect, it } from 'vitest';
import { joinReply, splitReply } from '#session/storage/reply-parts.ts';

it('sends what is long in parts, and everything arrives as it was', () => {
	const long = Array.from({ length: 2_500 }, (_, index) => ({ path: `f${index}` }));
	const map = new Map(long.map(({ path }, index) => [path, index]));
	for (const whole of [long, map, long.slice(0, 3), new Map([['a', 1]]), [], null, undefined, 'text']) {
		const { parts, rest } = structuredClone(splitReply(whole));
		expect(joinReply(parts.flat(), rest)).toEqual(whole);
		expect(Math.max(0, ...parts.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
	}
	const parts = [long, map, [], long.slice(0, 3), long.slice(0, 1_000), long.slice(0, 1_001)].map(
		(whole) => splitReply(whole).parts.length
	);
	expect(parts).toEqual([3, 3, 0, 0, 0, 2]);
	expect(splitReply(map).rest).toEqual(new Map());
});
