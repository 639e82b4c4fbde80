/**
 * Type of an entry, as git writes it into a tree (https://git-scm.com/docs/git-fast-import#_filemodify): the
 * only modes in the journal, snapshots and shares. `commit` is a submodule, which only git's own trees contain.
 */
export const Mode = {
	directory: 0o40000,
	file: 0o100644,
	executable: 0o100755,
	symlink: 0o120000,
	commit: 0o160000
} as const;

/** The mode git keeps a file with: of its permissions only whether its owner may run it. */
export const fileMode = (permissions: number): number => (permissions & 0o100 ? Mode.executable : Mode.file);
