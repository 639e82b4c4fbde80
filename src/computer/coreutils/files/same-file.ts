import type { WireStat } from '#computer/abi/syscalls.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';

/** Options that decide whether a file may be copied or moved onto itself. */
export interface Manner {
	moves: boolean;
	/** Links of the source are copied as links. */
	keepsLinks: boolean;
	hardLinks: boolean;
	symbolicLinks: boolean;
	backsUp: boolean;
	/** The destination is removed before writing. */
	removesFirst: boolean;
}

/** `lstat` of a path; null if nothing exists there. */
export function lstatOrNull(sync: SyncSyscalls, path: string): WireStat | null {
	try {
		return sync.lstat(path);
	} catch {
		// Nothing exists there, or the path goes through a file.
		return null;
	}
}

interface Side {
	path: string;
	/** Stat of the file, through links if the command follows them. */
	stat: WireStat;
	/** Stat of the name itself, which may be a link. */
	link: WireStat;
}

/**
 * Decides whether a source and a destination are the same file, like GNU's `same_file_ok`.
 *
 * @returns `different` to continue, `done` if nothing is left to do, `same` for an error
 */
export function compareFiles(
	sync: SyncSyscalls,
	source: Side,
	destination: Side,
	manner: Manner
): 'different' | 'done' | 'same' {
	const areSame = source.stat.inode === destination.stat.inode;
	if (areSame && manner.hardLinks) return 'done';
	const areBothLinks = source.link.kind === 'symlink' && destination.link.kind === 'symlink';
	const areSameLink = source.link.inode === destination.link.inode;
	const isSameName = isOneEntry(sync, source.path, destination.path);
	if (manner.keepsLinks) {
		if (areBothLinks) {
			if (isSameName) return 'same';
			if (manner.backsUp || !areSameLink) return 'different';
			return manner.moves ? 'same' : 'done';
		}
	} else {
		if (!areSame) return 'different';
		if (areBothLinks && manner.removesFirst) return 'different';
	}
	if (manner.backsUp) {
		if (areSameLink) return isSameName ? 'same' : 'different';
		const wouldLoseFile =
			!manner.moves && !manner.keepsLinks && source.link.kind === 'symlink' && destination.link.kind !== 'symlink';
		return wouldLoseFile ? 'same' : 'different';
	}
	if (manner.moves || manner.removesFirst) {
		if (destination.link.kind === 'symlink') return 'different';
		if (areSameLink && destination.link.links > 1 && !isSameName) return manner.moves ? 'same' : 'different';
	}
	if (source.link.kind !== 'symlink' && destination.link.kind !== 'symlink' && !areSameLink) return 'different';
	if (manner.symbolicLinks && destination.link.kind === 'symlink') return 'different';
	if (!manner.keepsLinks) return 'same';
	const [first, second] = [sync.statOrNull(source.path), sync.statOrNull(destination.path)];
	if (!first || !second || first.inode !== second.inode) return 'different';
	return manner.hardLinks ? (destination.link.kind === 'symlink' ? 'different' : 'done') : 'same';
}

/** Returns whether two paths are the same directory entry, even through links. */
export function isOneEntry(sync: SyncSyscalls, first: string, second: string): boolean {
	const split = (path: string) => {
		const at = path.lastIndexOf('/');
		return [path.slice(0, at) || '/', path.slice(at + 1)] as const;
	};
	const [[firstParent, firstName], [secondParent, secondName]] = [split(first), split(second)];
	if (firstName !== secondName) return false;
	return sync.statOrNull(firstParent)?.inode === sync.statOrNull(secondParent)?.inode;
}
