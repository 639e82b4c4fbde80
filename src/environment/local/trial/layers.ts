import { accessSync, constants } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { getuid } from 'node:process';
import { EnvironmentError } from '../../errors.ts';
import { isCache } from '../../scratch-paths.ts';

/** Maximum overlays for one directory: each takes time to mount. */
const MAX_PARTS = 64;

const isBelow = (path: string, directory: string): boolean =>
	path === directory || path.startsWith(directory === sep ? sep : directory + sep);

/**
 * Directories that a trial covers: the roots, without the root of the file system, which the kernel does not let an
 * ordinary user overlay. Everything outside them is read-only.
 */
export function directoriesToCover(roots: readonly string[], workingDirectory: string): string[] {
	return [...roots.filter((root) => root !== sep || getuid?.() === 0), workingDirectory];
}

/** Directories that a trial overlays, and other mounts below them, outermost first. */
export interface LayerPlan {
	directories: string[];
	/** Other mounts in these directories, which an overlay does not show: read-only in a trial. */
	mounts: string[];
}

/**
 * Plans one overlay for each directory that is not inside another one on the same mount.
 *
 * @param directories real paths
 * @param mountPoints mount points of this machine
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

/**
 * Splits directories at the mounts below them, since the kernel does not let an ordinary user overlay a directory that
 * contains other mounts: each directory beside a mount gets its own overlay. Files beside the mounts are then
 * read-only, and so is a directory with too many parts.
 *
 * @throws EnvironmentError `EUNAVAILABLE` if nothing is left
 */
export async function splitAtMounts(
	directories: readonly string[],
	mountPoints: readonly string[]
): Promise<readonly string[]> {
	if (getuid?.() === 0) return directories;
	const parts = await Promise.all(directories.map((directory) => partsOf(directory, mountPoints)));
	const found = parts.filter(({ length }) => length <= MAX_PARTS).flat();
	if (found.length > 0 || directories.length === 0) return found;
	throw new EnvironmentError(
		'EUNAVAILABLE',
		`Other file systems are mounted below ${directories.join(' and ')}, so that no command can run on trial there. Unmount them, or work in a directory without mounts.`
	);
}

/** The directory itself, or its subdirectories beside mounts that this user may enter. */
async function partsOf(directory: string, mountPoints: readonly string[]): Promise<string[]> {
	if (!mountPoints.some((point) => point !== directory && isBelow(point, directory))) return [directory];
	const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
	const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(directory, name));
	const entered = below.filter((path) => !mountPoints.includes(path) && canEnter(path));
	return (await Promise.all(entered.map((path) => partsOf(path, mountPoints)))).flat();
}

function canEnter(directory: string): boolean {
	try {
		accessSync(directory, constants.R_OK | constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** Returns true if an overlay of one of these directories contains `path`; an overlay contains no other mounts. */
export function isCovered(path: string, directories: readonly string[], mountPoints: readonly string[]): boolean {
	const mount = mountOf(path, mountPoints);
	return directories.some((directory) => isBelow(path, directory) && mountOf(directory, mountPoints) === mount);
}

/** Mount points of this machine, as the kernel lists them. */
export async function readMountPoints(): Promise<string[]> {
	const rows = (await readFile('/proc/self/mountinfo', 'utf8')).split('\n');
	return rows.map((row) => unescaped(row.split(' ')[4] ?? '')).filter(Boolean);
}

/** Decodes white space and backslashes, which the kernel writes as octal numbers. */
const unescaped = (text: string): string =>
	text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function mountOf(path: string, mountPoints: readonly string[]): string {
	return mountPoints.filter((point) => isBelow(path, point)).reduce((a, b) => (b.length >= a.length ? b : a), '');
}

/** Decides which changes of a trial are effects; the others are scratch files, which are discarded with it. */
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
