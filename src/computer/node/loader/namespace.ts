import { nodeError } from '../runtime/errors.ts';
import type { Dependency, EsModule } from './es-module.ts';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Creates a namespace without names: no prototype, printed as `[Module: null prototype]` with its values. */
export function emptyNamespace(): Record<string, unknown> {
	const namespace: Record<string, unknown> = Object.create(null);
	Object.defineProperty(namespace, Symbol.toStringTag, { value: 'Module' });
	Object.defineProperty(namespace, INSPECT, {
		value: () => {
			const shown: Record<string | symbol, unknown> = Object.create(null);
			for (const name of Object.keys(namespace)) shown[name] = valueOf(namespace, name);
			return Object.defineProperty(shown, Symbol.toStringTag, { value: 'Module' });
		}
	});
	return namespace;
}

function valueOf(namespace: object, name: string): unknown {
	try {
		return Reflect.get(namespace, name);
	} catch {
		// The variable is not initialized yet; Node prints the same word.
		return '<uninitialized>';
	}
}

/** Defines `name` with the getter `get`: exports change with their variables. */
export function exportName(namespace: object, name: string, get: () => unknown): void {
	Object.defineProperty(namespace, name, { get, enumerable: true, configurable: true });
}

/** Results of `require()` for modules with a default export, by their namespaces. */
const required = new WeakMap<object, object>();

/**
 * Returns what `require()` of an ES module is: its namespace, in which `__esModule` marks a default export for compiled
 * CommonJS, or its export named `module.exports`.
 */
export function requiredModule(namespace: Record<string, unknown>): unknown {
	if (Object.hasOwn(namespace, 'module.exports')) return namespace['module.exports'];
	if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) return namespace;
	const known = required.get(namespace);
	if (known) return known;
	const marked = emptyNamespace();
	for (const name of ['__esModule', ...Object.keys(namespace)].sort()) {
		exportName(marked, name, name === '__esModule' ? () => true : () => namespace[name]);
	}
	required.set(namespace, marked);
	return marked;
}

/** Defines the names of a module's namespace, sorted; their values exist once the module has started. */
export function nameExports(module: EsModule): void {
	const { namespace, source } = module;
	const names = exportedNames(module, new Set(), false) ?? new Set();
	for (const name of [...names].sort()) {
		if (Object.hasOwn(namespace, name)) continue;
		exportName(namespace, name, () => {
			throw new ReferenceError(`Cannot access '${name}' before initialization`);
		});
	}
	for (const { name, from, importName } of source.passed) {
		const dependency = module.dependencies.get(from);
		if (dependency?.kind !== 'module') continue;
		const other = dependency.module.namespace;
		exportName(namespace, name, importName === null ? () => other : () => other[importName]);
	}
	// In a cycle they are read before this module has run, although the module they come from may have.
	const own = new Set([...source.exports, ...source.passed.map(({ name }) => name)]);
	for (const star of source.stars) {
		const dependency = module.dependencies.get(star);
		if (dependency?.kind !== 'module') continue;
		const other = dependency.module.namespace;
		for (const name of exportedNames(dependency.module, new Set(), false) ?? []) {
			if (name === 'default' || own.has(name)) continue;
			own.add(name);
			exportName(namespace, name, () => other[name]);
		}
	}
}

/** Re-exports the names of `export * from`, and names of CommonJS modules, which are known when those have run. */
export function passOn(module: EsModule, namespaceOf: (dependency: Dependency) => object): void {
	const { namespace, source, dependencies } = module;
	for (const { name, from, importName } of source.passed) {
		const dependency = dependencies.get(from);
		if (!dependency) continue;
		const other = namespaceOf(dependency);
		exportName(namespace, name, importName === null ? () => other : () => Reflect.get(other, importName) as unknown);
	}
	const own = new Set([...source.exports, ...source.passed.map(({ name }) => name)]);
	for (const star of source.stars) {
		const dependency = dependencies.get(star);
		if (!dependency) continue;
		const other = namespaceOf(dependency);
		for (const name of Object.keys(other)) {
			if (name === 'default' || own.has(name)) continue;
			own.add(name);
			exportName(namespace, name, () => Reflect.get(other, name) as unknown);
		}
	}
}

/**
 * Creates the namespace of CommonJS exports for an ES module: `default` is `module.exports`, names are its properties.
 */
export function commonJsNamespace(exports: unknown, named = true): Record<string, unknown> {
	const namespace = emptyNamespace();
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

/** Throws Node's SyntaxError for an import that the other module does not export. */
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

/**
 * Names exported by a module; `null` if that requires those of a CommonJS module, which are not known before it runs.
 */
function exportedNames(module: EsModule, seen: Set<EsModule>, all = true): Set<string> | null {
	const names = new Set([...module.source.exports, ...module.source.passed.map(({ name }) => name)]);
	if (seen.has(module)) return names;
	seen.add(module);
	for (const star of module.source.stars) {
		const dependency = module.dependencies.get(star);
		const passed = dependency?.kind === 'module' ? exportedNames(dependency.module, seen, all) : null;
		if (!passed && all) return null;
		if (!passed) continue;
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
