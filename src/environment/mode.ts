/**
 * Types of entries as git writes them to a tree (https://git-scm.com/docs/git-fast-import#_filemodify): the only modes
 * in the journal, snapshots and shares. `commit` is a submodule, which only git's own trees contain.
 */
export const Mode = {
	directory: 0o40000,
	file: 0o100644,
	executable: 0o100755,
	symlink: 0o120000,
	commit: 0o160000
} as const;

/** Mode that git stores for a file: of its permissions, only whether its owner may execute it. */
export const fileMode = (permissions: number): number => (permissions & 0o100 ? Mode.executable : Mode.file);
