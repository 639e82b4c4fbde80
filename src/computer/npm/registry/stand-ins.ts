import maxSatisfying from 'semver/ranges/max-satisfying.js';
import type { TreeNode } from '../tree/node.ts';
import { promisedIntegrity } from './integrity.ts';
import { pickVersion } from './pick.ts';
import type { Registry } from './registry.ts';

/**
 * Packages with a native program or library → the same published by their authors in WebAssembly, with the same
 * versions.
 */
const STAND_INS: Record<string, string> = {
	esbuild: 'esbuild-wasm',
	rollup: '@rollup/wasm-node',
	lightningcss: 'lightningcss-wasm'
};

/** Package that is unpacked in place of another one that cannot run in a browser tab; `null` if it can. */
export const standInFor = (packageName: string): string | null =>
	Object.hasOwn(STAND_INS, packageName) ? (STAND_INS[packageName] ?? null) : null;

/** Package to fetch for a package of the tree. */
export interface Source {
	name: string;
	version: string;
	url: string;
	/** Empty if there is none. */
	integrity: string;
}

/**
 * Finds the source of a package's files. The lockfile contains the package itself, so that it is valid on other
 * machines.
 * @throws NpmError
 */
export async function sourceOf(registry: Registry, node: TreeNode): Promise<Source> {
	const { packageName: name, version, integrity } = node;
	const own = { name, version, url: await addressOf(registry, node), integrity };
	const standIn = standInFor(name);
	if (standIn === null) return own;
	const packument = await registry.packument(standIn);
	const versions = Object.keys(packument.versions);
	const nearest = packument.versions[version] ? version : maxSatisfying(versions, alike(version));
	if (nearest === null) return own;
	const manifest = pickVersion(packument, { kind: 'range', range: nearest });
	return {
		name: standIn,
		version: nearest,
		url: registry.tarballUrl(manifest),
		integrity: promisedIntegrity(manifest.dist)
	};
}

/** Finds the URL of a package's files: a lockfile may omit it (`omit-lockfile-registry-resolved`). */
async function addressOf(registry: Registry, { packageName, version, resolved }: TreeNode): Promise<string> {
	if (resolved !== '') return registry.ownAddress(packageName, resolved);
	return registry.tarballUrl(pickVersion(await registry.packument(packageName), { kind: 'range', range: version }));
}

/** Range of compatible versions that are not newer: not every version is published in both forms. */
function alike(version: string): string {
	const [major, minor] = version.split('.');
	return `${major === '0' ? `~0.${minor}.0` : `^${major}.0.0`} <=${version}`;
}
