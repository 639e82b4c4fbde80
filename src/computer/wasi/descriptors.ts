import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { WireDirent } from '#computer/abi/syscalls.ts';

/** Standard stream, or a named pipe. Reads wait for data. */
export interface StandardStream {
	/** Reads the available bytes, up to `max`; empty at the end. */
	read(max: number): Uint8Array;
	write(bytes: Uint8Array): void;
	isTerminal(): boolean;
	/** Absent for the process's initial streams. */
	close?(): void;
}

export type Descriptor =
	| { kind: 'stream'; stream: StandardStream }
	| { kind: 'directory'; path: string; preopened: string | null; entries: WireDirent[] | null }
	| { kind: 'file'; path: string; position: number; append: boolean; reads: boolean; writes: boolean };

const FIRST_PREOPENED = 3;

/** A program's descriptors: 0 to 2, its preopened directories from 3 on, then those it opens. */
export class DescriptorTable {
	#table = new Map<number, Descriptor>();
	readonly #firstOpened: number;

	/**
	 * @param preopens the program's name of a directory → its absolute path
	 * @param isConfined whether a path may not lead out of the directory in which it is looked up
	 */
	constructor(
		streams: readonly StandardStream[],
		preopens: Readonly<Record<string, string>>,
		readonly isConfined = false
	) {
		for (const [number, stream] of streams.entries()) this.#table.set(number, { kind: 'stream', stream });
		const given = Object.entries(preopens);
		for (const [index, [name, path]] of given.entries()) {
			this.#table.set(FIRST_PREOPENED + index, { kind: 'directory', path, preopened: name, entries: null });
		}
		this.#firstOpened = FIRST_PREOPENED + given.length;
	}

	get(number: number): Descriptor | undefined {
		return this.#table.get(number);
	}

	add(descriptor: Descriptor): number {
		let number = this.#firstOpened;
		while (this.#table.has(number)) number++;
		this.#table.set(number, descriptor);
		return number;
	}

	close(number: number): boolean {
		const descriptor = this.#table.get(number);
		if (descriptor?.kind === 'stream') descriptor.stream.close?.();
		return this.#table.delete(number);
	}

	/** Moves descriptor `from` to the number `to`. */
	renumber(from: number, to: number): boolean {
		const descriptor = this.#table.get(from);
		if (!descriptor) return false;
		this.#table.set(to, descriptor);
		this.#table.delete(from);
		return true;
	}
}

/** Standard stream of the process. */
export function standardStream(calls: SyncSyscalls, number: number): StandardStream {
	return {
		read: (max) => calls.read(number, max),
		write: (bytes) => calls.write(number, bytes),
		isTerminal: () => calls.isTerminal(number)
	};
}

export const standardStreams = (calls: SyncSyscalls): StandardStream[] =>
	[0, 1, 2].map((number) => standardStream(calls, number));
