/** Wraps an object so that using a missing member throws an error with its name: it is not available in a tab. */
export function naming<Value extends object>(value: Value, name: string): Value {
	return new Proxy(value, {
		get(target, key) {
			const found: unknown = Reflect.get(target, key, target);
			// Bound, since private members belong to the object itself.
			if (typeof found === 'function' && key !== 'constructor') return found.bind(target) as unknown;
			// `await` accesses `then`, and printing accesses symbols and `toJSON`.
			if (
				found !== undefined ||
				typeof key === 'symbol' ||
				key in target ||
				/^(then|toJSON|asymmetricMatch|nodeType|\$\$typeof|constructor)$/.test(key)
			)
				return found;
			return () => {
				throw notThere(`${name}.${key}()`);
			};
		}
	});
}

/** Error for a part of Playwright that this runner does not have. */
export function notThere(what: string): Error {
	return new Error(`${what} is not there when tests run in a browser tab. Run this test with Playwright on a machine.`);
}
