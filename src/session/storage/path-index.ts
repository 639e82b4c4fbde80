/**
 * Index of a map's paths by the folders they are in: what is below a folder is found without a look at all others. An
 * installation of packages renames hundreds of folders among ten thousand files.
 */
export class PathIndex {
	/** Paths by the folder directly above them: those of the map, and folders on the way to them. */
	readonly #within = new Map<string, Set<string>>();

	/** @param entries the map whose keys are indexed; each change of its keys is followed by {@link add} or {@link remove} */
	constructor(private readonly entries: ReadonlyMap<string, unknown>) {}

	/** Adds a key that the map has now. */
	add(path: string): void {
		for (let child = path; child !== '';) {
			const folder = folderOf(child);
			const known = this.#within.get(folder);
			// Then the folder is linked to those above it.
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
