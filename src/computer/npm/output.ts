import type { ProcessContext } from '#computer/process/program.ts';

/** Writes lines to stdout, and warnings and errors in a package manager's format to stderr. */
export class Output {
	readonly #context: ProcessContext;
	readonly #encoder = new TextEncoder();

	/** @param name prefix of messages */
	constructor(
		context: ProcessContext,
		private readonly name = 'npm'
	) {
		this.#context = context;
	}

	print(...lines: string[]): void {
		this.#context.sync.write(1, this.#encoder.encode(lines.map((line) => `${line}\n`).join('')));
	}

	error(...lines: string[]): void {
		this.#say('error', lines);
	}

	warn(...lines: string[]): void {
		if (lines.length > 0) this.#say('warn', lines);
	}

	#say(level: string, lines: string[]): void {
		const text = lines.map((line) => `${this.name} ${level}${line ? ` ${line}` : ''}\n`).join('');
		this.#context.sync.write(2, this.#encoder.encode(text));
	}
}
