/** A row of a file tree. */
export interface TreeRow {
	path: string;
	name: string;
	depth: number;
	/** `null` for a file. */
	isOpen: boolean | null;
}

interface Folder {
	folders: Map<string, Folder>;
	files: string[];
}

/**
 * Arranges sorted paths as the rows of a tree, folders first.
 *
 * @param isOpen returns true if the contents of a folder are listed, by its path
 */
export function treeRows(paths: readonly string[], isOpen: (folder: string) => boolean): TreeRow[] {
	const root: Folder = { folders: new Map(), files: [] };
	for (const path of paths) {
		const names = path.split('/');
		let folder = root;
		for (const name of names.slice(0, -1)) {
			let next = folder.folders.get(name);
			if (!next) folder.folders.set(name, (next = { folders: new Map(), files: [] }));
			folder = next;
		}
		folder.files.push(names.at(-1) ?? '');
	}
	const rows: TreeRow[] = [];
	const list = (folder: Folder, at: string, depth: number): void => {
		for (const [name, inner] of [...folder.folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const path = `${at}${name}`;
			const open = isOpen(path);
			rows.push({ path, name, depth, isOpen: open });
			if (open) list(inner, `${path}/`, depth + 1);
		}
		for (const name of folder.files) rows.push({ path: `${at}${name}`, name, depth, isOpen: null });
	};
	list(root, '', 0);
	return rows;
}
