import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failure, isMissing } from './paths.mjs';

/** Describes a file for the page; large numbers as text. */
function toEntry(stats) {
	const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : null;
	if (!kind) return undefined;
	return {
		kind,
		mode: Number(stats.mode & 0o777n),
		size: Number(stats.size),
		inode: String(stats.ino),
		modifiedNs: String(stats.mtimeNs),
		changedNs: String(stats.ctimeNs)
	};
}

/** Entry at the path itself, without following a link; `undefined` if there is none. */
export async function entryAt(path) {
	try {
		return toEntry(await lstat(path, { bigint: true }));
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

/** @throws like `lstat`, and `EINVAL` for a device or socket */
export async function entryOf(path) {
	const entry = toEntry(await lstat(path, { bigint: true }));
	if (!entry) throw failure('EINVAL', path);
	return entry;
}

/**
 * Lists everything below a directory down to the depth, as pairs of relative path and entry, parents before children.
 */
export async function walk(root, depth = Infinity) {
	const found = [];
	const visit = async (directory, left) => {
		const names = await readdir(join(root, directory)).catch((error) => {
			// A directory may be removed during the walk, and an unreadable one has no known content.
			if (directory !== '' && (isMissing(error) || error.code === 'EACCES')) return [];
			throw error;
		});
		const entries = await Promise.all(names.sort().map((name) => entryAt(join(root, directory, name))));
		for (const [index, name] of names.entries()) {
			const entry = entries[index];
			if (!entry) continue;
			const path = directory === '' ? name : `${directory}/${name}`;
			found.push([path, entry]);
			if (entry.kind === 'directory' && left > 1) await visit(path, left - 1);
		}
	};
	await visit('', depth);
	return found;
}

/** A path and its parents up to the file system's root, as pairs of absolute path and entry. */
export async function withParents(path) {
	const found = [];
	for (let place = path; place !== '/'; place = dirname(place)) {
		const entry = await entryAt(place);
		if (entry) found.push([place, entry]);
	}
	return found;
}
