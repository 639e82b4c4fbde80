import type { Readable, Writable } from 'node:stream';
import { DescriptorReader } from '../runtime/descriptor-reader.ts';
import { descriptorWriter } from '../runtime/descriptor-writer.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { clearLine, clearScreenDown, cursorTo, moveCursor } from './readline/cursor.ts';
import streams from './stream.ts';

type Done = () => void;

/** Standard output on a terminal: `tty.WriteStream`. */
export interface TerminalOutput extends Writable {
	isTTY: true;
	columns: number;
	rows: number;
	/** Checks for a new terminal size and emits `resize`. */
	_refreshSize(): void;
}

/** Standard input on a terminal: `tty.ReadStream`. */
export interface TerminalInput extends Readable {
	isTTY: true;
	isRaw: boolean;
	setRawMode(raw: boolean): this;
}

export interface TerminalStreams {
	WriteStream: new (descriptor: number) => TerminalOutput;
	ReadStream: new (descriptor: number) => TerminalInput;
}

const made = new WeakMap<Runtime, TerminalStreams>();

/** Creates the classes of `tty`, once per program: its standard streams are instances of the same ones. */
export function terminalStreams(runtime: Runtime): TerminalStreams {
	const known = made.get(runtime);
	if (known) return known;
	class WriteStream extends streams.Writable {
		readonly isTTY = true;
		readonly fd: number;
		columns: number;
		rows: number;

		constructor(descriptor: number) {
			super({
				decodeStrings: true,
				emitClose: false,
				write: descriptorWriter(runtime, descriptor)
			});
			this.fd = descriptor;
			const size = runtime.sys.terminalSize();
			this.columns = size.columns;
			this.rows = size.rows;
		}

		_refreshSize(): void {
			const { columns, rows } = runtime.sys.terminalSize();
			if (columns === this.columns && rows === this.rows) return;
			this.columns = columns;
			this.rows = rows;
			this.emit('resize');
		}

		getWindowSize(): [number, number] {
			return [this.columns, this.rows];
		}

		getColorDepth(env: Record<string, string | undefined> = runtime.process.env): number {
			return colourDepth(env);
		}

		hasColors(count?: unknown, env?: Record<string, string | undefined>): boolean {
			const [wanted, given] = typeof count === 'number' ? [count, env] : [16, count as typeof env];
			return 2 ** colourDepth(given ?? runtime.process.env) >= wanted;
		}

		cursorTo(x: number, y?: number | Done, done?: Done): boolean {
			return cursorTo(this, x, y, done);
		}

		moveCursor(dx: number, dy: number, done?: Done): boolean {
			return moveCursor(this, dx, dy, done);
		}

		clearLine(direction: number, done?: Done): boolean {
			return clearLine(this, direction, done);
		}

		clearScreenDown(done?: Done): boolean {
			return clearScreenDown(this, done);
		}
	}

	class ReadStream extends streams.Readable {
		readonly isTTY = true;
		isRaw = false;

		constructor(descriptor: number) {
			const reader = new DescriptorReader(runtime, descriptor);
			super(reader.options);
			reader.serve(this);
		}

		setRawMode(raw: boolean): this {
			runtime.sys.terminalMode(raw ? 'raw' : 'cooked');
			this.isRaw = Boolean(raw);
			return this;
		}
	}
	const classes = { WriteStream, ReadStream } as unknown as TerminalStreams;
	made.set(runtime, classes);
	return classes;
}

/** `node:tty`. */
export function createTty(runtime: Runtime): Record<string, unknown> {
	return {
		isatty: (descriptor: number) => descriptor <= 2 && runtime.sys.isTerminal(descriptor),
		...terminalStreams(runtime)
	};
}

const FORCED_DEPTHS: Readonly<Record<string, number>> = { '': 4, 1: 4, true: 4, 2: 8, 3: 24 };

/** Bits of the colours that a terminal shows, by the environment. */
export function colourDepth(env: Record<string, string | undefined>): number {
	const forced = env['FORCE_COLOR'];
	if (forced !== undefined) return FORCED_DEPTHS[forced] ?? 1;
	if (env['NO_COLOR'] !== undefined || env['TERM'] === 'dumb') return 1;
	return env['COLORTERM'] === 'truecolor' ? 24 : env['TERM']?.includes('256') ? 8 : 4;
}
