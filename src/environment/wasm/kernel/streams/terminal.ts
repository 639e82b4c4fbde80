import { errno } from '../errno.ts';
import type { Process } from '../processes/process.ts';
import { ByteQueue } from './byte-queue.ts';
import { Description } from './description.ts';
import { LineDiscipline } from './line-discipline.ts';
import type { Output } from './output.ts';

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** A terminal: keys from the page become input of the processes on it, what they print goes to the page. */
export class Terminal {
	mode: 'raw' | 'cooked' = 'cooked';
	/** The process group that Ctrl-C goes to. */
	foreground = 0;
	#input = new ByteQueue();
	#ends = 0;
	#readers: {
		max: number;
		reader: Process;
		resolve: (bytes: Uint8Array) => void;
		reject: (error: Error) => void;
	}[] = [];
	#lines: LineDiscipline;

	/** @param interrupt sends SIGINT to the foreground group */
	constructor(
		public size: { columns: number; rows: number },
		private readonly output: Output,
		interrupt: () => void
	) {
		this.#lines = new LineDiscipline({
			echo: (text) => void this.print(encoder.encode(text)),
			line: (bytes) => this.#arrived(bytes),
			interrupt
		});
	}

	/** Keys, as the page's terminal sends them. */
	type(bytes: Uint8Array): void {
		if (this.mode === 'raw') this.#arrived(bytes);
		else this.#lines.type(bytes);
	}

	setMode(mode: 'raw' | 'cooked'): void {
		this.mode = mode;
		this.#lines.handOver();
	}

	read(max: number, reader: Process): Uint8Array | Promise<Uint8Array> {
		if (this.#input.size > 0) return this.#take(max);
		if (this.#ends > 0) {
			this.#ends--;
			return new Uint8Array(0);
		}
		return new Promise((resolve, reject) => this.#readers.push({ max, reader, resolve, reject }));
	}

	/** Ends the reads of this process that wait, with EINTR. */
	endReads(reader: Process): void {
		const ended = this.#readers.filter((waiting) => waiting.reader === reader);
		this.#readers = this.#readers.filter((waiting) => waiting.reader !== reader);
		for (const { reject } of ended) reject(errno('EINTR'));
	}

	/** A line feed becomes carriage return and line feed, as terminals want it. */
	print(bytes: Uint8Array): void | Promise<void> {
		let feeds = 0;
		for (const byte of bytes) if (byte === NEWLINE) feeds++;
		if (feeds === 0) return this.output.write(bytes);
		const out = new Uint8Array(bytes.length + feeds);
		let at = 0;
		for (const byte of bytes) {
			if (byte === NEWLINE) out[at++] = 0x0d;
			out[at++] = byte;
		}
		return this.output.write(out);
	}

	/** Cooked reads get one line at most, so that what was typed ahead is left for the next program. */
	#take(max: number): Uint8Array {
		const length = this.mode === 'cooked' ? this.#input.lengthThrough(NEWLINE) : max;
		return this.#input.take(Math.min(max, length));
	}

	#arrived(bytes: Uint8Array): void {
		if (bytes.length === 0) this.#ends++;
		else this.#input.add(bytes);
		while (this.#readers.length > 0 && (this.#input.size > 0 || this.#ends > 0)) {
			const { max, reader, resolve } = this.#readers.shift()!;
			if (reader.ended) continue;
			if (this.#input.size > 0) resolve(this.#take(max));
			else {
				this.#ends--;
				resolve(new Uint8Array(0));
			}
		}
	}
}

export class TerminalDescription extends Description {
	constructor(private readonly on: Terminal) {
		super();
	}
	override get terminal(): Terminal {
		return this.on;
	}
	override read(max: number, reader: Process) {
		return this.on.read(max, reader);
	}
	override write(bytes: Uint8Array) {
		return this.on.print(bytes);
	}
	protected override closed(): void {}
}
