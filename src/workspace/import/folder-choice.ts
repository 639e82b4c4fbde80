import type { FolderSize } from '../contract.ts';

/** A folder with more than this part of what fits is told by its own folders instead. */
const LARGE_SHARE = 0.5;
const MAX_DEPTH = 4;

/** Adds up what a source holds, folder by folder, so that a person can choose a part of it. */
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

	/** @param fits bytes that can be imported at once */
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

/** Whether a file is part of a choice: below a chosen folder, or beside the way to one, as a `package.json` is. */
export function isChosen(path: string, folders: readonly string[] | undefined): boolean {
	if (folders === undefined) return true;
	const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
	if (folder === '') return true;
	return folders.some(
		(chosen) => folder === chosen || folder.startsWith(`${chosen}/`) || chosen.startsWith(`${folder}/`)
	);
}
