import { dirname } from '#computer/abi/paths.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** Patterns of a sparse checkout, written like those of ignored files: what fits is checked out. */
export class SparsePatterns {
	readonly #rules = new IgnoreRules();

	constructor(text: string) {
		this.#rules.add('', text);
	}

	/** Tells whether a file is checked out: by the last pattern that fits it, or the nearest directory that one fits. */
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
