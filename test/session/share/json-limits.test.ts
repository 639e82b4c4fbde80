import { expect, it } from 'vitest';
import { ShareError } from '#session/share/errors.ts';
import { assertJsonWithinLimits } from '#session/share/json-limits.ts';

const outcome = (json: string, limits?: { values?: number; depth?: number }): string => {
	try {
		assertJsonWithinLimits(new TextEncoder().encode(json), limits);
		return 'within';
	} catch (error) {
		if (error instanceof ShareError) return `${error.code}: ${error.detail ?? ''}`;
		throw error;
	}
};

it('counts arrays, objects, members and elements, and not what strings contain', () => {
	const seen = (json: string) => {
		for (let values = 0; values < 50; values++) if (outcome(json, { values }) === 'within') return values;
		return -1;
	};
	expect(seen('1')).toBe(0);
	expect(seen('[1,2,3]')).toBe(3);
	expect(seen('{"a":1,"b":[2]}')).toBe(5);
	expect(seen('"[{,:,}]"')).toBe(0);
	expect(seen('["a\\",[,[",1]')).toBe(2);
	expect(seen('["\\\\",[1,2]]')).toBe(4);
	expect(outcome('[1,2,3]', { values: 2 })).toBe('too_complex: more than 2 values');
});

it('counts how deep it is nested, closed ones not', () => {
	expect(outcome('[[],[],{"a":{}}]', { depth: 3 })).toBe('within');
	expect(outcome('[[],[],{"a":{}}]', { depth: 2 })).toBe('too_complex: nested more than 2 deep');
	expect(outcome('[[[]]]', { depth: 2 })).toBe('too_complex: nested more than 2 deep');
	expect(outcome(`[${'[],'.repeat(500)}[]]`)).toBe('within');
	expect(outcome(`${'['.repeat(100)}${']'.repeat(100)}`)).toBe('within');
	expect(outcome('['.repeat(101))).toBe('too_complex: nested more than 100 deep');
	expect(outcome(`${'{"a":'.repeat(101)}1`)).toBe('too_complex: nested more than 100 deep');
});
