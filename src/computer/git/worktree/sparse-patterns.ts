import { dirname } from '#computer/abi/paths.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** Patterns of a sparse checkout, in the syntax of ignore files; matching files are checked out. */
export class SparsePatterns {
	readonly #rules = new IgnoreRules();

	constructor(text: string) {
		this.#rules.add('', text);
	}

	/**
	 * Returns whether a file is checked out: the last pattern that matches it decides, otherwise that of the nearest
	 * parent directory.
	 */
	has(path: string): boolean {
		let isDirectory = false;
		for (let part = path; part !== '.' && part !== '' && part !== '/'; part = dirname(part)) {
			const judged = this.#rules.judged(part, isDirectory);
			if (judged !== undefined) return judged;
			isDirectory = true;
		}
		return false;
	}
}
