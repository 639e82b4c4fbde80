import type { Duplex, DuplexOptions, Readable, ReadableOptions, Writable, WritableOptions } from 'node:stream';
import streams from 'readable-stream';
import { invalidArgument, nodeError } from '../runtime/errors.ts';

type Done = (error?: Error | null) => void;

/** State of a web stream that its sink or source cannot know. */
interface Ending {
	isOver: boolean;
}

function instance(value: unknown, kind: 'ReadableStream' | 'WritableStream', name: string): void {
	if (!(value instanceof globalThis[kind])) throw invalidArgument(name, `an instance of ${kind}`, value);
}

/** Error for a premature end, as in Node's adapters. */
function ended(error: Error | null | undefined): Error | null {
	if (!error || Reflect.get(error, 'code') !== 'ERR_STREAM_PREMATURE_CLOSE') return error ?? null;
	const aborted = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(aborted, { name: 'AbortError', cause: error });
}

const settle = (promise: Promise<unknown>, done: Done): void =>
	void promise.then(
		() => done(),
		(error: Error) => done(error)
	);

/** Tracks whether a reader or writer is closed. An error destroys the stream. */
function follow(closed: Promise<unknown>, ending: Ending, stream: () => Readable | Writable): void {
	closed.then(
		() => void (ending.isOver = true),
		(error: Error) => {
			ending.isOver = true;
			stream().destroy(error);
		}
	);
}

function source(reader: ReadableStreamDefaultReader<unknown>, ending: Ending) {
	return {
		read(this: Readable): void {
			reader.read().then(
				({ done, value }) => void this.push(done ? null : value),
				(error: Error) => void this.destroy(error)
			);
		},
		stop: (error: Error | null): Promise<unknown> => (ending.isOver ? Promise.resolve() : reader.cancel(error))
	};
}

function sink(writer: WritableStreamDefaultWriter<unknown>, ending: Ending) {
	return {
		write(chunk: unknown, _encoding: string, done: Done): void {
			settle(
				writer.ready.then(() => writer.write(chunk)),
				done
			);
		},
		final: (done: Done): void => settle(ending.isOver ? Promise.resolve() : writer.close(), done),
		stop: (error: Error | null): Promise<unknown> => {
			if (ending.isOver) return Promise.resolve();
			return error ? writer.abort(error) : writer.close();
		}
	};
}

/** Passes the error on once both sides have stopped; errors caused by stopping are not reported to the program. */
function destroyWith(stop: (error: Error | null) => Promise<unknown>) {
	return (error: Error | null, done: Done): void => {
		const tell = () => done(error);
		stop(error).then(tell, tell);
	};
}

function readableFromWeb(stream: ReadableStream, options: ReadableOptions = {}): Readable {
	instance(stream, 'ReadableStream', 'readableStream');
	const ending: Ending = { isOver: false };
	const reader = stream.getReader();
	const { read, stop } = source(reader, ending);
	const readable: Readable = new streams.Readable({ ...options, read, destroy: destroyWith(stop) });
	follow(reader.closed, ending, () => readable);
	return readable;
}

function writableFromWeb(stream: WritableStream, options: WritableOptions = {}): Writable {
	instance(stream, 'WritableStream', 'writableStream');
	const ending: Ending = { isOver: false };
	const writer = stream.getWriter();
	const { write, final, stop } = sink(writer, ending);
	const writable: Writable = new streams.Writable({ ...options, write, final, destroy: destroyWith(stop) });
	follow(writer.closed, ending, () => writable);
	return writable;
}

