type Class = new (...args: never[]) => object;

/**
 * A class that can be called without `new`, as Node's older classes can and packages written before there were classes
 * do: to get an object of it, `http.Server(listener)`, or on one that inherits from it and is to become one of it,
 * `http.ServerResponse.call(this, request)`. For the second, its fields have to be public.
 */
export function callable<Given extends Class>(given: Given): Given {
	const both = new Proxy(given, {
		apply(target, self: unknown, args) {
			const made: object = Reflect.construct(target, args);
			if (!(self instanceof target)) return made;
			Object.defineProperties(self, Object.getOwnPropertyDescriptors(made));
		}
	});
	Object.defineProperty(given.prototype, 'constructor', { value: both, writable: true, configurable: true });
	return both;
}
