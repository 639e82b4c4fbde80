import { fileMode, Mode } from '../mode.ts';
/** Identifies a state of a file without reading it. */
export interface TreeEntry {
	kind: 'file' | 'directory' | 'symlink';
	/** Permission bits. */
	mode: number;
	size: number;
	inode: bigint;
	modifiedNs: bigint;
	/** Changes whenever content, mode or name does; programs cannot reset it. */
	changedNs: bigint;
	/** A large ignored directory, whose contents are not listed. */
	isLeftOut?: true;
}

/** The mode as git writes it: `0o100644`, `0o100755`, `0o120000`, `0o40000`. */
export function gitMode(entry: Pick<TreeEntry, 'kind' | 'mode'>): number {
	if (entry.kind === 'directory') return Mode.directory;
	if (entry.kind === 'symlink') return Mode.symlink;
	return fileMode(entry.mode);
}
