import type { SyncSyscalls } from '#computer/abi/client.ts';
import { decode, encode } from '#computer/process/text.ts';

const KEPT = 1000;

/** Entered lines, stored in a file across sessions. */
export class History {
	#lines: string[] = [];

	constructor(
		private readonly files: SyncSyscalls,
		private readonly path: string
	) {
		if (files.statOrNull(path)) this.#lines = decode(files.readFile(path)).split('\n').filter(Boolean).slice(-KEPT);
	}

	get lines(): readonly string[] {
		return this.#lines;
	}

	/** Adds a line; several lines become one entry, joined as in bash. */
	add(text: string): void {
		const line = text.trim().replace(/\n+/g, '; ');
		if (line === '' || text.startsWith(' ') || this.#lines.at(-1) === line) return;
		this.#lines.push(line);
		try {
			this.files.appendFile(this.path, encode(`${line}\n`), 0o600);
		} catch {
			// A full or read-only volume must not stop the user; the line is available until the shell ends.
		}
	}

	/** Index of the newest entry before `from` that contains `text`. */
	search(text: string, from: number): number {
		for (let index = Math.min(from, this.#lines.length) - 1; index >= 0; index--) {
			if (this.#lines[index]?.includes(text)) return index;
		}
		return -1;
	}
}
