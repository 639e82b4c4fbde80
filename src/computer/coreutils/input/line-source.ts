import type { Call } from '#computer/shell/state/host.ts';
import { open } from '#computer/shell/execution/redirections.ts';
import { unopened } from './each-input.ts';
import type { OpenFile } from '#computer/shell/streams/open-file.ts';
import { concat, decode } from '#computer/process/text.ts';

/** A line of input, without its line end; `ended` is set if it had one. */
export interface Line {
	text: string;
	ended: boolean;
}

/** Lines of the files given to a filter (`-` and none: stdin), read only on demand. */
export class LineSource {
	/** Name, as given, of the file that the last line came from. */
	fileName = '-';
	/** Number of the last line in its file. */
	fileLine = 0;
	/** 1 once a file could not be read. */
	status = 0;
	/** Called before waiting for input: pending output should be flushed. */
	beforeWaiting: () => Promise<void> = async () => {};
	#lines: Line[] = [];
	#at = 0;
	#rest: Uint8Array[] = [];
	#file: OpenFile | null = null;
	#owned = false;
	#name = '-';
	#names: string[];
	/** Number of files opened. */
	opened = 0;
	#queued: string[] = [];

	constructor(
		private readonly call: Call,
		names: readonly string[],
		private readonly delimiter = 10,
		/** Bytes requested per read; with 1, what follows a line is left to the next reader. */
		private readonly readBytes = 65_536
	) {
		this.#names = names.length ? [...names] : ['-'];
	}

	/** Returns the next line of any file; null after the last. */
	async next(): Promise<Line | null> {
		if (this.#at >= this.#lines.length && !(await this.#fill())) return null;
		return this.buffered();
	}

	/** Returns the next line if it was read already; null if it has to be waited for. */
	buffered(): Line | null {
		if (this.#at >= this.#lines.length) return null;
		const line = this.#lines[this.#at++] ?? null;
		const name = this.#queued[0];
		if (name !== undefined && this.#at === 1) {
			this.#queued.shift();
			this.fileName = name;
			this.fileLine = 0;
		}
		this.fileLine++;
		return line;
	}

	/** Returns true if `next` would return null; with `ofFile`, also if its line would come from another file. */
	async atEnd(ofFile = false): Promise<boolean> {
		if (this.#at < this.#lines.length) return false;
		const more = await this.#fill();
		return !more || (ofFile && this.#queued.length > 0);
	}

	/**
	 * Returns the lines available without waiting, at least one unless at the end: for filters that process many at
	 * once.
	 */
	async batch(): Promise<Line[]> {
		if (this.#at >= this.#lines.length && !(await this.#fill())) return [];
		const lines = this.#at === 0 ? this.#lines : this.#lines.slice(this.#at);
		this.#at = this.#lines.length;
		return lines;
	}

	/** Stops reading. */
	close(): void {
		if (this.#owned) this.#file?.release();
		this.#file = null;
		this.#names = [];
	}

	async #fill(): Promise<boolean> {
		for (;;) {
			if (!this.#file && !this.#openNext()) return false;
			const file = this.#file;
			if (!file) return false;
			await this.beforeWaiting();
			const bytes = await this.call.shell.control.race(file.read(this.readBytes));
			if (bytes.length === 0) {
				if (this.#owned) file.release();
				this.#file = null;
				if (this.#rest.length === 0) continue;
				this.#take([{ text: decode(concat(this.#rest.splice(0))), ended: false }]);
				return true;
			}
			const end = bytes.lastIndexOf(this.delimiter);
			if (end < 0) {
				this.#rest.push(bytes.slice());
				continue;
			}
			const whole = concat([...this.#rest.splice(0), bytes.subarray(0, end)]);
			if (end + 1 < bytes.length) this.#rest.push(bytes.slice(end + 1));
			const separator = String.fromCharCode(this.delimiter);
			this.#take(
				decode(whole)
					.split(separator)
					.map((text) => ({ text, ended: true }))
			);
			return true;
		}
	}

	#take(lines: Line[]): void {
		this.#lines = lines;
		this.#at = 0;
	}

	#openNext(): boolean {
		for (let name = this.#names.shift(); name !== undefined; name = this.#names.shift()) {
			const { shell } = this.call;
			try {
				if (name !== '-' && shell.host.context.sync.statOrNull(shell.path(name))?.kind === 'directory')
					throw new Error(`${name}: Is a directory`);
				// Stdin belongs to the shell: a program that ends early must not keep the pipe open for its writer.
				this.#owned = name !== '-';
				this.#file = name === '-' ? shell.descriptors.require(0) : open(shell, name, '<');
				this.#name = name;
				this.#queued = [name];
				this.opened++;
				return true;
			} catch (error) {
				void this.call.complain(unopened(this.call, name, error));
				this.status = 1;
			}
		}
		return false;
	}

	/** Name of the file being read. */
	get reading(): string {
		return this.#name;
	}
}
