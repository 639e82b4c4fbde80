import { Buffer } from 'buffer';
import type { Readable, Writable } from 'node:stream';
import type { Runtime } from './runtime.ts';
import streams from '../modules/stream.ts';
import { isSyscallError, systemError } from './errors.ts';

const CHUNK = 65_536;

/** `process.stdout` and `process.stderr`: each write is in the kernel before it returns. */
export function outputStream(runtime: Runtime, descriptor: 1 | 2): Writable {
	const stream = new streams.Writable({
		decodeStrings: true,
		emitClose: false,
		write(chunk: Uint8Array, _encoding, done) {
			try {
				runtime.sys.write(descriptor, chunk);
				done();
			} catch (error) {
				done(isSyscallError(error) ? systemError(error.code, 'write') : (error as Error));
			}
		},
		destroy(error, done) {
			done(error);
		}
	});
	const terminal = runtime.sys.isTerminal(descriptor);
	Object.assign(stream, { fd: descriptor, _type: terminal ? 'tty' : 'pipe', _isStdio: true });
	if (terminal) addTerminal(stream, runtime);
	return stream;
}

function addTerminal(stream: Writable, runtime: Runtime): void {
	const size = runtime.sys.terminalSize();
	const write = (text: string, done?: () => void) => stream.write(text, done);
	Object.assign(stream, {
		isTTY: true,
		columns: size.columns,
		rows: size.rows,
		getWindowSize: () => [size.columns, size.rows],
		getColorDepth: () => colourDepth(runtime.process.env),
		hasColors: (count = 16) => 2 ** colourDepth(runtime.process.env) >= (typeof count === 'number' ? count : 16),
		cursorTo: (x: number, y?: unknown, done?: () => void) =>
			write(
				typeof y === 'number' ? `\x1b[${y + 1};${x + 1}H` : `\x1b[${x + 1}G`,
				typeof y === 'function' ? done : undefined
			),
		moveCursor: (dx: number, dy: number, done?: () => void) =>
			write(
				(dx > 0 ? `\x1b[${dx}C` : dx < 0 ? `\x1b[${-dx}D` : '') +
					(dy > 0 ? `\x1b[${dy}B` : dy < 0 ? `\x1b[${-dy}A` : ''),
				done
			),
		clearLine: (direction: number, done?: () => void) =>
			write(`\x1b[${direction < 0 ? 1 : direction > 0 ? 0 : 2}K`, done),
		clearScreenDown: (done?: () => void) => write('\x1b[0J', done)
	});
}

function colourDepth(env: Record<string, string>): number {
	if (env['NO_COLOR'] !== undefined || env['FORCE_COLOR'] === '0' || env['TERM'] === 'dumb') return 1;
	return env['COLORTERM'] === 'truecolor' ? 24 : env['TERM']?.includes('256') ? 8 : 4;
}

/** `process.stdin`: reads only when asked to, and keeps the program alive while it waits. */
export function inputStream(runtime: Runtime): Readable {
	let reading = false;
	let referenced = true;
	let release: (() => void) | null = null;
	const terminal = runtime.sys.isTerminal(0);
	const stream = new streams.Readable({
		highWaterMark: CHUNK,
		emitClose: false,
		read() {
			if (reading) return;
			reading = true;
			release = referenced ? runtime.loop.hold() : null;
			void fill();
		}
	});
	const fill = async () => {
		try {
			const bytes = await runtime.async.read(0, CHUNK);
			runtime.loop.enter(() => {
				// Before `push`, which may ask for the next read, and hold for it, at once.
				reading = false;
				release?.();
				release = null;
				stream.push(bytes.length > 0 ? Buffer.from(bytes) : null);
			});
		} catch (error) {
			const cause = isSyscallError(error) ? systemError(error.code, 'read') : (error as Error);
			release?.();
			release = null;
			runtime.loop.enter(() => stream.destroy(cause));
		}
	};
	const pause = stream.pause.bind(stream);
	return Object.assign(stream, {
		fd: 0,
		...(terminal ? { isTTY: true, isRaw: false } : {}),
		pause() {
			// A paused stdin does not keep Node alive, even in the middle of a read.
			release?.();
			release = null;
			return pause();
		},
		setRawMode(raw: boolean) {
			runtime.sys.terminalMode(raw ? 'raw' : 'cooked');
			Object.assign(stream, { isRaw: raw });
			return stream;
		},
		ref() {
			referenced = true;
			if (reading) release ??= runtime.loop.hold();
			return stream;
		},
		unref() {
			referenced = false;
			release?.();
			release = null;
			return stream;
		}
	});
}
