import { diffArrays } from 'diff';
import { string } from '../../runtime/validate.ts';

type Part = [operation: -1 | 0 | 1, value: string];

/**
 * `util.diff`: elements of two lists, or characters of two texts; 1 only in the first, -1 only in the second, 0 in both.
 */
export function diff(actual: unknown, expected: unknown): Part[] {
	if (actual === expected) return [];
	return diffArrays(elements(actual, 'actual'), elements(expected, 'expected')).flatMap(({ value, removed, added }) =>
		value.map((element): Part => [removed ? 1 : added ? -1 : 0, element])
	);
}

function elements(value: unknown, name: string): string[] {
	if (Array.isArray(value)) {
		for (const [i, element] of value.entries()) string(element, `${name}[${i}]`);
		return value as string[];
	}
	string(value, name);
	return (value as string).split('');
}
