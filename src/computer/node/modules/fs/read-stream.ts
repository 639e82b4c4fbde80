import { Buffer } from 'buffer';
import { outOfRange } from '../../runtime/errors.ts';
import { Readable } from '../stream.ts';
import type { PathLike } from './arguments.ts';
import { callable } from './callable-class.ts';
import { type Done, fromZero, type StreamCalls, StreamFile, streamOptions } from './stream-file.ts';
import { baseOptions, closeFile, closeWithHandle, FILE, fileOf, openFile, stateOf, whenClosed } from './file-stream.ts';

/** Creates `fs.ReadStream`. Each process has its own class: programs replace its methods. */
export function readStreamClass(module: StreamCalls) {
	class ReadMethods extends Readable {
		declare path?: PathLike;
		declare flags?: string;
		declare mode?: number | undefined;
		declare fd: number | null;
		declare start: number | undefined;
		declare end: number;
		declare pos: number | undefined;
		declare bytesRead: number;
		declare [FILE]: StreamFile;

		/** Overridden by programs that open files themselves. */
		open(): void {}

		override _construct(done: Done): void {
			openFile(this, this[FILE], openRead, done);
		}

		override _read(size: number): void {
			const length = Math.min(this.end - (this.pos ?? this.bytesRead) + 1, size);
			if (length <= 0) return void this.push(null);
			const ended = this[FILE].begin();
			this[FILE].calls.read(
				this.fd ?? -1,
				Buffer.allocUnsafeSlow(length),
				0,
				length,
				this.pos,
				(error, count, data) => {
					ended();
					if (this.destroyed) return;
					if (error) return void this.destroy(error);
					this.bytesRead += count;
					if (this.pos !== undefined) this.pos += count;
					this.push(count > 0 ? fitted(data as Buffer, count) : null);
				}
			);
		}

		override _destroy(error: Error | null, done: Done): void {
			closeFile(this, this[FILE], error, done);
		}

		close(callback?: Done): void {
			whenClosed(this, callback);
			this.destroy();
		}

		get autoClose(): boolean {
			return stateOf(this, '_readableState').autoDestroy;
		}

		set autoClose(value: boolean) {
			stateOf(this, '_readableState').autoDestroy = value;
		}

		get pending(): boolean {
			return this.fd === null;
		}
	}
	const { open: openRead } = ReadMethods.prototype;

	return callable('ReadStream', ReadMethods, (stream, path, given) => {
		const options = streamOptions(given);
		const file = new StreamFile(module, options, ['read']);
		const { start, end = Infinity } = options;
		if (start !== undefined) fromZero(start, 'start');
		if (end !== Infinity) fromZero(end, 'end');
		if (start !== undefined && start > end) throw outOfRange('start', `<= "end" (here: ${end})`, start);
		Object.assign(stream, { [FILE]: file, start, end, pos: start, bytesRead: 0, ...fileOf(path, options, file, 'r') });
		Reflect.apply(Readable, stream, [{ ...baseOptions(options, 65_536), encoding: options.encoding }]);
		closeWithHandle(stream, options);
	});
}

/** Copies the data to memory of the right size: a short read would retain the whole chunk. */
function fitted(data: Buffer, count: number): Buffer {
	if (count === data.length) return data;
	const copy = Buffer.allocUnsafeSlow(count);
	data.copy(copy, 0, 0, count);
	return copy;
}
