import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { BoundedText } from '#computer/host/bounded-text.ts';

describe('the text kept of a stream', () => {
	it('is whole up to its limit, else its first and last half with a count between', () => {
		fc.assert(
			fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 1, max: 60 }), (pieces, limit) => {
				const kept = new BoundedText(limit);
				for (const piece of pieces) kept.add(piece);
				const all = pieces.join('');
				const text = kept.toString();
				if (all.length <= limit) {
					expect(text).toBe(all);
					return;
				}
				const head = all.slice(0, Math.floor(limit / 2));
				expect(text.startsWith(`${head}\n[${all.length - limit} characters are left out here`)).toBe(true);
				expect(text.endsWith(`]\n${all.slice(all.length - (limit - head.length))}`)).toBe(true);
			})
		);
	});
});
