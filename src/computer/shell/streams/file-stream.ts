import type { SyncSyscalls } from '#computer/abi/client.ts';
import { BadDescriptor, type Stream } from './open-file.ts';

/** File of the volume opened by a redirection. Position and mode are stored here, in the shell. */
export class FileStream implements Stream {
	#position = 0;

	constructor(
		private readonly files: SyncSyscalls,
		/** Absolute path of the file. */
		readonly path: string,
		private readonly access: 'read' | 'write' | 'append' | 'both'
	) {}

	get isKnown(): boolean {
		return this.access === 'read';
	}

	async read(max: number): Promise<Uint8Array> {
		if (this.access === 'write' || this.access === 'append') throw new BadDescriptor();
		const bytes = this.files.readFile(this.path, this.#position, max);
		this.#position += bytes.length;
		return bytes;
	}

	write(bytes: Uint8Array): void {
		if (this.access === 'read') throw new BadDescriptor();
		if (bytes.length === 0) return;
		// Append, even after `>` has truncated the file: a child writing to it and the shell may take turns.
		if (this.access !== 'both') {
			this.files.appendFile(this.path, bytes);
			return;
		}
		this.files.writeAt(this.path, bytes, this.#position);
		this.#position += bytes.length;
	}

	openForChild(): number | null {
		return this.access === 'write' || this.access === 'append' ? this.files.openFile(this.path, 'append') : null;
	}

	close(): void {}
}
