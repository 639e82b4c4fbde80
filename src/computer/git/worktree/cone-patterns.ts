import { comparePaths } from '../bytes.ts';

/** Characters that patterns escape with a backslash. */
const SPECIAL = /[*?[\\]/;

/** Thrown for a pattern that does not select directories; the message is git's warning. */
class NotCone extends Error {
	override readonly name = 'NotCone';
}

/**
 * Patterns of a sparse checkout in cone mode: whole directories, and for each of their parent directories the files
 * directly inside. Directories start with a slash.
 */
export class ConePatterns {
	readonly #recursive = new Set<string>();
	readonly #parents = new Set<string>();
	/** All paths match. */
	#isFull = false;

	/** Parses a file of patterns; returns null after a warning if it is not in cone mode. */
	static parse(text: string, warn: (text: string) => void): ConePatterns | null {
		const cone = new ConePatterns();
		try {
			for (const line of patternLines(text)) cone.#read(line);
			return cone;
		} catch (error) {
			if (!(error instanceof NotCone)) throw error;
			warn(error.message);
			warn('disabling cone pattern matching');
			return null;
		}
	}

	#read(line: string): void {
		const isNegative = line.startsWith('!');
		const plain = isNegative ? line.slice(1) : line;
		const isDirectory = plain.endsWith('/');
		const pattern = isDirectory ? plain.slice(0, -1) : plain;
		if (isNegative && isDirectory && pattern === '/*') this.#isFull = false;
		else if (line === '/*') this.#isFull = true;
		else {
			requireConePattern(pattern, isDirectory);
			if (pattern.endsWith('/*') && pattern.length > 2) this.#limit(pattern, isNegative);
			else if (isNegative) throw new NotCone(`unrecognized negative pattern: '${pattern}'`);
			else this.#include(unescaped(pattern).replace(/(.)\/\*$/s, '$1'), pattern);
		}
	}

	/** Reads a pattern that excludes the directories below a directory. */
	#limit(pattern: string, isNegative: boolean): void {
		if (!isNegative) throw new NotCone(`unrecognized pattern: '${pattern}'`);
		const directory = unescaped(pattern.slice(0, -2));
		if (!this.#recursive.delete(directory)) throw new NotCone(`unrecognized negative pattern: '${pattern}'`);
		this.#parents.add(directory);
	}

	#include(directory: string, pattern: string): void {
		if (this.#parents.has(directory))
			throw new NotCone(`your sparse-checkout file may have issues: pattern '${pattern}' is repeated`);
		this.#recursive.add(directory);
	}

	/** Includes a directory with everything below it, and the files of its parent directories. */
	add(directory: string): void {
		const path = directory.startsWith('/') ? directory : `/${directory}`;
		this.#recursive.add(path);
		for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
			this.#parents.add(path.slice(0, end));
	}

	/** Includes the directories of other patterns. */
	addAll(other: ConePatterns): void {
		for (const directory of other.#recursive) if (!this.#isBelow(directory)) this.add(directory);
	}

	/** Returns whether a file, or a directory (with a slash at its end), is checked out. */
	has(path: string): boolean {
		if (this.#isFull) return true;
		const full = `/${path}`;
		const parent = full.slice(0, full.lastIndexOf('/'));
		if (parent === '' || this.#recursive.has(full) || this.#parents.has(parent)) return true;
		return this.#recursive.has(parent) || this.#isBelow(parent);
	}

	/** Returns whether a parent of a directory is included as a whole. */
	#isBelow(directory: string): boolean {
		for (let end = directory.lastIndexOf('/'); end > 0; end = directory.lastIndexOf('/', end - 1))
			if (this.#recursive.has(directory.slice(0, end))) return true;
		return false;
	}

	/** Directories that are included as a whole, without the leading slash. */
	directories(): string[] {
		return [...this.#recursive].map((directory) => directory.slice(1)).sort(comparePaths);
	}

	/** Lines as they are stored. */
	lines(): string[] {
		const top = (directories: Iterable<string>) =>
			[...directories].filter((directory) => !this.#isBelow(directory)).sort(comparePaths);
		const parents = top(this.#parents).filter((directory) => !this.#recursive.has(directory));
		return [
			...ROOT_ONLY,
			...parents.flatMap((directory) => [`${escaped(directory)}/`, `!${escaped(directory)}/*/`]),
			...top(this.#recursive).map((directory) => `${escaped(directory)}/`)
		];
	}
}

/** Patterns that select the files at the top only. */
export const ROOT_ONLY: readonly string[] = ['/*', '!/*/'];

/** Patterns of a file, without comments and empty lines. */
export const patternLines = (text: string): string[] =>
	text
		.split('\n')
		.map((line) => line.replace(/\r$/, '').replace(/(?<!\\) +$/, ''))
		.filter((line) => line !== '' && !line.startsWith('#'));

/** @throws NotCone unless the pattern selects one directory */
function requireConePattern(pattern: string, isDirectory: boolean): void {
	const unrecognized = new NotCone(`unrecognized pattern: '${pattern}'`);
	if (pattern.length < 2 || !pattern.startsWith('/') || pattern.includes('**') || !isDirectory) throw unrecognized;
	for (let at = 1; at < pattern.length; at++) {
		const letter = pattern[at]!;
		if (!SPECIAL.test(letter) || pattern[at - 1] === '\\') continue;
		const isEscape = letter === '\\' && SPECIAL.test(pattern[at + 1] ?? '');
		const isLast = letter === '*' && pattern[at - 1] === '/' && at === pattern.length - 1;
		if (!isEscape && !isLast) throw unrecognized;
	}
}

const unescaped = (pattern: string): string => pattern.replace(/\\(.)/gs, '$1');
const escaped = (directory: string): string => directory.replace(/[*?[\\]/g, '\\$&');
