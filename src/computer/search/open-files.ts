import type { WireDirent } from '#computer/abi/syscalls.ts';

/** Object behind a descriptor of the program. */
export type Open =
	| { kind: 'stdin' }
	| { kind: 'output'; descriptor: 1 | 2 }
	| { kind: 'directory'; path: string; preopen?: string; entries?: readonly WireDirent[] }
	| { kind: 'file'; path: string; bytes: Uint8Array; position: number };

/** The program's descriptors: 0–2, the working directory as `.`, then what it opens. */
export class OpenTable {
	#table: (Open | undefined)[];

	constructor(cwd: string) {
		this.#table = [
			{ kind: 'stdin' },
			{ kind: 'output', descriptor: 1 },
			{ kind: 'output', descriptor: 2 },
			// Only the working directory, as `.`: if `/` was preopened as well, relative arguments would resolve from
			// `/`.
			{ kind: 'directory', path: cwd, preopen: '.' }
		];
	}

	get(descriptor: number): Open | undefined {
		return this.#table[descriptor];
	}

	add(open: Open): number {
		const free = this.#table.indexOf(undefined);
		const descriptor = free < 0 ? this.#table.length : free;
		this.#table[descriptor] = open;
		return descriptor;
	}

	close(descriptor: number): boolean {
		if (!this.#table[descriptor]) return false;
		this.#table[descriptor] = undefined;
		return true;
	}
}
