import { parted } from './names.ts';
import type { TargetFile } from './files.ts';
import type { MakeState } from './state.ts';

/** Time of a file that is newer than all others. */
export const NEWEST = Infinity;
/** Time of a file that counts as old. */
export const OLDEST = -Infinity;

/** Times of files, with those that are found elsewhere. */
export class Times {
	constructor(private readonly state: MakeState) {}

	/** Time of a file's last change; `null` where it is nowhere. */
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

	exists(name: string): boolean {
		if (this.state.machine.modified(name) !== null) return true;
		return this.#elsewhere(name) !== null;
	}

	#found(file: TargetFile, found: string): void {
		const { paths, files } = this.state;
		const directory = parted(found.slice(0, found.length - file.name.length))[0].replace(/\/$/, '');
		file.foundAt = found;
		files.rename(file, found);
		if (paths.kept.includes(directory)) file.name = found;
	}

	#elsewhere(name: string): string | null {
		const { machine, paths, files } = this.state;
		const places = name.startsWith('-l') ? this.#library(name.slice(2)) : paths.places(name);
		return places.find((place) => files.find(place)?.isTarget === true || machine.modified(place) !== null) ?? null;
	}

	/** Places of `-lname`, by `.LIBPATTERNS`. */
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
