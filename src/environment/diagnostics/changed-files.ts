import type { FileChange } from '../contract.ts';

/** If more files change at once (an install, a checkout), everything is read again. */
const MOST_CHANGED = 500;
/** Files that affect how others are read. */
const READ_ANEW = /\/(?:[jt]sconfig[^/]*\.json|package\.json|node_modules(?:\/.*)?)$|\/node_modules\//;

/** Files written since a checker was last asked. */
export class ChangedFiles {
	/** `null`: too many to list. */
	#paths: Set<string> | null = new Set();

	/** Adds a change of the write journal. */
	note({ path, to, kind }: FileChange): void {
		if (kind === 'mkdir' || kind === 'mode') return;
		for (const each of to === undefined ? [path] : [path, to]) {
			if (each.includes('/.git/')) continue;
			// For a moved or removed directory, the affected files are unknown.
			if (READ_ANEW.test(each) || (kind !== 'write' && !/\.\w+$/.test(each))) this.#paths = null;
			else this.#paths?.add(each);
		}
		if (this.#paths && this.#paths.size > MOST_CHANGED) this.#paths = null;
	}

	/** Returns the files and clears the list; `null`: everything has to be read again. */
	take(): string[] | null {
		const taken = this.#paths && [...this.#paths];
		this.#paths = new Set();
		return taken;
	}
}
