import { type Pattern, patternOf, stemOf } from './names.ts';

interface SearchPath {
	text: string;
	pattern: Pattern;
	directories: string[];
}

/** Directories in which files are searched: those of matching `vpath`, then `VPATH`. */
export class SearchPaths {
	#patterns: SearchPath[] = [];
	/** Directories of `VPATH`. */
	general: string[] = [];
	/** Directories of `GPATH`: a file found there keeps its path even when rebuilt. */
	kept: string[] = [];

	/** `vpath [pattern [directories]]`. */
	set(pattern: string, directories: string): void {
		if (pattern === '') this.#patterns = [];
		else if (directories.trim() === '') this.#patterns = this.#patterns.filter(({ text }) => text !== pattern);
		else this.#patterns.push({ text: pattern, pattern: patternOf(pattern), directories: parts(directories) });
	}

	/** Paths at which a file may be found. */
	places(name: string): string[] {
		if (name.startsWith('/') || (this.#patterns.length === 0 && this.general.length === 0)) return [];
		const own = this.#patterns.filter(({ pattern }) => stemOf(pattern, name) !== null);
		return [...own.flatMap(({ directories }) => directories), ...this.general].map(
			(directory) => `${directory}/${name}`
		);
	}

	/** Directories to search for libraries. */
	directories(name: string): string[] {
		const own = this.#patterns.filter(({ pattern }) => stemOf(pattern, name) !== null);
		return [...own.flatMap(({ directories }) => directories), ...this.general];
	}
}

/** Splits a list of directories at colons and blanks. */
export const parts = (text: string): string[] =>
	text
		.split(/[:\s]+/)
		.filter((directory) => directory !== '' && directory !== '.')
		.map((directory) => directory.replace(/(.)\/+$/, '$1'));
