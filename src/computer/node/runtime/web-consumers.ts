import { concat } from '#environment/concat.ts';
import { fillByBrowser, type Hold } from './browser-streams.ts';

type Message = Request | Response;

/** Streams that a program gave as bodies, by their messages. */
const bodies = new WeakMap<object, ReadableStream>();

/** Notes the body that a message was made with. */
export function keepBody<Made extends object>(made: Made, body: unknown): Made {
	if (body instanceof ReadableStream) bodies.set(made, body);
	return made;
}

/** Notes the bodies of a message and of its clone, which are branches of the one before. */
export function keepClonedBodies(message: Message, copy: Message): void {
	if (!bodies.has(message)) return;
	for (const one of [message, copy]) if (one.body) bodies.set(one, one.body);
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Whole bodies by the methods that give them. */
const CONSUMERS = {
	arrayBuffer: (bytes: Bytes) => bytes.buffer,
	bytes: (bytes: Bytes) => bytes,
	text: (bytes: Bytes) => new TextDecoder().decode(bytes),
	json: (bytes: Bytes): unknown => JSON.parse(new TextDecoder().decode(bytes)),
	blob: (bytes: Bytes, { headers }: Message) => new Blob([bytes], { type: headers.get('content-type') ?? '' })
};

/**
 * Has `Response` and `Request` read the streams that programs give them, and fail as these do: a browser replaces their
 * errors by one of its own, and keeps no program waiting. What the browser itself reads keeps the program alive.
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

/** @throws whatever the stream fails with; TypeError where it has something else than bytes */
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
