import { concat } from '#environment/concat.ts';
import { fillByBrowser, type Hold } from './browser-streams.ts';

type Message = Request | Response;

/** Streams that a program passed as bodies, by message. */
const bodies = new WeakMap<object, ReadableStream>();

/** Stores the body that a message was created with. */
export function keepBody<Made extends object>(made: Made, body: unknown): Made {
	if (body instanceof ReadableStream) bodies.set(made, body);
	return made;
}

/** Stores the bodies of a message and of its clone, which are branches of the original one. */
export function keepClonedBodies(message: Message, copy: Message): void {
	if (!bodies.has(message)) return;
	for (const one of [message, copy]) if (one.body) bodies.set(one, one.body);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Methods that read a whole body. */
const CONSUMERS = {
	arrayBuffer: (bytes: Bytes) => bytes.buffer,
	bytes: (bytes: Bytes) => bytes,
	text: (bytes: Bytes) => new TextDecoder().decode(bytes),
	json: (bytes: Bytes): unknown => JSON.parse(new TextDecoder().decode(bytes)),
	blob: (bytes: Bytes, { headers }: Message) => new Blob([bytes], { type: headers.get('content-type') ?? '' })
};

/**
 * Makes `Response` and `Request` read streams provided by programs, with the streams' errors: a browser replaces these
 * by its own, and does not keep a program alive. Reading by the browser itself keeps the program alive.
 */
export function installConsumers(hold: Hold): void {
	const { read } = ReadableStreamDefaultReader.prototype;
	for (const { prototype } of [Response, Request]) {
		const body = Object.getOwnPropertyDescriptor(prototype, 'body');
		Object.defineProperty(prototype, 'body', {
			...body,
			get(this: Message): unknown {
				const stream: ReadableStream | null = body?.get?.call(this) as ReadableStream | null;
				return bodies.has(this) ? stream : fillByBrowser(stream);
			}
		});
		for (const [name, convert] of Object.entries(CONSUMERS)) {
			const original: unknown = Reflect.get(prototype, name);
			if (typeof original !== 'function') continue;
			const { [name]: method } = {
				async [name](this: Message): Promise<unknown> {
					const stream = bodies.get(this);
					if (this.bodyUsed || stream?.locked) {
						throw new TypeError('Body is unusable: Body has already been read');
					}
					if (!stream) return hold(Reflect.apply(original, this, []) as Promise<unknown>);
					return convert(await collect(stream, (reader) => read.call(reader)), this);
				}
			};
			Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true, enumerable: true });
		}
	}
}

type Read = (reader: ReadableStreamDefaultReader) => Promise<ReadableStreamReadResult<unknown>>;

/** @throws errors of the stream; TypeError for chunks other than bytes */
async function collect(stream: ReadableStream, read: Read): Promise<Bytes> {
	const reader = stream.getReader();
	const pieces: Uint8Array[] = [];
	for (;;) {
		const { done, value } = await read(reader);
		if (done) return concat([new Uint8Array(), ...pieces]) as Bytes;
		if (!(value instanceof Uint8Array)) throw new TypeError('Received non-Uint8Array chunk');
		pieces.push(value);
	}
}
