/** An object whose other members are named when they are used: they are not there in a tab. */
export function naming<Value extends object>(value: Value, name: string): Value {
	return new Proxy(value, {
		get(target, key) {
			const found: unknown = Reflect.get(target, key, target);
			// Bound: private members are the object's own.
			if (typeof found === 'function' && key !== 'constructor') return found.bind(target) as unknown;
			// A promise would be asked for `then`, and printing for symbols and `toJSON`.
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

/** Error of a part of Playwright that this runner has not. */
export function notThere(what: string): Error {
	return new Error(`${what} is not there when tests run in a browser tab. Run this test with Playwright on a machine.`);
}
