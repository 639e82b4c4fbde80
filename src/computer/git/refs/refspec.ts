import { fatal } from '../errors.ts';
import { isRefName } from './ref-format.ts';

/** Mapping of references by a fetch or a push: `+refs/heads/*:refs/remotes/origin/*`. */
export interface Refspec {
	source: string;
	/** null where the text has no colon. */
	target: string | null;
	isForced: boolean;
	/** Names what is left out: `^refs/heads/secret`. */
	isNegative: boolean;
}

/** Reads a refspec. */
export function parseRefspec(text: string): Refspec {
	const isForced = text.startsWith('+');
	const isNegative = text.startsWith('^');
	const body = isForced || isNegative ? text.slice(1) : text;
	const colon = body.lastIndexOf(':');
	return {
		source: colon < 0 ? body : body.slice(0, colon),
		target: colon < 0 ? null : body.slice(colon + 1),
		isForced,
		isNegative
	};
}

const ID = /^[0-9a-f]{40}$/;

/** Tells whether the stars of both sides go together. */
function hasFittingStars({ source, target, isNegative }: Refspec, needsTarget: boolean): boolean {
	const isPattern = source.includes('*');
	if (isPattern && target === null) return isNegative || !needsTarget;
	return target === null || isPattern === target.includes('*') || (!isPattern && target === '');
}

const isSide = (name: string, isPattern: boolean): boolean => isRefName(name, { oneLevel: true, pattern: isPattern });

/** Reads a refspec of a fetch. @throws GitError for one that cannot be meant */
export function fetchSpec(text: string): Refspec {
	const spec = parseRefspec(text);
	const { source, target, isNegative } = spec;
	const isPattern = source.includes('*');
	const isRight =
		hasFittingStars(spec, true) &&
		(isNegative
			? target === null && source !== '' && !ID.test(source)
			: source === '' || source === '@' || isSide(source, isPattern)) &&
		(!isNegative || isSide(source, isPattern)) &&
		(target === null || target === '' || isSide(target, isPattern));
	if (!isRight) throw fatal(`invalid refspec '${text}'`);
	return spec;
}

/** Reads a refspec of a push. @throws GitError for one that cannot be meant */
export function pushSpec(text: string): Refspec {
	const spec = parseRefspec(text);
	const { source, target, isNegative } = spec;
	if (source === '' && target === '' && !isNegative) return spec;
	const isPattern = source.includes('*');
	const isRight = isNegative
		? target === null && !ID.test(source) && isSide(source, isPattern)
		: hasFittingStars(spec, false) &&
			(!isPattern || isSide(source, true)) &&
			(target === null ? source === '@' || isSide(source, isPattern) : isSide(target, isPattern));
	if (!isRight) throw fatal(`invalid refspec '${text}'`);
	return source === '@' ? { ...spec, source: 'HEAD' } : spec;
}

/** The part of a name that the star of a pattern stands for; '' for an equal name without one; null for no match. */
export function starOf(pattern: string, name: string): string | null {
	const star = pattern.indexOf('*');
	if (star < 0) return pattern === name ? '' : null;
	const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
	const fits = name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
	return fits ? name.slice(start.length, name.length - end.length) : null;
}

/** Tells whether refspecs leave a name out. */
export const isLeftOut = (specs: readonly Refspec[], name: string): boolean =>
	specs.some(({ isNegative, source }) => isNegative && starOf(source, name) !== null);

/** Name that a refspec gives a reference on the receiving side; null if it does not map it. */
export function mappedName({ source, target, isNegative }: Refspec, name: string): string | null {
	const star = isNegative || target === null ? null : starOf(source, name);
	return star === null || target === null || target === '' ? null : target.replace('*', () => star);
}

/** The reference that a refspec maps to a name; null if it is not of it. */
export function sourceOf({ source, target, isNegative }: Refspec, name: string): string | null {
	const star = isNegative || target === null ? null : starOf(target, name);
	return star === null ? null : source.replace('*', () => star);
}

/** Name that the first refspec that maps a reference gives it; null for none. */
export function targetOf(specs: readonly Refspec[], name: string): string | null {
	if (isLeftOut(specs, name)) return null;
	for (const spec of specs) {
		const target = mappedName(spec, name);
		if (target !== null) return target;
	}
	return null;
}
