import type { Surroundings } from '../surroundings.ts';

/** Minimum interval between progress updates: each is a system call, and a server sends hundreds in a row. */
const PROGRESS_MS = 200;

/** Reports the progress of a fetch on stderr, as git does. */
export class FetchProgress {
	#lastMs = 0;
	#partial = '';
	#isDone = false;

	constructor(private readonly output: Pick<Surroundings, 'err'>) {}

	/** Prints messages of the server; a line may arrive in several parts. */
	add(text: string): void {
		const lines = (this.#partial + text).split(/(?<=[\r\n])/);
		this.#partial = /[\r\n]$/.test(lines.at(-1) ?? '') ? '' : (lines.pop() ?? '');
		for (const line of lines) this.#say(`remote: ${line}`, line.endsWith('\n'));
	}

	received({ loaded, total }: { loaded: number; total: number }): void {
		if (this.#isDone || total === 0) return;
		this.#isDone = loaded === total;
		const line = `Receiving objects: ${Math.floor((loaded * 100) / total)}% (${loaded}/${total})`;
		this.#say(this.#isDone ? `${line}, done.\n` : `${line}\r`, this.#isDone);
	}

	#say(line: string, isLast: boolean): void {
		const now = performance.now();
		if (!isLast && now - this.#lastMs < PROGRESS_MS) return;
		this.#lastMs = now;
		this.output.err(line);
	}
}
