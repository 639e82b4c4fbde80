import type { SyncSyscalls } from '#computer/abi/client.ts';
import { isSyscallError } from '../../runtime/errors.ts';

/** Lines typed at the prompt, in the file in which Node stores them, newest first. */
export class HistoryFile {
	constructor(
		private readonly sys: SyncSyscalls,
		private readonly path: string
	) {}

	/**
	 * Reads the lines, and creates the file.
	 * @returns null if the file cannot be used
	 */
	open(): string[] | null {
		try {
			const text = this.sys.statOrNull(this.path) ? new TextDecoder().decode(this.sys.readFile(this.path)) : '';
			const lines = text.split(/[\n\r]+/).filter((line) => line !== '');
			this.#write(lines);
			return lines;
		} catch (error) {
			if (!isSyscallError(error)) throw error;
			return null;
		}
	}

	/** Stores the lines. A volume that is full or was made read-only does not stop the user: they are still recalled. */
	keep(lines: readonly string[]): void {
		try {
			this.#write(lines);
		} catch (error) {
			if (!isSyscallError(error)) throw error;
		}
	}

	#write(lines: readonly string[]): void {
		this.sys.writeFile(this.path, new TextEncoder().encode(lines.join('\n')), { mode: 0o600 });
	}
}
