import { Buffer } from 'buffer';
import type { Readable, Writable } from 'node:stream';
import { descriptorWriter } from './descriptor-writer.ts';
import { Reference } from './reference.ts';
import type { Runtime } from './runtime.ts';
import streams from '../modules/stream.ts';
import { terminalStreams } from '../modules/tty.ts';
import { isSyscallError, systemError } from './errors.ts';

const CHUNK = 65_536;

/** `process.stdout` and `process.stderr`: each write is in the kernel before it returns. */
export function outputStream(runtime: Runtime, descriptor: 1 | 2): Writable {
	if (runtime.sys.isTerminal(descriptor)) {
		const { WriteStream } = terminalStreams(runtime);
		return Object.assign(new WriteStream(descriptor), { _type: 'tty', _isStdio: true });
	}
	const stream = new streams.Writable({
		decodeStrings: true,
		emitClose: false,
		write: descriptorWriter(runtime, descriptor),
		destroy(error, done) {
			done(error);
		}
	});
	return Object.assign(stream, { fd: descriptor, _type: 'pipe', _isStdio: true });
}

/** `process.stdin`: reads only when asked to, and keeps the program alive while it waits. */
export function inputStream(runtime: Runtime): Readable {
	let reading = false;
	const reference = new Reference(runtime.loop);
	const terminal = runtime.sys.isTerminal(0);
	const stream = new streams.Readable({
		highWaterMark: CHUNK,
		emitClose: false,
		read() {
			if (reading) return;
			reading = true;
			reference.begin();
			void fill();
		}
	});
	const fill = async () => {
		try {
			const bytes = await runtime.async.read(0, CHUNK);
			runtime.loop.enter(() => {
				// Before `push`, which may ask for the next read, and hold for it, at once.
				reading = false;
				reference.end();
				stream.push(bytes.length > 0 ? Buffer.from(bytes) : null);
			});
		} catch (error) {
			const cause = isSyscallError(error) ? systemError(error.code, 'read') : (error as Error);
			reference.end();
			runtime.loop.enter(() => stream.destroy(cause));
		}
	};
	const pause = stream.pause.bind(stream);
	return Object.assign(stream, {
		fd: 0,
		...(terminal ? { isTTY: true, isRaw: false } : {}),
		pause() {
			// A paused stdin does not keep Node alive, even in the middle of a read.
			reference.end();
			return pause();
		},
		setRawMode(raw: boolean) {
			runtime.sys.terminalMode(raw ? 'raw' : 'cooked');
			Object.assign(stream, { isRaw: raw });
			return stream;
		},
		ref() {
			if (reading) reference.begin();
			reference.ref();
			return stream;
		},
		unref() {
			reference.unref();
			return stream;
		}
	});
}
