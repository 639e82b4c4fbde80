type Class = new (...args: never[]) => object;

/**
 * Makes a class callable without `new`, like Node's older classes and as packages written before there were classes
 * require: to create an object, `http.Server(listener)`, or on an object that inherits from it and is to be
 * initialized, `http.ServerResponse.call(this, request)`. The latter requires its fields to be public.
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
