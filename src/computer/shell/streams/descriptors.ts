import { BadDescriptor, type OpenFile } from './open-file.ts';

/** Descriptor table of a shell. */
export class Descriptors {
	#table = new Map<number, OpenFile>();

	get(number: number): OpenFile | undefined {
		return this.#table.get(number);
	}

	/** @throws BadDescriptor */
	require(number: number): OpenFile {
		const file = this.#table.get(number);
		if (!file) throw new BadDescriptor(`${number}: Bad file descriptor`);
		return file;
	}

	/** Takes ownership of one reference of `file`. */
	set(number: number, file: OpenFile): void {
		const before = this.#table.get(number);
		this.#table.set(number, file);
		before?.release();
	}

	close(number: number): void {
		this.#table.get(number)?.release();
		this.#table.delete(number);
	}

	/** Open descriptors above the standard streams. */
	higher(): [number, OpenFile][] {
		return [...this.#table].filter(([number]) => number > 2);
	}

	/** Lowest free number starting at `from`. */
	free(from: number): number {
		let number = from;
		while (this.#table.has(number)) number++;
		return number;
	}

	/** Current files by number. */
	entries(): ReadonlyMap<number, OpenFile> {
		return new Map(this.#table);
	}

	/**
	 * Adopts what `exec` has opened or closed in a copy of this table, except for what the copy's own redirections had
	 * changed before.
	 *
	 * @param redirected files of the copy after its redirections
	 */
	adopt(copy: Descriptors, redirected: ReadonlyMap<number, OpenFile>): void {
		for (const number of new Set([...redirected.keys(), ...copy.#table.keys()])) {
			const file = copy.get(number);
			if (file === redirected.get(number) || redirected.get(number) !== this.get(number)) continue;
			if (file) this.set(number, file.retain());
			else this.close(number);
		}
	}

	fork(): Descriptors {
		const copy = new Descriptors();
		for (const [number, file] of this.#table) copy.#table.set(number, file.retain());
		return copy;
	}

	dispose(): void {
		for (const file of this.#table.values()) file.release();
		this.#table.clear();
	}
}
