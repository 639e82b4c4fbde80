import { Writable } from '../stream.ts';
import type { PathLike } from './arguments.ts';
import { callable } from './callable-class.ts';
import { type Done, fromZero, type StreamCalls, StreamFile, streamOptions } from './stream-file.ts';
import { baseOptions, closeFile, closeWithHandle, FILE, fileOf, openFile, stateOf, whenClosed } from './file-stream.ts';

/** Creates `fs.WriteStream`. Each process has its own class: programs replace its methods. */
export function writeStreamClass(module: StreamCalls) {
	class WriteMethods extends Writable {
		declare path?: PathLike;
		declare flags?: string;
		declare mode?: number | undefined;
		declare fd: number | null;
		declare start: number | undefined;
		declare pos: number | undefined;
		declare bytesWritten: number;
		declare [FILE]: StreamFile;

		/** Overridden by programs that open files themselves. */
		open(): void {}

		override _construct(done: Done): void {
			openFile(this, this[FILE], openWrite, done);
		}

		override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: Done): void {
			const ended = this[FILE].begin();
			const end: Done = (error) => {
				ended();
				done(error);
			};
			const writeFrom = (offset: number): void => {
				const left = chunk.length - offset;
				this[FILE].calls.write(this.fd ?? -1, chunk, offset, left, this.pos, (error, count) => {
					if (error) return end(error);
					advance(this, count);
					if (count < left && !this.destroyed) writeFrom(offset + count);
					else end();
				});
			};
			writeFrom(0);
		}

		override _writev(chunks: { chunk: Uint8Array }[], done: Done): void {
			const ended = this[FILE].begin();
			const views = chunks.map(({ chunk }) => chunk);
			this[FILE].calls.writev?.(this.fd ?? -1, views, this.pos, (error, count) => {
				ended();
				if (!error) advance(this, count);
				done(error);
			});
		}

		override _destroy(error: Error | null, done: Done): void {
			closeFile(this, this[FILE], error, done);
		}

		close(callback?: Done): void {
			whenClosed(this, callback);
			if (!this.autoClose) this.on('finish', () => this.destroy());
			this.end();
		}

		get autoClose(): boolean {
			return stateOf(this, '_writableState').autoDestroy;
		}

		set autoClose(value: boolean) {
			stateOf(this, '_writableState').autoDestroy = value;
		}

		get pending(): boolean {
			return this.fd === null;
		}
	}
	const { open: openWrite } = WriteMethods.prototype;
	Object.assign(WriteMethods.prototype, { destroySoon: Writable.prototype.end });

	return callable('WriteStream', WriteMethods, (stream, path, given) => {
		const options = streamOptions(given);
		const file = new StreamFile(module, options, ['write', 'writev']);
		const { start } = options;
		if (start !== undefined) fromZero(start, 'start');
		Object.assign(stream, { [FILE]: file, start, pos: start, bytesWritten: 0, ...fileOf(path, options, file, 'w') });
		if (options.fs && !options.fs.writev) Object.assign(stream, { _writev: null });
		if (options.fs && !options.fs.write) Object.assign(stream, { _write: null });
		Reflect.apply(Writable, stream, [baseOptions(options, 16_384)]);
		if (options.encoding) stream.setDefaultEncoding(options.encoding);
		closeWithHandle(stream, options);
	});
}

function advance(stream: { bytesWritten: number; pos: number | undefined }, count: number): void {
	stream.bytesWritten += count;
	if (stream.pos !== undefined) stream.pos += count;
}
