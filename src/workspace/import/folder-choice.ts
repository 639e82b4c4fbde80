import type { FolderSize } from '../contract.ts';

/** A folder larger than this share of the limit is replaced by its subfolders. */
const LARGE_SHARE = 0.5;
const MAX_DEPTH = 4;

/** Adds up sizes by folder, so that users can choose a part of a source. */
export class FolderListing {
	#sums = new Map<string, FolderSize>();

	add(path: string, bytes: number): void {
		const parts = path.split('/').slice(0, -1);
		for (let depth = 1; depth <= Math.min(parts.length, MAX_DEPTH); depth++) {
			const folder = parts.slice(0, depth).join('/');
			const sum = this.#sums.get(folder) ?? { path: folder, files: 0, bytes: 0 };
			this.#sums.set(folder, { path: folder, files: sum.files + 1, bytes: sum.bytes + bytes });
		}
	}

	/**
	 * Lists the folders.
	 * @param fits bytes that can be imported at once
	 */
	list(fits: number): FolderSize[] {
		const below = (path: string): FolderSize[] => {
			const depth = path === '' ? 1 : path.split('/').length + 1;
			const start = path === '' ? '' : `${path}/`;
			const children = [...this.#sums.values()].filter(
				(folder) => folder.path.startsWith(start) && folder.path.split('/').length === depth
			);
			return children.flatMap((folder) => {
				const parts = folder.bytes > fits * LARGE_SHARE ? below(folder.path) : [];
				return parts.length > 0 ? parts : [folder];
			});
		};
		return below('').sort((a, b) => (a.path < b.path ? -1 : 1));
	}
}

/**
 * Checks whether a file is part of the selection: below a selected folder, or directly in one of its parents, like a
 * `package.json`.
 */
export function isChosen(path: string, folders: readonly string[] | undefined): boolean {
	if (folders === undefined) return true;
	const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	if (folder === '') return true;
	return folders.some(
		(chosen) => folder === chosen || folder.startsWith(`${chosen}/`) || chosen.startsWith(`${folder}/`)
	);
}
