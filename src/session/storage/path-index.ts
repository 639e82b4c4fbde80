/**
 * Index of a map's paths by folder: finds the paths below a folder without scanning all others. Installing packages
 * renames hundreds of folders among ten thousand files.
 */
export class PathIndex {
	/** Children by parent folder: keys of the map, and folders that lead to them. */
	readonly #within = new Map<string, Set<string>>();

	/**
	 * @param entries the map whose keys are indexed; call {@link add} or {@link remove} after each change of its keys
	 */
	constructor(private readonly entries: ReadonlyMap<string, unknown>) {}

	/** Adds a key that is now in the map. */
	add(path: string): void {
		for (let child = path; child !== '';) {
			const folder = folderOf(child);
			const known = this.#within.get(folder);
			// A known folder is already linked to its parents.
			if (known) return void known.add(child);
			this.#within.set(folder, new Set([child]));
			child = folder;
		}
	}

	/** Removes a key that the map no longer has, and the folders that only led to it. */
	remove(path: string): void {
		for (let child = path; child !== '' && !this.entries.has(child) && !this.#within.has(child);) {
			const folder = folderOf(child);
			const known = this.#within.get(folder);
			known?.delete(child);
			if (known?.size === 0) this.#within.delete(folder);
			child = folder;
		}
	}

	/** Returns the map's keys at and below a path. */
	below(path: string): string[] {
		const found: string[] = [];
		const visit = (at: string): void => {
			if (this.entries.has(at)) found.push(at);
			for (const child of this.#within.get(at) ?? []) visit(child);
		};
		visit(path);
		return found;
	}
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
