import { Module } from './commonjs.ts';
import type { LoaderHost } from './esm.ts';
import type { ModuleAccess } from './replacements.ts';

/** Operations of the loader for a test runner. */
export function moduleAccess({ resolver, esm, files }: LoaderHost): ModuleAccess {
	const forget = () => {
		esm.forget();
		for (const name of Object.keys(Module._cache)) delete Module._cache[name];
	};
	return {
		resolve: (specifier, from) => resolver.resolve(specifier, from, 'import'),
		actual: (target) => esm.actual(target),
		// The request does not come from a module, so no replacement applies.
		requireActual: (target) => Module._load(target, null),
		isFile: (path) => files.isFile(path),
		forget,
		isolate(work) {
			const kept = { ...Module._cache };
			forget();
			try {
				work();
			} finally {
				forget();
				Object.assign(Module._cache, kept);
			}
		}
	};
}
