/** Keeps a program alive while a promise is pending. */
export type Hold = <Result>(promise: Promise<Result>) => Promise<Result>;
type Method = (this: object, ...args: unknown[]) => unknown;
type Reader = Pick<ReadableStreamDefaultReader<unknown>, 'read' | 'cancel' | 'releaseLock'>;

/** Streams filled by the browser, such as those of blobs: their data come from outside the program. */
const filled = new WeakSet<object>();
const readers = new WeakSet<object>();

/** Marks a stream as filled by the browser. */
export function fillByBrowser<Stream>(stream: Stream): Stream {
	if (stream instanceof ReadableStream) filled.add(stream);
	return stream;
}

/**
 * Makes reading streams filled by the browser keep the program alive, as the underlying work does in Node. A stream of
 * the program's own is not affected: a read that is never answered does not keep a program alive.
 */
export function holdBrowserStreams(hold: Hold): void {
	const streams = ReadableStream.prototype;
	const held = (call: () => unknown, isHeld: boolean): unknown => {
		const result = call();
		return isHeld && result instanceof Promise ? hold(result) : result;
	};
	replace(Blob.prototype, 'stream', (stream) => (blob, args) => fillByBrowser(Reflect.apply(stream, blob, args)));
	for (const kind of ['ReadableStreamDefaultReader', 'ReadableStreamBYOBReader']) {
		const { prototype } = Object(Reflect.get(globalThis, kind)) as { prototype?: object };
		if (!prototype) continue;
		replace(prototype, 'read', (read) => (reader, args) => {
			return held(() => Reflect.apply(read, reader, args), readers.has(reader));
		});
	}
	replace(streams, 'getReader', (getReader) => (stream, args) => {
		const reader = Reflect.apply(getReader, stream, args) as object;
		if (filled.has(stream)) readers.add(reader);
		return reader;
	});
	replace(streams, 'tee', (tee) => (stream, args) => {
		const branches = Reflect.apply(tee, stream, args) as unknown[];
		if (filled.has(stream)) branches.forEach(fillByBrowser);
		return branches;
	});
	replace(streams, 'pipeTo', (pipeTo) => (stream, args) => {
		return held(() => Reflect.apply(pipeTo, stream, args), filled.has(stream));
	});
	replace(streams, 'pipeThrough', (pipeThrough) => (stream, args) => {
		const [ends, options] = args as [ReadableWritablePair | undefined, StreamPipeOptions?];
		const source = stream as ReadableStream;
		if (!filled.has(stream) || source.locked || ends?.writable.locked !== false) {
			return Reflect.apply(pipeThrough, stream, args);
		}
		// `pipeTo` returns a promise for its duration. Its error also arrives at the other end.
		source.pipeTo(ends.writable, options).catch(() => {});
		return ends.readable;
	});
	for (const name of ['values', Symbol.asyncIterator]) {
		replace(streams, name, (iterate) => (stream, args) => {
			if (!filled.has(stream)) return Reflect.apply(iterate, stream, args);
			const [options] = args as [ReadableStreamIteratorOptions?];
			return pieces((stream as ReadableStream).getReader(), options?.preventCancel === true);
		});
	}
}

async function* pieces(reader: Reader, preventCancel: boolean): AsyncGenerator<unknown> {
	let isOver = true;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			isOver = false;
			yield value;
			isOver = true;
		}
	} finally {
		if (!isOver && !preventCancel) await reader.cancel();
		reader.releaseLock();
	}
}

/** Replaces a method, if the browser has it. */
function replace(
	holder: object,
	name: string | symbol,
	make: (original: Method) => (self: object, args: unknown[]) => unknown
): void {
	const before = Object.getOwnPropertyDescriptor(holder, name);
	const original: unknown = before?.value;
	if (typeof original !== 'function') return;
	const call = make(original as Method);
	const value = function (this: object, ...args: unknown[]) {
		return call(this, args);
	};
	for (const key of ['name', 'length']) {
		Object.defineProperty(value, key, { value: Reflect.get(original, key), configurable: true });
	}
	Object.defineProperty(holder, name, { ...before, value });
}
