import { nodeError } from '../runtime/errors.ts';
import type { EsModule } from './esm.ts';

/** An empty namespace: sorted names, no prototype, printed as `[Module: null prototype]`. */
export function moduleNamespace(names: string[]): Record<string, unknown> {
	const namespace: Record<string, unknown> = Object.create(null);
	for (const name of [...names].sort()) namespace[name] = undefined;
	Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
	// Asked for by the rewritten `export *`.
	Object.defineProperty(namespace, 'hasOwnProperty', { value: (key: string) => Object.hasOwn(namespace, key) });
	return namespace;
}

/** What an ES module sees of CommonJS: `default` is `module.exports`, names are its properties. */
export function commonJsNamespace(exports: unknown, named = true): Record<string, unknown> {
	const namespace = moduleNamespace(['default']);
	Object.defineProperty(namespace, '__esModule', { value: true });
	namespace['default'] = exports;
	if (!named || exports === null || (typeof exports !== 'object' && typeof exports !== 'function')) return namespace;
	const source: object = exports;
	for (const name of Object.keys(source)) {
		if (name === 'default' || name === '__esModule') continue;
		Object.defineProperty(namespace, name, {
			enumerable: true,
			configurable: true,
			get: () => Reflect.get(source, name)
		});
	}
	return namespace;
}

/** Throws Node's SyntaxError for a name that the other module does not export. */
export function checkNames(module: EsModule): void {
	if (module.source.typescript) return;
	for (const { specifier, names } of module.source.imports) {
		const dependency = module.dependencies.get(specifier);
		if (!dependency || names.length === 0) continue;
		const exported =
			dependency.kind === 'module'
				? exportedNames(dependency.module, new Set())
				: dependency.url.startsWith('node:')
					? new Set(Object.keys(dependency.load() as object))
					: null;
		const missing = exported && names.find((name) => !exported.has(name));
		if (missing) {
			const text = `The requested module '${specifier}' does not provide an export named '${missing}'`;
			throw Object.assign(new SyntaxError(text), { file: module.file, line: lineOf(module, specifier, missing) });
		}
	}
}

/** `null` when a CommonJS module is among what it passes on: its names are not known before it runs. */
function exportedNames(module: EsModule, seen: Set<EsModule>): Set<string> | null {
	const names = new Set(module.source.exports);
	if (seen.has(module)) return names;
	seen.add(module);
	for (const star of module.source.stars) {
		const dependency = module.dependencies.get(star);
		const passed = dependency?.kind === 'module' ? exportedNames(dependency.module, seen) : null;
		if (!passed) return null;
		for (const name of passed) if (name !== 'default') names.add(name);
	}
	return names;
}

function lineOf(module: EsModule, specifier: string, name: string): number {
	const lines = module.source.original.split('\n');
	const at = lines.findIndex((line) => line.includes(name) && /\bimport\b/.test(line));
	return 1 + (at >= 0 ? at : lines.findIndex((line) => line.includes(specifier)));
}

export const unknownBuiltin = (name: string) =>
	nodeError(Error, 'ERR_UNKNOWN_BUILTIN_MODULE', `No such built-in module: ${name}`);
