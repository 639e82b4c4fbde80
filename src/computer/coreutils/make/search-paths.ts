import { type Pattern, patternOf, stemOf } from './names.ts';

interface SearchPath {
	text: string;
	pattern: Pattern;
	directories: string[];
}

/** Directories in which files are searched: those of `vpath`, then those of `VPATH`. */
export class SearchPaths {
	#patterns: SearchPath[] = [];
	/** Directories of `VPATH`. */
	general: string[] = [];
	/** Directories of `GPATH`: a file found there keeps that name, rebuilt or not. */
	kept: string[] = [];

	/** `vpath [pattern [directories]]`. */
	set(pattern: string, directories: string): void {
		if (pattern === '') this.#patterns = [];
		else if (directories.trim() === '') this.#patterns = this.#patterns.filter(({ text }) => text !== pattern);
		else this.#patterns.push({ text: pattern, pattern: patternOf(pattern), directories: parts(directories) });
	}

	/** Names under which a file may be found elsewhere. */
	places(name: string): string[] {
		if (name.startsWith('/') || (this.#patterns.length === 0 && this.general.length === 0)) return [];
		const own = this.#patterns.filter(({ pattern }) => stemOf(pattern, name) !== null);
		return [...own.flatMap(({ directories }) => directories), ...this.general].map(
			(directory) => `${directory}/${name}`
		);
	}

	/** Directories without a file's name, for libraries. */
	directories(name: string): string[] {
		const own = this.#patterns.filter(({ pattern }) => stemOf(pattern, name) !== null);
		return [...own.flatMap(({ directories }) => directories), ...this.general];
	}
}

/** Directories of a list, which colons and blanks part. */
export const parts = (text: string): string[] =>
	text
		.split(/[:\s]+/)
		.filter((directory) => directory !== '' && directory !== '.')
		.map((directory) => directory.replace(/(.)\/+$/, '$1'));
