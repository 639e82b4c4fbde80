type Class = new (...args: never[]) => object;

/**
 * A class that can be called without `new`, on an object that is to become one of it, as Node's older classes can and
 * packages written before there were classes do: `http.ServerResponse.call(this, request)`. Its fields have to be public.
 */
export function callable<Given extends Class>(given: Given): Given {
	const both = new Proxy(given, {
		apply(target, self: object, args) {
			const made: object = Reflect.construct(target, args);
			Object.defineProperties(self, Object.getOwnPropertyDescriptors(made));
		}
	});
	Object.defineProperty(given.prototype, 'constructor', { value: both, writable: true, configurable: true });
	return both;
}
