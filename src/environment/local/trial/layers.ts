import { readFile } from 'node:fs/promises';
import { sep } from 'node:path';

const isBelow = (path: string, directory: string): boolean =>
	path === directory || path.startsWith(directory === sep ? sep : directory + sep);

/** Directories a trial lays an overlay over, and what else is mounted below them, outer ones first. */
export interface LayerPlan {
	directories: string[];
	/** Other mounts in these directories, which an overlay does not show: read-only in a trial. */
	mounts: string[];
}

/**
 * One overlay for each directory that none of the others holds on the same mount.
 *
 * @param directories real paths
 * @param mountPoints of this machine
 */
export function planLayers(directories: readonly string[], mountPoints: readonly string[]): LayerPlan {
	const planned: string[] = [];
	for (const directory of [...new Set(directories)].sort()) {
		const mount = mountOf(directory, mountPoints);
		if (!planned.some((outer) => isBelow(directory, outer) && mountOf(outer, mountPoints) === mount))
			planned.push(directory);
	}
	const mounts = mountPoints.filter(
		(point) => !planned.includes(point) && planned.some((directory) => point !== directory && isBelow(point, directory))
	);
	return { directories: planned, mounts: [...new Set(mounts)].sort() };
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

/** Caches below the home and below any directory: rebuilt by whoever misses them. */
const HOME_CACHES = ['.cache', '.npm/_cacache', '.npm/_logs', '.npm/_npx', 'Library/Caches'];
const CACHES =
	/\/(?:node_modules\/\.(?:cache|vite|vite-temp|vitest)|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache)(?:\/|$)/;

/** Decides which changes of a trial are effects; the others are scratch files, which go with it. */
export class EffectScope {
	/**
	 * @param kept real paths below which changes count
	 * @param scratch real paths below which they do not, unless a longer one of the kept says so
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
		return !HOME_CACHES.some((cache) => isBelow(path, `${this.home}/${cache}`)) && !CACHES.test(path);
	}
}
