type Construct = (...args: unknown[]) => object;

/**
 * Makes `Response` and `Request` take async iterables as bodies, such as Node's streams and generators. The browser's
 * own make `[object Object]` of them.
 */
export function acceptIterableBodies(): void {
	replaceBody('Response', ([body, ...rest]) => [streamOf(body), ...rest]);
	replaceBody('Request', ([input, init, ...rest]) => {
		const body: unknown = init === undefined ? undefined : Reflect.get(Object(init), 'body');
		const stream = streamOf(body);
		return stream === body ? [input, init, ...rest] : [input, { ...Object(init), body: stream }, ...rest];
	});
}

function replaceBody(name: 'Response' | 'Request', convert: (args: unknown[]) => unknown[]): void {
	const original: unknown = Reflect.get(globalThis, name);
	if (typeof original !== 'function') return;
	const prototype = original.prototype as object;
	const replaced = new Proxy(original as unknown as Construct, {
		construct: (target, args: unknown[], newTarget) =>
			Reflect.construct(target, args.length === 0 ? args : convert(args), newTarget) as object
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
