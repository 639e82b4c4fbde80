import { keepClonedBodies } from './web-consumers.ts';

type Message = Request | Response;

/**
 * Headers of requests and responses created by a program. The browser's own objects drop those that pages may not set,
 * such as `Cookie`, `Host`, `Origin` and `Set-Cookie`; Node has no such restriction.
 */
const given = new WeakMap<object, Headers>();

/** Headers for a `Request` or `Response`, `undefined` if none are given. */
export function headersGiven(init: unknown, from?: unknown): Headers | undefined {
	const value: unknown = typeof init === 'object' && init !== null ? Reflect.get(init, 'headers') : undefined;
	if (value !== undefined) return new Headers(value as HeadersInit);
	return from instanceof Request ? new Headers(from.headers) : undefined;
}

/** Returns the second argument with other members: it may be a request, whose members are not own properties. */
export function withMembers(init: unknown, members: Record<string, unknown>): object {
	const others = Object(init) as object;
	// Not over the argument itself: a proxy has to show members of a frozen one as they are.
	return new Proxy(members, {
		get: (own, key): unknown =>
			typeof key === 'string' && Object.hasOwn(own, key) ? own[key] : Reflect.get(others, key)
	});
}

/** Gives a message all its headers, in addition to those that the browser sets for its body. */
export function keepHeaders<Made extends object>(made: Made, headers: Headers | undefined): Made {
	const all = headers ?? new Headers();
	for (const [name, value] of nativeHeaders(made as unknown as Message)) if (!all.has(name)) all.append(name, value);
	given.set(made, all);
	return made;
}

/** Members that responses of `fetch` have as own properties here, since programs cannot set them. */
const OF_FETCH = ['url', 'redirected'];

let nativeHeaders: (message: Message) => Headers = (message) => message.headers;

/** Makes `headers` and `clone` of `Request` and `Response` use the headers stored by {@link keepHeaders}. */
export function installHeaders(): void {
	const getters = [Request, Response].map((type) => Object.getOwnPropertyDescriptor(type.prototype, 'headers')?.get);
	nativeHeaders = (message) => Reflect.apply(getters[message instanceof Request ? 0 : 1]!, message, []) as Headers;
	for (const { prototype } of [Request, Response]) {
		const clone = prototype.clone as (this: Message) => Message;
		Object.defineProperties(prototype, {
			headers: {
				configurable: true,
				enumerable: true,
				get(this: Message) {
					return given.get(this) ?? nativeHeaders(this);
				}
			},
			clone: {
				configurable: true,
				enumerable: true,
				writable: true,
				value(this: Message) {
					const copy = clone.call(this);
					const headers = given.get(this);
					if (headers) given.set(copy, new Headers(headers));
					keepClonedBodies(this, copy);
					for (const name of OF_FETCH) {
						const own = Object.getOwnPropertyDescriptor(this, name);
						if (own) Object.defineProperty(copy, name, own);
					}
					return copy;
				}
			}
		});
	}
	Object.defineProperty(Response, 'json', {
		configurable: true,
		enumerable: true,
		writable: true,
		value: function json(data: unknown, init?: ResponseInit) {
			const headers = headersGiven(init) ?? new Headers();
			if (!headers.has('content-type')) headers.set('content-type', 'application/json');
			return new Response(JSON.stringify(data), withMembers(init, { headers }));
		}
	});
}
