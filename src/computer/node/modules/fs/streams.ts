import { Buffer } from 'buffer';
import { Readable, Writable } from '../stream.ts';
import { fsOptions, pathText, type PathLike } from './arguments.ts';
import type { EventLoop } from '../../runtime/event-loop.ts';
import type { SyncCalls } from './sync.ts';

interface StreamOptions {
	fd?: number | { fd: number };
	flags?: string;
	mode?: number;
	start?: number;
	end?: number;
	autoClose?: boolean;
	emitClose?: boolean;
	highWaterMark?: number;
	encoding?: BufferEncoding;
	signal?: AbortSignal;
}

/** `fs.ReadStream` and `fs.WriteStream`, with or without `new`. */
export function streamClasses(calls: SyncCalls, loop: EventLoop) {
	/** Opens in a turn of its own: who made the stream listens, or destroys it, before an error is known. */
	const openLater = (open: () => number, opened: (error: Error | null, descriptor: number | null) => void): void => {
		const release = loop.hold();
		loop.post(() => {
			release();
			loop.enter(() => {
				let found: number;
				try {
					found = open();
				} catch (error) {
					return opened(error as Error, null);
				}
				opened(null, found);
			});
		});
	};
	const descriptor = (options: StreamOptions) => (typeof options.fd === 'object' ? options.fd.fd : options.fd);
	/** Gives a stream its descriptor: the one of the options, or that of its file. */
	const construct = (
		stream: ReadStream | WriteStream,
		options: StreamOptions,
		done: (error?: Error | null) => void
	): void => {
		const given = descriptor(options);
		if (given !== undefined) {
			stream.fd = given;
			return done();
		}
		openLater(
			() => calls.open(stream.path, stream.flags, options.mode),
			(error, found) => {
				stream.fd = found;
				done(error);
				if (error) return;
				stream.emit('open', found);
				stream.emit('ready');
			}
		);
	};

	class ReadStream extends Readable {
		path: PathLike;
		fd: number | null = null;
		flags: string;
		bytesRead = 0;
		readonly #options: StreamOptions;
		#position: number | undefined;

		constructor(path: PathLike, given?: unknown) {
			const options = fsOptions(given) as StreamOptions;
			super({
				highWaterMark: options.highWaterMark ?? 65_536,
				encoding: options.encoding,
				emitClose: options.emitClose ?? true,
				autoDestroy: options.autoClose ?? true,
				signal: options.signal
			});
			this.path = path;
			this.flags = options.flags ?? 'r';
			this.#options = options;
			this.#position = options.start;
		}

		override _construct(done: (error?: Error | null) => void): void {
			construct(this, this.#options, done);
		}

		override _read(size: number): void {
			const end = this.#options.end ?? Infinity;
			const left = end === Infinity ? size : Math.min(size, end + 1 - (this.#position ?? this.bytesRead));
			if (left <= 0) return void this.push(null);
			const chunk = Buffer.alloc(left);
			try {
				const count = calls.read(this.fd ?? -1, chunk, 0, left, this.#position);
				this.bytesRead += count;
				if (this.#position !== undefined) this.#position += count;
				this.push(count > 0 ? chunk.subarray(0, count) : null);
			} catch (error) {
				this.destroy(error as Error);
			}
		}

		override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
			if (this.fd !== null && this.#options.autoClose !== false) close(this.fd);
			this.fd = null;
			done(error);
		}

		close(callback?: (error?: Error | null) => void): void {
			if (callback) this.once('close', () => callback(null));
			this.destroy();
		}
	}

	class WriteStream extends Writable {
		path: PathLike;
		fd: number | null = null;
		flags: string;
		bytesWritten = 0;
		readonly #options: StreamOptions;
		#position: number | undefined;

		constructor(path: PathLike, given?: unknown) {
			const options = fsOptions(given) as StreamOptions;
			super({
				highWaterMark: options.highWaterMark ?? 16_384,
				emitClose: options.emitClose ?? true,
				autoDestroy: options.autoClose ?? true,
				defaultEncoding: options.encoding,
				signal: options.signal
			});
			this.path = path;
			this.flags = options.flags ?? 'w';
			this.#options = options;
			this.#position = options.start;
		}

		override _construct(done: (error?: Error | null) => void): void {
			construct(this, this.#options, done);
		}

		override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
			try {
				const count = calls.write(this.fd ?? -1, chunk, 0, chunk.length, this.#position);
				this.bytesWritten += count;
				if (this.#position !== undefined) this.#position += count;
				done();
			} catch (error) {
				done(error as Error);
			}
		}

		override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
			if (this.fd !== null && this.#options.autoClose !== false) close(this.fd);
			this.fd = null;
			done(error);
		}

		close(callback?: (error?: Error | null) => void): void {
			if (callback) this.once('close', () => callback(null));
			this.end();
		}
	}

	const close = (fd: number) => {
		if (fd > 2) calls.close(fd);
	};
	return {
		ReadStream: callable(ReadStream),
		WriteStream: callable(WriteStream),
		createReadStream: (path: PathLike, options?: unknown) => {
			if (!path || typeof path !== 'object') pathText(path ?? '');
			return new ReadStream(path, options);
		},
		createWriteStream: (path: PathLike, options?: unknown) => new WriteStream(path, options)
	};
}

/** Old code calls these classes without `new`. */
function callable<Class extends abstract new (...args: never[]) => object>(original: Class): Class {
	return new Proxy(original, { apply: (target, _this, args) => Reflect.construct(target, args) as object });
}
