const ATTRIBUTES = ['configurable', 'writable', 'enumerable'] as const;

/**
 * `process.env`: every value is converted to a string, and every property is an ordinary one.
 * @param followZone receives each new value of `TZ`
 */
export function environment(
	initial: Record<string, string>,
	followZone: (tz: string | undefined) => void
): Record<string, string> {
	const follow = (key: string | symbol, tz?: string) => {
		if (key === 'TZ') followZone(tz);
		return true;
	};
	followZone(initial['TZ']);
	return new Proxy(
		{ ...initial },
		{
			get: (target, key) => (typeof key === 'symbol' && !(key in target) ? undefined : Reflect.get(target, key)),
			set(target, key, value) {
				refuseSymbols(key, value);
				return Reflect.set(target, key, String(value)) && follow(key, String(value));
			},
			defineProperty(target, key, descriptor) {
				if ('get' in descriptor || 'set' in descriptor) {
					throw invalidProperty('does not accept an accessor(getter/setter) descriptor');
				}
				if (!ATTRIBUTES.every((name) => descriptor[name])) {
					throw invalidProperty('only accepts a configurable, writable, and enumerable data descriptor');
				}
				refuseSymbols(key, descriptor.value);
				const value = String(descriptor.value);
				return Reflect.defineProperty(target, key, { ...descriptor, value }) && follow(key, value);
			},
			deleteProperty: (target, key) => Reflect.deleteProperty(target, key) && follow(key)
		}
	);
}

const invalidProperty = (words: string) =>
	Object.assign(new TypeError(`'process.env' ${words}`), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' });

function refuseSymbols(...values: unknown[]): void {
	if (values.some((value) => typeof value === 'symbol')) {
		throw new TypeError('Cannot convert a Symbol value to a string');
	}
}
