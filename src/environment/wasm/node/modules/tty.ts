import type { Writable } from 'node:stream';
import { descriptorWriter } from '../runtime/descriptor-writer.ts';
import type { Runtime } from '../runtime/runtime.ts';
import streams from './stream.ts';

type Done = () => void;

/** What standard output is when it is a terminal: `tty.WriteStream`. */
export interface TerminalOutput extends Writable {
	isTTY: true;
	columns: number;
	rows: number;
}

export interface TerminalStreams {
	WriteStream: new (descriptor: number) => TerminalOutput;
	ReadStream: unknown;
}

const made = new WeakMap<Runtime, TerminalStreams>();

/** The classes behind `tty`, one of each for a program: its standard streams are made of the same. */
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
			const [row, then] = typeof y === 'function' ? [undefined, y] : [y, done];
			return this.write(row === undefined ? `\x1b[${x + 1}G` : `\x1b[${row + 1};${x + 1}H`, then);
		}

		moveCursor(dx: number, dy: number, done?: Done): boolean {
			const across = dx > 0 ? `\x1b[${dx}C` : dx < 0 ? `\x1b[${-dx}D` : '';
			return this.write(across + (dy > 0 ? `\x1b[${dy}B` : dy < 0 ? `\x1b[${-dy}A` : ''), done);
		}

		clearLine(direction: number, done?: Done): boolean {
			return this.write(`\x1b[${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, done);
		}

		clearScreenDown(done?: Done): boolean {
			return this.write('\x1b[0J', done);
		}
	}
	const classes = { WriteStream, ReadStream: streams.Readable } as unknown as TerminalStreams;
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

function colourDepth(env: Record<string, string | undefined>): number {
	if (env['NO_COLOR'] !== undefined || env['FORCE_COLOR'] === '0' || env['TERM'] === 'dumb') return 1;
	return env['COLORTERM'] === 'truecolor' ? 24 : env['TERM']?.includes('256') ? 8 : 4;
}
