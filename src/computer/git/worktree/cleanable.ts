import { comparePaths } from '../bytes.ts';
import type { Repository } from '../repository.ts';
import type { Pathspec } from './pathspec.ts';
import type { Scan } from './scan.ts';

/** Selects the untracked paths that `git clean` removes. */
export interface Cleaning {
	/** Only ignored paths (`-X`). */
	ignoredOnly: boolean;
	/** Also whole directories, and the contents of untracked ones. */
	directories: boolean;
	/** Also nested repositories. */
	repositories: boolean;
}

/** Untracked paths, sorted; a directory that is removed as a whole is one path with a trailing slash. */
export function cleanablePaths(repository: Repository, scan: Scan, pathspec: Pathspec, how: Cleaning): string[] {
	const { found } = new CleaningWalk(repository, scan, pathspec, how).below('');
	return found.filter((path) => how.directories || !path.endsWith('/')).sort(comparePaths);
}

interface Found {
	found: string[];
	/** Set if something in the directory is kept. */
	stays: boolean;
}

class CleaningWalk {
	readonly #tracked: ReadonlySet<string>;
	readonly #holdsTracked = new Set<string>();
	readonly #ignored: ReadonlySet<string>;
	readonly #nested: ReadonlySet<string>;
	readonly #children = new Map<string, string[]>();

	constructor(
		{ index }: Repository,
		scan: Scan,
		private readonly pathspec: Pathspec,
		private readonly how: Cleaning
	) {
		this.#tracked = new Set(index.entries().map(({ path }) => path));
		for (const path of this.#tracked) {
			for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
				this.#holdsTracked.add(path.slice(0, end + 1));
		}
		this.#ignored = new Set(scan.ignored);
		this.#nested = new Set(scan.nested);
		for (const path of [...scan.files.keys(), ...scan.directories]) {
			const parent = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
			const children = this.#children.get(parent);
			if (children) children.push(path);
			else this.#children.set(parent, [path]);
		}
	}

	/**
	 * @param directory with a slash at its end; empty for the top
	 * @param isIgnored the directory is ignored, and thus its contents
	 */
	below(directory: string, isIgnored = false): Found {
		const all: Found = { found: [], stays: false };
		for (const path of this.#children.get(directory) ?? []) {
			const { found, stays } = path.endsWith('/') ? this.#directory(path, isIgnored) : this.#file(path, isIgnored);
			all.found.push(...found);
			all.stays ||= stays;
		}
		return all;
	}

	#file(path: string, inIgnored: boolean): Found {
		const isIgnored = inIgnored || this.#ignored.has(path);
		const isWanted = !this.#tracked.has(path) && isIgnored === this.how.ignoredOnly;
		return isWanted && this.pathspec.matches(path) ? { found: [path], stays: false } : { found: [], stays: true };
	}

	#directory(path: string, inIgnored: boolean): Found {
		const stays: Found = { found: [], stays: true };
		const name = path.slice(0, -1);
		if (this.#tracked.has(name)) return stays;
		const isRepository = this.#nested.has(path);
		// Removing a directory above skips it.
		if (isRepository && !this.how.repositories) return { found: [], stays: this.how.ignoredOnly };
		const isIgnored = inIgnored || this.#ignored.has(path);
		const isWhole = this.pathspec.matches(name);
		if (this.#holdsTracked.has(path)) return { ...this.below(path, isIgnored), stays: true };
		if (isRepository || isIgnored)
			return isWhole && isIgnored === this.how.ignoredOnly ? { found: [path], stays: false } : stays;
		if (!this.how.directories && !this.how.ignoredOnly) return stays;
		const below = this.below(path);
		const isEmpty = this.how.ignoredOnly && below.found.length === 0;
		return below.stays || !isWhole || isEmpty ? { ...below, stays: true } : { found: [path], stays: false };
	}
}
