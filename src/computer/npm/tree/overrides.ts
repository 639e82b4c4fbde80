import type { OverrideRule, Selector } from './override-rule.ts';
import intersects from 'semver/ranges/intersects.js';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { splitName } from '../registry/spec.ts';

/** @param direct the project's own dependencies, referenced by `$name` */
export function readOverrides(
	overrides: unknown,
	direct: Record<string, string>,
	chain: Selector[] = []
): OverrideRule[] {
	if (typeof overrides !== 'object' || overrides === null) return [];
	return Object.entries(overrides).flatMap(([key, value]): OverrideRule[] => {
		const own = key === '.' ? chain : [...chain, splitName(key)];
		if (typeof value === 'string') {
			const spec = value.startsWith('$') ? (direct[value.slice(1)] ?? value) : value;
			return [{ chain: own, spec: spec === '' ? '*' : spec }];
		}
		return readOverrides(value, direct, own);
	});
}

/** Returns the range that replaces `range`. */
export function overridden(rules: OverrideRule[], name: string, range: string): string {
	const applies = ({ chain: [selector, ...rest] }: OverrideRule) =>
		selector !== undefined &&
		rest.length === 0 &&
		selector.name === name &&
		(selector.range === '' ||
			(validRange(range) !== null && validRange(selector.range) !== null && intersects(selector.range, range)));
	return rules.find(applies)?.spec ?? range;
}

/** Returns the rules that apply below a package. */
export function rulesBelow(rules: OverrideRule[], name: string, version: string): OverrideRule[] {
	const advanced = rules.flatMap(({ chain: [selector, ...rest], spec }) =>
		rest.length > 0 && selector?.name === name && (selector.range === '' || satisfies(version, selector.range))
			? [{ chain: rest, spec }]
			: []
	);
	return [...advanced, ...rules];
}
