import type { Refs } from './refs.ts';

/** Rules by which short names stand for references, the one that counts most first. */
const RULES: readonly (readonly [before: string, after: string])[] = [
	['', ''],
	['refs/', ''],
	['refs/tags/', ''],
	['refs/heads/', ''],
	['refs/remotes/', ''],
	['refs/remotes/', '/HEAD']
];

/**
 * The shortest name that stands for a reference and for no other.
 *
 * @param isStrict no rule may find another reference, not only those that count more; by `core.warnAmbiguousRefs`
 */
export function shortRefName(refs: Refs, name: string, isStrict: boolean): string {
	// As in git, a remote's HEAD keeps its own name.
	for (let at = RULES.length - 2; at > 0; at--) {
		const [before] = RULES[at]!;
		if (!name.startsWith(before) || name.length === before.length) continue;
		const short = name.slice(before.length);
		const others = RULES.filter((_, i) => (isStrict ? i !== at : i < at));
		if (!others.some(([start, end]) => refs.resolve(`${start}${short}${end}`) !== null)) return short;
	}
	return name;
}
