import { describe, expect, it } from 'vitest';
import { boundedExpression, globMatcher } from '#environment/search/bounded-pattern.ts';

describe('patterns a model made up', () => {
	it('are refused where they would be tried without end, and taken where not', () => {
		const refused = ['(a+)+$', '(a|a)*b', '(.*)*x', '([a-z]+)*!', '^(([a-z])+.)+[A-Z]', '((a+))+', '(a{1,}){2,}'];
		for (const source of refused) expect(() => boundedExpression(source, 'gm')).toThrow('without nesting');
		for (const source of ['(?:foo|bar)\\(', 'a+b*', '(\\w+)\\s\\1', '[(+]+', '\\(a+\\)+', '(import|export) .*'])
			expect(boundedExpression(source, 'gm')).toBeInstanceOf(RegExp);
		expect(() => globMatcher('*a*a*a*a*a*b')).toThrow('take too long');
		expect(globMatcher('src/**/*.test.{ts,js}')('src/a/b.test.ts')).toBe(true);
	});
});
