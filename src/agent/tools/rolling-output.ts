import type { ExecutionEnvironment, Process } from '#environment/contract.ts';
import { RedactedStream } from '../guards/redacted-stream.ts';
import { byteLength, trimStartTo } from './page.ts';

/** Bytes at the end of a command's output that stay in memory (003 §3.3). */
const WINDOW_BYTES = 100_000;
/** Output from this size on is written to a file as a whole. */
const FILE_FROM_BYTES = 50_000;

/** Number of characters dropped at once. */
const PIECE_CHARACTERS = 4_096;

/**
 * Output of a command that may print endlessly: keeps the last 100 KB in memory and writes a longer output completely
 * to a file of the environment while it runs. Keys are redacted in both.
 */
export class RollingOutput {
	#redacted = new RedactedStream();
	#pieces: { text: string; bytes: number }[] = [];
	#windowBytes = 0;
	#file: WholeFile | undefined;
	#lineEnds = 0;
	#endsWithLine = true;
	totalBytes = 0;

	/** @param path absolute path of the file for the complete output */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly path: string
	) {}

	add(data: string): void {
		this.#take(this.#redacted.push(data));
	}

	/** Called when the command has ended. */
	end(): void {
		this.#take(this.#redacted.end());
	}

	/** Returns the end of the output, and the number of bytes before it. */
	window(): { text: string; bytesBefore: number } {
		const text = trimStartTo(this.#kept(), WINDOW_BYTES);
		return { text, bytesBefore: this.totalBytes - byteLength(text) };
	}

	/** Number of lines of the whole output; the last may lack a line break. */
	get totalLines(): number {
		return this.#lineEnds + (this.#endsWithLine ? 0 : 1);
	}

	/**
	 * Path of the complete output once it is written; `undefined` if there is no such file.
	 *
	 * @param needed creates a file even for a short output
	 */
	async wholeFile(needed: boolean): Promise<string | undefined> {
		if (needed) this.#file ??= new WholeFile(this.environment, this.path, this.#kept());
		return (await this.#file?.close()) ? this.path : undefined;
	}

	#kept(): string {
		return this.#pieces.map(({ text }) => text).join('');
	}

	#take(text: string): void {
		if (text === '') return;
		for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lineEnds++;
		this.#endsWithLine = text.endsWith('\n');
		if (!this.#file && this.totalBytes + byteLength(text) > FILE_FROM_BYTES)
			this.#file = new WholeFile(this.environment, this.path, this.#kept());
		this.#file?.write(text);
		for (let at = 0; at < text.length;) {
			const point = text.codePointAt(at + PIECE_CHARACTERS - 1) ?? 0;
			const end = at + PIECE_CHARACTERS + (point > 0xffff ? 1 : 0);
			this.#push(text.slice(at, end));
			at = end;
		}
	}

	#push(text: string): void {
		const bytes = byteLength(text);
		const last = this.#pieces.at(-1);
		if (last && last.text.length < PIECE_CHARACTERS) {
			last.text += text;
			last.bytes += bytes;
		} else this.#pieces.push({ text, bytes });
		this.totalBytes += bytes;
		this.#windowBytes += bytes;
		for (
			let first = this.#pieces[0];
			first && this.#windowBytes - first.bytes >= WINDOW_BYTES;
			first = this.#pieces[0]
		) {
			this.#pieces.shift();
			this.#windowBytes -= first.bytes;
		}
	}
}

/**
 * A file written piece by piece through a process of the environment: the only way to append that all environments
 * have.
 */
class WholeFile {
	#waiting = '';
	/** Resolves to true if everything so far is written. */
	#writing: Promise<boolean> = Promise.resolve(true);
	readonly #process: Promise<Process>;

	constructor(environment: ExecutionEnvironment, path: string, begin: string) {
		this.#process = environment.start(`cat > ${path}`, { maxOutputCharacters: 0 });
		this.write(begin);
	}

	write(text: string): void {
		// Text that arrives while a piece is being written goes into the next piece.
		const isFirst = this.#waiting === '';
		this.#waiting += text;
		if (isFirst) this.#writing = this.#writing.then((isWhole) => isWhole && this.#flush());
	}

	async #flush(): Promise<boolean> {
		const text = this.#waiting;
		this.#waiting = '';
		try {
			await (await this.#process).write(text);
			return true;
		} catch {
			// The disk is full, or the environment has ended: the result then names no file.
			return false;
		}
	}

	/** Resolves to true if everything is written. */
	async close(): Promise<boolean> {
		if (!(await this.#writing)) return false;
		try {
			const process = await this.#process;
			await process.closeInput();
			return (await process.exited).exitCode === 0;
		} catch {
			return false;
		}
	}
}
