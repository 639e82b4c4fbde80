import { REF_RULES } from './named-ref.ts';
import type { Refs } from './refs.ts';

/**
 * Shortest unambiguous name of a reference.
 *
 * @param isStrict no rule may find another reference, not only those with higher precedence; by
 * `core.warnAmbiguousRefs`
 */
export function shortRefName(refs: Refs, name: string, isStrict: boolean): string {
	// As in git, a remote's HEAD keeps its `/HEAD`.
	for (let at = REF_RULES.length - 2; at > 0; at--) {
		const before = REF_RULES[at]!.slice(0, -1);
		if (!name.startsWith(before) || name.length === before.length) continue;
		const short = name.slice(before.length);
		const others = REF_RULES.filter((_, i) => (isStrict ? i !== at : i < at));
		if (!others.some((rule) => refs.resolve(rule.replace('*', () => short)) !== null)) return short;
	}
	return name;
}
