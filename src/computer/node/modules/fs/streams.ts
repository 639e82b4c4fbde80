import { Buffer } from 'buffer';
import { outOfRange } from '../../runtime/errors.ts';
import { Readable, Writable } from '../stream.ts';
import { pathText, type PathLike } from './arguments.ts';
import { callable } from './callable-class.ts';
import { FileHandle } from './file-handle.ts';
import { type Done, fromZero, type StreamCalls, StreamFile, type StreamOptions, streamOptions } from './stream-file.ts';

/** Key of what a stream knows of its file. */
const FILE = Symbol('file');

interface OpeningStream extends NodeJS.EventEmitter {
	fd: number | null;
	path?: PathLike;
	flags?: string;
	mode?: number | undefined;
	open(): void;
}

/** Opens the file of a stream, by its own `open` if a program has replaced it. */
function openFile(stream: OpeningStream, file: StreamFile, open: unknown, done: Done): void {
	if (typeof stream.fd === 'number') return done();
	if (stream.open !== open) {
		const { emit } = stream;
		stream.emit = (event: string | symbol, ...args: unknown[]): boolean => {
			if (event !== 'open' && event !== 'error') return Reflect.apply(emit, stream, [event, ...args]);
			stream.emit = emit;
			done(event === 'error' ? (args[0] as Error) : null);
			return event === 'error' || Reflect.apply(emit, stream, [event, ...args]);
		};
		return stream.open();
	}
	file.calls.open(stream.path ?? '', stream.flags, stream.mode, (error, fd) => {
		if (error) return done(error);
		stream.fd = fd;
		done();
		stream.emit('open', fd);
		stream.emit('ready');
	});
}

/** Closes a stream's file once no transfer is under way. */
function closeFile(stream: { fd: number | null }, file: StreamFile, error: Error | null, done: Done): void {
	file.whenIdle(() => {
		if (!stream.fd) return done(error);
		const { fd } = stream;
		stream.fd = null;
		file.calls.close(fd, (failure) => done(failure ?? error));
	});
}

/** `fs.ReadStream` and `fs.WriteStream`, with or without `new`. @param fs the module, whose calls they make */
export function streamClasses(fs: Record<string, unknown>) {
	const module = fs as unknown as StreamCalls;

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

		/** Replaced by programs that open files their own way. */
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

	class WriteMethods extends Writable {
		declare path?: PathLike;
		declare flags?: string;
		declare mode?: number | undefined;
		declare fd: number | null;
		declare start: number | undefined;
		declare pos: number | undefined;
		declare bytesWritten: number;
		declare [FILE]: StreamFile;

		/** Replaced by programs that open files their own way. */
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
	const { open: openRead } = ReadMethods.prototype;
	const { open: openWrite } = WriteMethods.prototype;
	Object.assign(WriteMethods.prototype, { destroySoon: Writable.prototype.end });

	const ReadStream = callable('ReadStream', ReadMethods, (stream, path, given) => {
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
	const WriteStream = callable('WriteStream', WriteMethods, (stream, path, given) => {
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
	return {
		ReadStream,
		WriteStream,
		createReadStream: function createReadStream(path: PathLike, options?: unknown) {
			return new ReadStream(path, options);
		},
		createWriteStream: function createWriteStream(path: PathLike, options?: unknown) {
			return new WriteStream(path, options);
		}
	};
}

const baseOptions = (options: StreamOptions, highWaterMark: number) => ({
	highWaterMark: options.highWaterMark ?? highWaterMark,
	emitClose: options.emitClose ?? true,
	autoDestroy: options.autoClose ?? true,
	signal: options.signal
});

function advance(stream: { bytesWritten: number; pos: number | undefined }, count: number): void {
	stream.bytesWritten += count;
	if (stream.pos !== undefined) stream.pos += count;
}

/** Fields of a stream that say which file is its own: the descriptor that it was given, or what it opens. */
function fileOf(path: PathLike, options: StreamOptions, file: StreamFile, flags: string): object {
	if (file.fd !== undefined) return { fd: file.fd };
	const text = pathText(path);
	return {
		fd: null,
		path: path instanceof URL ? text : path,
		flags: options.flags ?? flags,
		mode: options.mode ?? 0o666
	};
}

/** Ends a stream when the handle is closed that it belongs to. */
function closeWithHandle(stream: { close(): void }, { fd }: StreamOptions): void {
	if (fd instanceof FileHandle) fd.on('close', () => stream.close());
}

const stateOf = (stream: object, state: '_readableState' | '_writableState'): { autoDestroy: boolean } =>
	Reflect.get(stream, state) as { autoDestroy: boolean };

function whenClosed(stream: NodeJS.EventEmitter & { closed: boolean }, callback: Done | undefined): void {
	if (!callback) return;
	if (stream.closed) queueMicrotask(() => callback(null));
	else stream.once('close', () => callback(null));
}

/** Copies the data to memory of its own size: a short read would retain the whole chunk. */
function fitted(data: Buffer, count: number): Buffer {
	if (count === data.length) return data;
	const copy = Buffer.allocUnsafeSlow(count);
	data.copy(copy, 0, 0, count);
	return copy;
}
