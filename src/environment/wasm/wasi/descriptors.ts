import type { WireDirent } from '../process/syscalls.ts';

export type Descriptor =
	| { kind: 'stream'; number: 0 | 1 | 2 }
	| { kind: 'directory'; path: string; preopened: string | null; entries: WireDirent[] | null }
	| { kind: 'file'; path: string; position: number; append: boolean; reads: boolean; writes: boolean };

/** A program's descriptors: 0 to 2, the working directory as `.`, the root as `/`, then what it opens. */
export class DescriptorTable {
	#table = new Map<number, Descriptor>();

	constructor(cwd: string) {
		for (const number of [0, 1, 2] as const) this.#table.set(number, { kind: 'stream', number });
		this.#table.set(3, { kind: 'directory', path: cwd, preopened: '.', entries: null });
		this.#table.set(4, { kind: 'directory', path: '/', preopened: '/', entries: null });
	}

	get(number: number): Descriptor | undefined {
		return this.#table.get(number);
	}

	add(descriptor: Descriptor): number {
		let number = 5;
		while (this.#table.has(number)) number++;
		this.#table.set(number, descriptor);
		return number;
	}

	close(number: number): boolean {
		return this.#table.delete(number);
	}

	/** Gives `from`'s meaning to `to`. */
	renumber(from: number, to: number): boolean {
		const descriptor = this.#table.get(from);
		if (!descriptor) return false;
		this.#table.set(to, descriptor);
		this.#table.delete(from);
		return true;
	}
}
