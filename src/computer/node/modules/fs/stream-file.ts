import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import { functionValue, integer } from '../../runtime/validate.ts';
import { fsOptions, type PathLike } from './arguments.ts';
import { FileHandle } from './file-handle.ts';

export type Done = (error?: Error | null) => void;
type Transferred = (error: Error | null, count: number, data?: unknown) => void;

/** `fs` calls used by a stream; a program may provide its own, or replace those of the module. */
export interface StreamCalls {
	open(
		path: PathLike,
		flags: string | undefined,
		mode: number | undefined,
		done: (error: Error | null, fd: number) => void
	): void;
	close(fd: number, done: Done): void;
	read(fd: number, into: Uint8Array, offset: number, length: number, position: unknown, done: Transferred): void;
	write(fd: number, from: Uint8Array, offset: number, length: number, position: unknown, done: Transferred): void;
	writev?(fd: number, views: Uint8Array[], position: unknown, done: Transferred): void;
}

export interface StreamOptions {
	fd?: unknown;
	fs?: StreamCalls;
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

export const fromZero = integer(0);

/** Options of a stream; they may also be just an encoding. @throws ERR_INVALID_ARG_TYPE */
export function streamOptions(given: unknown): StreamOptions {
	if (given !== undefined && given !== null && typeof given !== 'string' && typeof given !== 'object')
		throw invalidArgument('options', 'one of type string or object', given);
	return fsOptions(given) as StreamOptions;
}

/** Checks the calls that a program provides instead of the module's. @throws ERR_INVALID_ARG_TYPE */
function checkCalls(calls: StreamCalls, transfers: readonly ('read' | 'write' | 'writev')[]): void {
	functionValue(calls.open, 'options.fs.open');
	const given = transfers.filter((name) => calls[name] !== undefined);
	for (const name of given.length > 0 ? given : transfers.slice(0, 1)) functionValue(calls[name], `options.fs.${name}`);
	functionValue(calls.close, 'options.fs.close');
}

/** Calls of a stream that belongs to a handle. */
function handleCalls(handle: FileHandle): StreamCalls {
	const transfer = (work: Promise<{ count: number; data: unknown }>, done: Transferred): void => {
		work.then(
			({ count, data }) => done(null, count, data),
			(error: Error) => done(error, 0)
		);
	};
	return {
		open: (_path, _flags, _mode, done) => done(null, handle.fd),
		close: (_fd, done) => void handle.close().then(() => done(), done),
		read: (_fd, into, offset, length, position, done) =>
			transfer(
				handle
					.read(into, offset, length, position)
					.then(({ bytesRead, buffer }) => ({ count: bytesRead, data: buffer })),
				done
			),
		write: (_fd, from, offset, length, position, done) =>
			transfer(
				handle
					.write(from, offset, length, position)
					.then(({ bytesWritten, buffer }) => ({ count: bytesWritten, data: buffer })),
				done
			),
		writev: (_fd, views, position, done) =>
			transfer(
				handle.writev(views, position).then(({ bytesWritten, buffers }) => ({ count: bytesWritten, data: buffers })),
				done
			)
	};
}

/** Common part of read and write streams: their file calls, and the pending one. */
export class StreamFile {
	readonly calls: StreamCalls;
	/** Descriptor from the options; undefined if the stream opens its file itself. */
	readonly fd: number | undefined;
	#transfers = 0;
	#idle: (() => void) | null = null;

	constructor(module: StreamCalls, options: StreamOptions, transfers: readonly ('read' | 'write' | 'writev')[]) {
		if (options.fs) checkCalls(options.fs, transfers);
		const { fd } = options;
		if (fd instanceof FileHandle) {
			if (options.fs)
				throw nodeError(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The FileHandle with fs method is not implemented');
			fromZero(fd.fd, 'fd');
			this.calls = handleCalls(fd);
			this.fd = fd.fd;
			return;
		}
		this.calls = options.fs ?? module;
		if (fd === undefined || fd === null) return;
		if (typeof fd !== 'number') throw invalidArgument('options.fd', 'of type number or an instance of FileHandle', fd);
		fromZero(fd, 'fd');
		this.fd = fd;
	}

	/** Marks a transfer as started. @returns function that ends it; a stream only closes its file afterwards */
	begin(): () => void {
		this.#transfers++;
		return () => {
			if (--this.#transfers > 0) return;
			const idle = this.#idle;
			this.#idle = null;
			idle?.();
		};
	}

	whenIdle(run: () => void): void {
		if (this.#transfers === 0) run();
		else this.#idle = run;
	}
}
