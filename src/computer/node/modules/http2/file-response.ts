import { Buffer } from 'buffer';
import { functionValue } from '../../runtime/validate.ts';
import { invalidArgument, invalidValue } from '../../runtime/errors.ts';
import { http2Error } from './errors.ts';
import type { Headers } from './header-lists.ts';
import { ERROR } from './protocol/codes.ts';
import type { Http2Stream } from './stream.ts';

interface Stats {
	size: number;
	isFile(): boolean;
	isDirectory(): boolean;
}

/** Functions of `node:fs` that files are read with. */
export interface FileSystem {
	open(path: unknown, flags: 'r', done: (error: Error | null, fd: number) => void): void;
	close(fd: number, done: (error: Error | null) => void): void;
	fstat(fd: number, done: (error: Error | null, stats: Stats) => void): void;
	read(
		fd: number,
		buffer: Uint8Array,
		offset: number,
		length: number,
		position: number | null,
		done: (error: Error | null, count: number) => void
	): void;
}

export interface FileOptions {
	offset?: number;
	length?: number;
	/** May change the headers, or cancel the response by returning false. */
	statCheck?: (stats: Stats, headers: Headers, range?: Range) => unknown;
	onError?: (error: Error) => void;
	waitForTrailers?: boolean;
	sendDate?: boolean;
	endStream?: boolean;
}

/** Bytes of a file to send; a length of -1 means up to its end, an offset of -1 from where the descriptor is. */
interface Range {
	offset: number;
	length: number;
}

const CHUNK_BYTES = 64 * 1024;

/** @throws ERR_INVALID_ARG_VALUE */
export function checkFileOptions({ offset, length, statCheck }: FileOptions): void {
	for (const [name, value] of Object.entries({ offset, length })) {
		if (value !== undefined && typeof value !== 'number') throw invalidValue(`options.${name}`, value);
	}
	if (statCheck !== undefined && typeof statCheck !== 'function') throw invalidValue('options.statCheck', statCheck);
}

/** Descriptor of a file, or of a `FileHandle`. @throws ERR_INVALID_ARG_TYPE */
export function descriptorOf(given: unknown): number {
	if (typeof given === 'number') return given;
	const fd: unknown = typeof given === 'object' && given !== null ? Reflect.get(given, 'fd') : undefined;
	if (typeof fd === 'number') return fd;
	throw invalidArgument('fd', 'of type number or an instance of FileHandle', given);
}

/** Stream that can be answered with a file. */
export interface FileStream extends Http2Stream {
	/** Sends the headers. @returns false if they are invalid */
	_respondWithData(headers: Headers): boolean;
}

/** Response whose data are a file. */
export class FileResponse {
	/** @param headers those of the response, without the length */
	constructor(
		private readonly fs: FileSystem,
		private readonly stream: FileStream,
		private readonly headers: Headers,
		private readonly options: FileOptions
	) {}

	/** Opens and sends a file. */
	open(path: unknown): void {
		const { fs, stream } = this;
		fs.open(path, 'r', (error, fd) => {
			if (error) return this.#failed(error);
			if (stream.destroyed || stream.closed) return this.#close(fd);
			fs.fstat(fd, (failure, stats) => this.#sendOpened(fd, failure, stats));
		});
	}

	/** Sends an open file, which stays open. */
	send(fd: number): void {
		const { fs, stream, options, headers } = this;
		const { statCheck, offset = 0, length = -1 } = options;
		if (!statCheck) return this.#start(fd, { offset, length }, false);
		fs.fstat(fd, (error, stats) => {
			if (error) return void stream.destroy(error);
			if (stream.destroyed || stream.closed) return void stream.destroy(http2Error('INVALID_STREAM'));
			const range = { offset, length };
			if (statCheck.call(stream, stats, headers, range) === false || stream.headersSent) return;
			this.#start(fd, range, false);
		});
	}

	#sendOpened(fd: number, error: Error | null, stats: Stats): void {
		const { stream, options, headers } = this;
		const { statCheck } = options;
		const refuse = (reason: Error) => {
			this.#close(fd);
			this.#failed(reason);
		};
		if (error) return refuse(error);
		const isFile = stats.isFile();
		if (stats.isDirectory()) return refuse(http2Error('SEND_FILE'));
		if (!isFile && (options.offset !== undefined || options.length !== undefined))
			return refuse(http2Error('SEND_FILE_NOSEEK'));
		if (stream.destroyed || stream.closed) {
			this.#close(fd);
			return void stream.destroy(http2Error('INVALID_STREAM'));
		}
		if (statCheck?.call(stream, stats, headers) === false || stream.headersSent) return this.#close(fd);
		const { offset = 0, length = -1 } = options;
		if (!isFile) return this.#start(fd, { offset: -1, length: -1 }, true);
		const left = stats.size - offset;
		const sent = length < 0 ? left : Math.min(left, length);
		headers['content-length'] = sent;
		this.#start(fd, { offset, length: sent }, true);
	}

	#failed(error: Error): void {
		const { onError } = this.options;
		if (onError) {
			functionValue(onError, 'options.onError');
			onError(error);
		} else this.stream.destroy(error);
	}

	#close(fd: number): void {
		this.fs.close(fd, (error) => {
			if (error) this.stream.destroy(error);
		});
	}

	#start(fd: number, range: Range, isOwn: boolean): void {
		const { stream, headers } = this;
		const finished = () => {
			if (isOwn) this.#close(fd);
		};
		if (!stream._respondWithData(headers)) return finished();
		this.#continue(fd, range, finished);
	}

	/** Sends the next part once the one before was written. */
	#continue(fd: number, { offset, length }: Range, finished: () => void): void {
		const { fs, stream } = this;
		const { _state: state } = stream;
		if (!state || stream.destroyed) return finished();
		const count = length < 0 ? CHUNK_BYTES : Math.min(CHUNK_BYTES, length);
		const ended = () => {
			finished();
			if (stream._state) stream._session?._connection?.shutDown(stream._state);
		};
		if (count === 0) return ended();
		const chunk = Buffer.alloc(count);
		fs.read(fd, chunk, 0, count, offset < 0 ? null : offset, (error, size) => {
			if (error) {
				finished();
				return stream.close(ERROR.INTERNAL_ERROR);
			}
			if (size === 0) return ended();
			const next = { offset: offset < 0 ? offset : offset + size, length: length < 0 ? length : length - size };
			const isQueued = stream._session?._connection?.write(state, chunk.subarray(0, size), (isSent) => {
				if (isSent) this.#continue(fd, next, finished);
				else finished();
			});
			if (!isQueued) finished();
		});
	}
}
