import { fromBase64 } from '#session/share/base64.ts';
import type { ShareBundle } from '#session/contract.ts';

/** A path of a share, and how the session changed it. */
export interface SharedPath {
	path: string;
	/** `brought`: changed relative to a base that is not part of the share; `same`: as in the baseline. */
	kind: 'added' | 'modified' | 'removed' | 'brought' | 'same';
}

/** Both versions of a path, as far as the share has them; otherwise `null`. */
export interface SharedSides {
	before: Uint8Array | null;
	after: Uint8Array | null;
}

/** All paths of a share: the changed ones first, each group sorted. */
export function sharedPaths(bundle: ShareBundle): { changed: SharedPath[]; same: SharedPath[] } {
	const paths = new Set([...Object.keys(bundle.files), ...Object.keys(bundle.before), ...bundle.removed]);
	const all = [...paths].sort().map((path): SharedPath => ({ path, kind: kindOf(bundle, path) }));
	return { changed: all.filter(({ kind }) => kind !== 'same'), same: all.filter(({ kind }) => kind === 'same') };
}

/** `null` if the share's content of this path cannot be read. */
export function sharedSides(bundle: ShareBundle, path: string): SharedSides | null {
	try {
		return { before: bytesOf(bundle.before, path), after: bytesOf(bundle.files, path) };
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
}

function kindOf(bundle: ShareBundle, path: string): SharedPath['kind'] {
	if (!Object.hasOwn(bundle.files, path)) return 'removed';
	if (bundle.base) return 'brought';
	if (!Object.hasOwn(bundle.before, path)) return 'same';
	return bundle.before[path] === null ? 'added' : 'modified';
}

function bytesOf(files: Record<string, { base64: string } | null>, path: string): Uint8Array | null {
	const file = Object.hasOwn(files, path) ? files[path] : null;
	return file ? fromBase64(file.base64) : null;
}