function duplexFromWeb(
	pair: { readable: ReadableStream; writable: WritableStream },
	options: DuplexOptions = {}
): Duplex {
	instance(pair?.readable, 'ReadableStream', 'pair.readable');
	instance(pair.writable, 'WritableStream', 'pair.writable');
	const [readEnding, writeEnding]: [Ending, Ending] = [{ isOver: false }, { isOver: false }];
	const [reader, writer] = [pair.readable.getReader(), pair.writable.getWriter()];
	const from = source(reader, readEnding);
	const to = sink(writer, writeEnding);
	const duplex: Duplex = new streams.Duplex({
		...options,
		read: from.read,
		write: to.write,
		final: to.final,
		destroy: destroyWith((error) => Promise.all([from.stop(error), to.stop(error)]))
	});
	follow(reader.closed, readEnding, () => duplex);
	follow(writer.closed, writeEnding, () => duplex);
	return duplex;
}

function readableToWeb(readable: Readable, options: { strategy?: QueuingStrategy } = {}): ReadableStream {
	if (typeof readable?.read !== 'function') throw invalidArgument('streamReadable', 'an stream.Readable', readable);
	if (readable.destroyed || !readable.readable) {
		const closed = new ReadableStream();
		void closed.cancel();
		return closed;
	}
	const { readableObjectMode: isObjects, readableHighWaterMark: highWaterMark } = readable;
	const strategy = options.strategy ?? (isObjects ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark });
	const start = (controller: ReadableStreamDefaultController): void => {
		const stop = streams.finished(readable, { writable: false }, (error) => {
			stop();
			// Errors after the end are ignored.
			readable.on('error', () => {});
			const failure = ended(error);
			if (failure) controller.error(failure);
			else if (controller.desiredSize !== null) controller.close();
		});
		readable.on('data', (chunk: unknown) => {
			controller.enqueue(chunk instanceof Uint8Array && !isObjects ? new Uint8Array(chunk) : chunk);
			if ((controller.desiredSize ?? 0) <= 0) readable.pause();
		});
		readable.pause();
	};
	const pull = () => void readable.resume();
	return new ReadableStream({ start, pull, cancel: (reason: Error) => void readable.destroy(reason) }, strategy);
}

function writableToWeb(writable: Writable): WritableStream {
	if (typeof writable?.write !== 'function') throw invalidArgument('streamWritable', 'an stream.Writable', writable);
	if (writable.destroyed || !writable.writable) {
		const closed = new WritableStream();
		void closed.close();
		return closed;
	}
	const { writableHighWaterMark: highWaterMark, writableObjectMode: isObjects } = writable;
	const strategy = isObjects ? new CountQueuingStrategy({ highWaterMark }) : { highWaterMark };
	let settleOver: (failure: Error | null) => void = () => {};
	const over = new Promise<void>((resolve, reject) => {
		settleOver = (failure) => (failure ? reject(failure) : resolve());
	});
	// If the web stream is never closed, the result is never read.
	over.catch(() => {});
	let wake: (() => void) | null = null;
	return new WritableStream(
		{
			start(controller) {
				writable.on('drain', () => wake?.());
				const stop = streams.finished(writable, { readable: false }, (error) => {
					stop();
					writable.on('error', () => {});
					wake?.();
					const failure = ended(error);
					settleOver(failure);
					if (failure) controller.error(failure);
				});
			},
			async write(chunk) {
				if (writable.writableNeedDrain || !writable.write(chunk))
					await new Promise<void>((resolve) => (wake = resolve));
			},
			abort: (reason: Error) => void writable.destroy(reason),
			close() {
				if (!writable.writableEnded) writable.end();
				return over;
			}
		},
		strategy
	);
}

/** Adds the conversions to and from web streams to Node's classes, which the package lacks. */
export function defineWebStreams(): void {
	Object.assign(streams.Readable, { fromWeb: readableFromWeb, toWeb: readableToWeb });
	Object.assign(streams.Writable, { fromWeb: writableFromWeb, toWeb: writableToWeb });
	Object.assign(streams.Duplex, {
		fromWeb: duplexFromWeb,
		toWeb: (duplex: Duplex) => ({ readable: readableToWeb(duplex), writable: writableToWeb(duplex) })
	});
}
