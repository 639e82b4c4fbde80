import { parted } from './names.ts';
import type { TargetFile } from './files.ts';
import type { MakeState } from './state.ts';

/** Time of a file that is newer than all others. */
export const NEWEST = Infinity;
/** Time of a file treated as old. */
export const OLDEST = -Infinity;

/** Modification times of files, including those found in search paths. */
export class Times {
	readonly #listed = new Map<string, Set<string>>();
	readonly impossible = new Set<string>();

	constructor(private readonly state: MakeState) {}

	/** Time of a file's last change; `null` if it is not found anywhere. */
	of(file: TargetFile): number | null {
		if (file.sameAs) return this.of(file.sameAs);
		if (file.time !== undefined) return file.time;
		const { machine } = this.state;
		let time = machine.modified(file.foundAt ?? file.name);
		if (time === null && !file.ignoresPaths) {
			const found = this.#elsewhere(file.name);
			if (found !== null) {
				const other = this.state.files.find(found);
				if (other && other !== file && other.isMentioned) {
					file.sameAs = other;
					return this.of(other);
				}
				time = other?.time ?? machine.modified(found);
				this.#found(file, found);
			}
		}
		file.time = time;
		return time;
	}

	/**
	 * Tells whether a file exists, here or in search paths, for the search of rules. That needs hundreds of names for
	 * each file, so a directory is listed only once: files that recipes create later are known by their rule or not at
	 * all, as in GNU make.
	 */
	exists(name: string): boolean {
		return this.#isListed(name) || this.#placesOf(name).some((place) => this.#isKnown(place) || this.#isListed(place));
	}

	#isListed(path: string): boolean {
		const [directory, file] = parted(path);
		if (file === '' || file === '.' || file === '..') return this.state.machine.isDirectory(path);
		let listed = this.#listed.get(directory);
		if (!listed) this.#listed.set(directory, (listed = new Set(this.state.machine.names(directory))));
		return listed.has(file);
	}

	#isKnown(place: string): boolean {
		return this.state.files.find(place)?.isTarget === true;
	}

	#found(file: TargetFile, found: string): void {
		const { paths, files } = this.state;
		const directory = parted(found.slice(0, found.length - file.name.length))[0].replace(/\/$/, '');
		file.foundAt = found;
		files.rename(file, found);
		if (paths.kept.includes(directory)) file.name = found;
	}

	#elsewhere(name: string): string | null {
		const { machine } = this.state;
		const isThere = (place: string): boolean => this.#isKnown(place) || machine.modified(place) !== null;
		return this.#placesOf(name).find(isThere) ?? null;
	}

	#placesOf(name: string): string[] {
		return name.startsWith('-l') ? this.#library(name.slice(2)) : this.state.paths.places(name);
	}

	/** Paths to try for `-lname`, by `.LIBPATTERNS`. */
	#library(name: string): string[] {
		const { globals, paths } = this.state;
		const patterns = (globals.find('.LIBPATTERNS')?.value ?? '')
			.split(/\s+/)
			.filter((pattern) => pattern.includes('%'));
		return patterns.flatMap((pattern) => {
			const file = pattern.replace('%', () => name);
			const here = ['/lib', '/usr/lib', '/usr/local/lib'];
			return [file, ...paths.directories(file).map((one) => `${one}/${file}`), ...here.map((one) => `${one}/${file}`)];
		});
	}
}
