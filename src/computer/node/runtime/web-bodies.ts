import { keepBody } from './web-consumers.ts';
import { headersGiven, installHeaders, keepHeaders, withMembers } from './web-headers.ts';

type Construct = (...args: unknown[]) => object;

/** Arguments of the browser's own constructor, and the headers and body stored for the object. */
interface Converted {
	args: unknown[];
	headers: Headers | undefined;
	body: unknown;
}

/**
 * Makes `Response` and `Request` accept all headers, and async iterables as bodies, such as Node's streams and
 * generators: the browser's own convert them to `[object Object]`.
 */
export function acceptNodesMessages(): void {
	replaceMessage('Response', ([body, init]) => {
		const headers = headersGiven(init);
		const stream = streamOf(body);
		return { args: [stream, headers ? withMembers(init, { headers }) : init], headers, body: stream };
	});
	replaceMessage('Request', ([input, init]) => {
		const headers = headersGiven(init, input);
		const body: unknown = init === undefined ? undefined : Reflect.get(Object(init), 'body');
		const stream = streamOf(body);
		const members = { ...(headers && { headers }), ...(stream !== body && { body: stream }) };
		const converted = Object.keys(members).length > 0 ? withMembers(init, members) : init;
		return { args: [input, converted], headers, body: stream };
	});
	installHeaders();
}

function replaceMessage(name: 'Response' | 'Request', convert: (args: unknown[]) => Converted): void {
	const original: unknown = Reflect.get(globalThis, name);
	if (typeof original !== 'function') return;
	const prototype = original.prototype as object;
	const replaced = new Proxy(original as unknown as Construct, {
		construct(target, given: unknown[], newTarget) {
			const none = { args: given, headers: undefined, body: undefined };
			const { args, headers, body } = given.length === 0 ? none : convert(given);
			return keepBody(keepHeaders(Reflect.construct(target, args, newTarget) as object, headers), body);
		}
	});
	Object.defineProperty(prototype, 'constructor', { value: replaced, writable: true, configurable: true });
	Object.defineProperty(globalThis, name, { value: replaced, writable: true, configurable: true });
}

function streamOf(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || body instanceof ReadableStream) return body;
	const iterate: unknown = Reflect.get(body, Symbol.asyncIterator);
	if (typeof iterate !== 'function') return body;
	const iterator = Reflect.apply(iterate, body, []) as AsyncIterator<ArrayLike<number>>;
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const { done, value } = await iterator.next();
			if (done) return controller.close();
			controller.enqueue(bytesOf(value));
		},
		async cancel(reason) {
			await iterator.return?.(reason);
		}
	});
}

const bytesOf = (chunk: unknown): Uint8Array =>
	typeof chunk === 'string' ? new TextEncoder().encode(chunk) : new Uint8Array(chunk as ArrayLike<number>);
