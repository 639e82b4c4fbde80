/**
 * Must be imported first. Pyodide refuses workers that have `importScripts`, since it would use `import()` for its
 * parts; here all of them are in the bundle, and the sandbox loads nothing by URL.
 */
for (let holder: object | null = globalThis; holder; holder = Reflect.getPrototypeOf(holder)) {
	Reflect.deleteProperty(holder, 'importScripts');
}
export {};
