/** Names that have another meaning in the global scope. */
const OTHERS = new Set(['console', 'module', 'process']);

/** Defines Node's modules by name on a global object; each is loaded when it is first read. */
export function defineLibraryGlobals(target: object, names: readonly string[], get: (name: string) => unknown): void {
	for (const name of names) {
		if (OTHERS.has(name)) continue;
		const define = (value: unknown) =>
			Object.defineProperty(target, name, { value, writable: true, enumerable: false, configurable: true });
		Object.defineProperty(target, name, {
			get: () => {
				const module = get(name);
				define(module);
				return module;
			},
			set: define,
			enumerable: false,
			configurable: true
		});
	}
}
