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

/** What is fetched for a package of the tree. */
export interface Source {
	name: string;
	url: string;
	/** Empty where nothing promises any. */
	integrity: string;
}

/**
 * Where the files of a package come from. The lockfile keeps the package itself, so that it fits other machines.
 * @throws NpmError
 */
export async function sourceOf(registry: Registry, node: TreeNode): Promise<Source> {
	const { packageName: name, version, integrity } = node;
	const own = { name, url: registry.ownAddress(name, node.resolved), integrity };
	const standIn = standInFor(name);
	if (standIn === null) return own;
	const packument = await registry.packument(standIn);
	if (packument.versions[version] === undefined) return own;
	const manifest = pickVersion(packument, { kind: 'range', range: version });
	return { name: standIn, url: registry.tarballUrl(manifest), integrity: promisedIntegrity(manifest.dist) };
}
