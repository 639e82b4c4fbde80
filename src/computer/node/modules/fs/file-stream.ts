import processShim from 'process/';
import { pathText, type PathLike } from './arguments.ts';
import { FileHandle } from './file-handle.ts';
import type { Done, StreamFile, StreamOptions } from './stream-file.ts';

/** Key of a stream's file state. */
export const FILE = Symbol('file');

interface OpeningStream extends NodeJS.EventEmitter {
	fd: number | null;
	path?: PathLike;
	flags?: string;
	mode?: number | undefined;
	open(): void;
}

/** Opens the file of a stream, by its own `open` if a program has replaced it. */
export function openFile(stream: OpeningStream, file: StreamFile, open: unknown, done: Done): void {
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
		// After the stream's own step, so that writes of a listener stay in order.
		processShim.nextTick(() => {
			stream.emit('open', fd);
			stream.emit('ready');
		});
	});
}

/** Closes a stream's file once no transfer is under way. */
export function closeFile(stream: { fd: number | null }, file: StreamFile, error: Error | null, done: Done): void {
	file.whenIdle(() => {
		if (!stream.fd) return done(error);
		const { fd } = stream;
		stream.fd = null;
		file.calls.close(fd, (failure) => done(failure ?? error));
	});
}

export const baseOptions = (options: StreamOptions, highWaterMark: number) => ({
	highWaterMark: options.highWaterMark ?? highWaterMark,
	emitClose: options.emitClose ?? true,
	autoDestroy: options.autoClose ?? true,
	signal: options.signal
});

/** Fields of a stream that identify its file: the descriptor that it was given, or the path it opens. */
export function fileOf(path: PathLike, options: StreamOptions, file: StreamFile, flags: string): object {
	if (file.fd !== undefined) return { fd: file.fd };
	const text = pathText(path);
	return {
		fd: null,
		path: path instanceof URL ? text : path,
		flags: options.flags ?? flags,
		mode: options.mode ?? 0o666
	};
}

/** Ends a stream when the handle it belongs to is closed. */
export function closeWithHandle(stream: { close(): void }, { fd }: StreamOptions): void {
	if (fd instanceof FileHandle) fd.on('close', () => stream.close());
}

export const stateOf = (stream: object, state: '_readableState' | '_writableState'): { autoDestroy: boolean } =>
	Reflect.get(stream, state) as { autoDestroy: boolean };

export function whenClosed(stream: NodeJS.EventEmitter & { closed: boolean }, callback: Done | undefined): void {
	if (!callback) return;
	if (stream.closed) queueMicrotask(() => callback(null));
	else stream.once('close', () => callback(null));
}
