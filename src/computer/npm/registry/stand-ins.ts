import maxSatisfying from 'semver/ranges/max-satisfying.js';
import type { TreeNode } from '../tree/node.ts';
import { promisedIntegrity } from './integrity.ts';
import { pickVersion } from './pick.ts';
import type { Registry } from './registry.ts';

/** Packages around a native program or library → what their makers publish of the same in WebAssembly, with the same versions. */
const STAND_INS: Record<string, string> = {
	esbuild: 'esbuild-wasm',
	rollup: '@rollup/wasm-node',
	lightningcss: 'lightningcss-wasm'
};

/** The package that is unpacked in place of another, which cannot run in a browser tab; `null` for all that can. */
export const standInFor = (packageName: string): string | null =>
	Object.hasOwn(STAND_INS, packageName) ? (STAND_INS[packageName] ?? null) : null;

/** Package to fetch for a package of the tree. */
export interface Source {
	name: string;
	version: string;
	url: string;
	/** Empty where nothing promises any. */
	integrity: string;
}

/**
 * Source of a package's files. The lockfile names the package itself, so that it fits other machines.
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

/** Finds where the files of a package are: a lockfile may leave that to the registry (`omit-lockfile-registry-resolved`). */
async function addressOf(registry: Registry, { packageName, version, resolved }: TreeNode): Promise<string> {
	if (resolved !== '') return registry.ownAddress(packageName, resolved);
	return registry.tarballUrl(pickVersion(await registry.packument(packageName), { kind: 'range', range: version }));
}

/** Versions that promise the same and are no newer: not every version is published in both forms. */
function alike(version: string): string {
	const [major, minor] = version.split('.');
	return `${major === '0' ? `~0.${minor}.0` : `^${major}.0.0`} <=${version}`;
}
