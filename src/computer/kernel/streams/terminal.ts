import { errno } from '#computer/abi/errno.ts';
import { COOKED, RAW, type TerminalSettings } from '#computer/abi/terminal-settings.ts';
import type { StreamUser } from './stream-user.ts';
import { ByteQueue } from './byte-queue.ts';
import { LineDiscipline } from './line-discipline.ts';
import type { Output } from './output.ts';

const encoder = new TextEncoder();
const NEWLINE = 0x0a;

/** Terminal: keys from the page become input of its processes, and their output goes to the page. */
export class Terminal {
	#settings = COOKED;
	/** Previous settings for each process that changed them and has not restored them. */
	readonly #before = new Map<StreamUser, TerminalSettings>();
	/** The process group that receives Ctrl-C. */
	foreground = 0;
	#input = new ByteQueue();
	#ends = 0;
	#readers: {
		max: number;
		reader: StreamUser;
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

	/** Receives keys from the page's terminal. */
	type(bytes: Uint8Array): void {
		const { lines, echo, signals, returnsAreFeeds } = this.#settings;
		if (lines || echo || signals || returnsAreFeeds) this.#lines.type(bytes, this.#settings);
		else this.#arrived(bytes);
	}

	/** Sets the mode; `cooked` restores the settings from before `process` changed them. */
	setMode(process: StreamUser, mode: 'raw' | 'cooked'): void {
		if (mode === 'raw') this.change(process, RAW);
		else this.giveBack(process);
	}

	/** @param lasts keeps the change when `process` ends */
	change(process: StreamUser, change: Partial<TerminalSettings>, lasts = false): TerminalSettings {
		if (lasts) this.#before.delete(process);
		else if (!this.#before.has(process)) this.#before.set(process, this.#settings);
		const given = Object.entries(change).filter(([, value]) => value !== undefined);
		this.#set({ ...this.#settings, ...Object.fromEntries(given) });
		return this.#settings;
	}

	/** Restores the settings from before `process` changed them. */
	giveBack(process: StreamUser): void {
		const before = this.#before.get(process);
		this.#before.delete(process);
		if (before) this.#set(before);
	}

	#set(settings: TerminalSettings): void {
		const hadLines = this.#settings.lines;
		this.#settings = settings;
		if (hadLines && !settings.lines) this.#lines.handOver();
	}

	read(max: number, reader: StreamUser): Uint8Array | Promise<Uint8Array> {
		if (this.#input.size > 0) return this.#take(max);
		if (this.#ends > 0) {
			this.#ends--;
			return new Uint8Array(0);
		}
		return new Promise((resolve, reject) => this.#readers.push({ max, reader, resolve, reject }));
	}

	/** Ends the waiting reads of this process with EINTR. */
	endReads(reader: StreamUser): void {
		const ended = this.#readers.filter((waiting) => waiting.reader === reader);
		this.#readers = this.#readers.filter((waiting) => waiting.reader !== reader);
		for (const { reject } of ended) reject(errno('EINTR'));
	}

	/** Prints bytes, with each line feed replaced by carriage return and line feed, as terminals expect. */
	print(bytes: Uint8Array): void | Promise<void> {
		if (!this.#settings.feedsReturn) return this.output.write(bytes);
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

	/** Returns at most one line for a cooked read, so that typed-ahead input is left for the next program. */
	#take(max: number): Uint8Array {
		const length = this.#settings.lines ? this.#input.lengthThrough(NEWLINE) : max;
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
