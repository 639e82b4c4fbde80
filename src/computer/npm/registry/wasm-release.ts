import maxSatisfying from 'semver/ranges/max-satisfying.js';
import parse from 'semver/functions/parse.js';
import type { Packument } from './packument.ts';

/**
 * Returns true if a package's name marks it as the WebAssembly release of another:
 * `@rolldown/binding-wasm32-wasi`.
 */
export const isWasmRelease = (name: string): boolean => /-wasm32(-|$)/.test(name);

/** Returns true for what WebAssembly releases run on: they do not start without its peers. */
export const isWasmRuntime = (name: string): boolean => /^@(napi-rs|emnapi)\//.test(name);

/**
 * Nearest release before `version` in the same minor line: not every version is published in this form.
 * @returns `null` if there is none, or `version` is a range
 */
export function nearestRelease({ versions }: Packument, version: string): string | null {
	const wanted = parse(version);
	if (!wanted) return null;
	return maxSatisfying(Object.keys(versions), `~${wanted.major}.${wanted.minor}.0 <=${wanted.version}`);
}

/** The newest version that has a WebAssembly release among its optional packages. */
export function lastWithRelease({ versions }: Packument): string | null {
	const having = Object.keys(versions).filter((version) => {
		const optional: unknown = Reflect.get(Object(versions[version]), 'optionalDependencies');
		return Object.keys(Object(optional)).some(isWasmRelease);
	});
	return maxSatisfying(having, '*');
}
