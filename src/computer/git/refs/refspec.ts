import { fatal } from '../errors.ts';
import { isObjectId } from '../objects/object-id.ts';
import { isRefName } from './ref-format.ts';

/** Mapping of references for a fetch or a push: `+refs/heads/*:refs/remotes/origin/*`. */
export interface Refspec {
	source: string;
	/** null if the text has no colon. */
	target: string | null;
	isForced: boolean;
	/** Excludes references: `^refs/heads/secret`. */
	isNegative: boolean;
}

/** Parses a refspec. */
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

/** Returns whether the wildcards of both sides match. */
function hasFittingStars({ source, target, isNegative }: Refspec, needsTarget: boolean): boolean {
	const isPattern = source.includes('*');
	if (isPattern && target === null) return isNegative || !needsTarget;
	return target === null || isPattern === target.includes('*') || (!isPattern && target === '');
}

const isSide = (name: string, isPattern: boolean): boolean => isRefName(name, { oneLevel: true, pattern: isPattern });

/** Parses a refspec for a fetch. @throws GitError if it is invalid */
export function fetchSpec(text: string): Refspec {
	const spec = parseRefspec(text);
	const { source, target, isNegative } = spec;
	const isPattern = source.includes('*');
	const isRight =
		hasFittingStars(spec, true) &&
		(isNegative
			? target === null && source !== '' && !isObjectId(source)
			: source === '' || source === '@' || isSide(source, isPattern)) &&
		(!isNegative || isSide(source, isPattern)) &&
		(target === null || target === '' || isSide(target, isPattern));
	if (!isRight) throw fatal(`invalid refspec '${text}'`);
	return spec;
}

/** Parses a refspec for a push. @throws GitError if it is invalid */
export function pushSpec(text: string): Refspec {
	const spec = parseRefspec(text);
	const { source, target, isNegative } = spec;
	if (source === '' && target === '' && !isNegative) return spec;
	const isPattern = source.includes('*');
	const isRight = isNegative
		? target === null && !isObjectId(source) && isSide(source, isPattern)
		: hasFittingStars(spec, false) &&
			(!isPattern || isSide(source, true)) &&
			(target === null ? source === '@' || isSide(source, isPattern) : isSide(target, isPattern));
	if (!isRight) throw fatal(`invalid refspec '${text}'`);
	return source === '@' ? { ...spec, source: 'HEAD' } : spec;
}

/**
 * The part of a name that the `*` of a pattern matches; '' for an equal name without `*`; null if it does not match.
 */
export function starOf(pattern: string, name: string): string | null {
	const star = pattern.indexOf('*');
	if (star < 0) return pattern === name ? '' : null;
	const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)];
	const fits = name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
	return fits ? name.slice(start.length, name.length - end.length) : null;
}

/** Returns whether a negative refspec excludes a name. */
export const isLeftOut = (specs: readonly Refspec[], name: string): boolean =>
	specs.some(({ isNegative, source }) => isNegative && starOf(source, name) !== null);

/** Name that a refspec maps a source reference to; null if it does not match. */
export function mappedName({ source, target, isNegative }: Refspec, name: string): string | null {
	const star = isNegative || target === null ? null : starOf(source, name);
	return star === null || target === null || target === '' ? null : target.replace('*', () => star);
}

/** Source reference that a refspec maps to a name; null if it does not match. */
export function sourceOf({ source, target, isNegative }: Refspec, name: string): string | null {
	const star = isNegative || target === null ? null : starOf(target, name);
	return star === null ? null : source.replace('*', () => star);
}

/** Name that the first matching refspec maps a reference to; null if none matches. */
export function targetOf(specs: readonly Refspec[], name: string): string | null {
	if (isLeftOut(specs, name)) return null;
	for (const spec of specs) {
		const target = mappedName(spec, name);
		if (target !== null) return target;
	}
	return null;
}
