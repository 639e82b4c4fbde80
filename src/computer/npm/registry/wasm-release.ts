import maxSatisfying from 'semver/ranges/max-satisfying.js';
import parse from 'semver/functions/parse.js';
import type { PackageManifest, Packument } from './packument.ts';

const NATIVE_PART = '-linux-x64-gnu';

/** Packages that load a WebAssembly release without depending on it → its name. */
const LOADED: Record<string, string> = { next: '@next/swc-wasm-nodejs' };

/**
 * Returns whether a package's name marks it as the WebAssembly release of another: `@rolldown/binding-wasm32-wasi`.
 */
export const isWasmRelease = (name: string): boolean =>
	/-wasm32(-|$)/.test(name) || Object.values(LOADED).includes(name);

/** Returns whether a package is a runtime of WebAssembly releases: these do not start without its peers. */
export const isWasmRuntime = (name: string): boolean => /^@(napi-rs|emnapi)\//.test(name);

/**
 * Nearest compatible release before `version`: not every version is published in this form.
 * @returns `null` if there is none, or `version` is a range
 */
export function nearestRelease({ versions }: Packument, version: string): string | null {
	const wanted = parse(version);
	if (!wanted) return null;
	const line = wanted.major === 0 ? `~0.${wanted.minor}.0` : `^${wanted.major}.0.0`;
	return maxSatisfying(Object.keys(versions), `${line} <=${wanted.version}`);
}

/**
 * Name of the expected WebAssembly release of a package with native parts, if the package does not depend on it.
 * @returns `null` if it does, or has no native parts
 */
export function missingRelease(packageName: string, { optionalDependencies = {} }: PackageManifest): string | null {
	const loaded = loadedRelease(packageName);
	if (loaded !== null) return loaded;
	const names = Object.keys(optionalDependencies);
	const part = names.find((name) => name.endsWith(NATIVE_PART));
	return part === undefined || names.some(isWasmRelease) ? null : part.replace(NATIVE_PART, '-wasm32-wasi');
}

/** Name of the WebAssembly release that a package is known to load without depending on it; `null` for all others. */
const loadedRelease = (packageName: string): string | null =>
	Object.hasOwn(LOADED, packageName) ? (LOADED[packageName] ?? null) : null;

/**
 * Returns whether some version of a package depends on `release`, or the package is known to load it: then both have
 * the same author.
 */
export const isReleaseOf = ({ name, versions }: Packument, release: string): boolean =>
	loadedRelease(name) === release ||
	Object.values(versions).some((manifest) => optionalNames(manifest).includes(release));

/** Newest version that has a WebAssembly release among its optional dependencies. */
export function lastWithRelease({ versions }: Packument): string | null {
	const having = Object.keys(versions).filter((version) => optionalNames(versions[version]).some(isWasmRelease));
	return maxSatisfying(having, '*');
}

function optionalNames(manifest: unknown): string[] {
	const optional: unknown = Reflect.get(Object(manifest), 'optionalDependencies');
	return Object.keys(Object(optional));
}
