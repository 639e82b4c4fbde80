import type { ProcessContext } from '../process/program.ts';

/** Lines on stdout, and npm's way of writing errors on stderr. */
export class Output {
	readonly #context: ProcessContext;
	readonly #encoder = new TextEncoder();

	constructor(context: ProcessContext) {
		this.#context = context;
	}

	print(...lines: string[]): void {
		this.#context.sync.write(1, this.#encoder.encode(lines.map((line) => `${line}\n`).join('')));
	}

	error(...lines: string[]): void {
		const text = lines.map((line) => `npm error${line ? ` ${line}` : ''}\n`).join('');
		this.#context.sync.write(2, this.#encoder.encode(text));
	}
}
