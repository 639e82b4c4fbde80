import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';
import { getuid } from 'node:process';
import { isCache } from '../../scratch-paths.ts';

const isBelow = (path: string, directory: string): boolean =>
	path === directory || path.startsWith(directory === sep ? sep : directory + sep);

/**
 * Directories that a trial covers: the roots, without the root of the file system, for which the kernel gives
 * an ordinary user no overlay. Without another home, everything outside the rest is read-only.
 */
export function directoriesToCover(roots: readonly string[], workingDirectory: string): string[] {
	return [...roots.filter((root) => root !== sep || getuid?.() === 0), workingDirectory];
}

/** Directories a trial lays an overlay over, and what else is mounted below them, outer ones first. */
export interface LayerPlan {
	directories: string[];
	/** Other mounts in these directories, which an overlay does not show: read-only in a trial. */
	mounts: string[];
}

/**
 * Plans one overlay for each directory that is not inside another one on the same mount.
 *
 * @param directories real paths
 * @param mountPoints of this machine
 */
export function planLayers(directories: readonly string[], mountPoints: readonly string[]): LayerPlan {
	const planned: string[] = [];
	for (const directory of [...new Set(directories)].sort()) {
		if (!isCovered(directory, planned, mountPoints)) planned.push(directory);
	}
	const mounts = mountPoints.filter(
		(point) => !planned.includes(point) && planned.some((directory) => point !== directory && isBelow(point, directory))
	);
	return { directories: planned, mounts: [...new Set(mounts)].sort() };
}

/** Returns true if an overlay of one of these directories contains `path`; it contains no other mount. */
export function isCovered(path: string, directories: readonly string[], mountPoints: readonly string[]): boolean {
	const mount = mountOf(path, mountPoints);
	return directories.some((directory) => isBelow(path, directory) && mountOf(directory, mountPoints) === mount);
}

/** Mount points of this machine, as the kernel lists them. */
export async function readMountPoints(): Promise<string[]> {
	const rows = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
	return rows.map((row) => unescaped(row.split(' ')[4] ?? '')).filter(Boolean);
}

/** The kernel writes white space and backslashes as octal numbers. */
const unescaped = (text: string): string =>
	text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function mountOf(path: string, mountPoints: readonly string[]): string {
	return mountPoints.filter((point) => isBelow(path, point)).reduce((a, b) => (b.length >= a.length ? b : a), '');
}

/** Decides which changes of a trial are effects; the others are scratch files, which go with it. */
export class EffectScope {
	/**
	 * @param kept real paths below which changes count
	 * @param scratch real paths below which they do not, unless a longer path of `kept` matches
	 */
	constructor(
		private readonly kept: readonly string[],
		private readonly scratch: readonly string[],
		private readonly home: string
	) {}

	has(path: string): boolean {
		const longest = (places: readonly string[]): number =>
			Math.max(-1, ...places.filter((place) => isBelow(path, place)).map(({ length }) => length));
		const kept = longest(this.kept);
		if (kept < 0 || longest(this.scratch) > kept) return false;
		return !isCache(path, this.home);
	}
}
