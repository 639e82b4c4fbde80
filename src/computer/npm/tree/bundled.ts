import { type PackageFile, packageFiles } from '../archive/package-files.ts';
import { packedManifest } from '../archive/packed-manifest.ts';
import { checkIntegrity } from '../registry/integrity.ts';
import { bundledNames, type PackageManifest } from '../registry/packument.ts';
import type { Registry } from '../registry/registry.ts';
import { isPackageName } from '../registry/spec.ts';
import { TreeNode } from './node.ts';

const PLACE = /^((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)*)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/;

/** Returns whether the packages in a node's tarball still have to be read. */
export const hasUnreadBundle = (node: TreeNode): boolean =>
	!node.isTop &&
	!node.inBundle &&
	bundledNames(node.manifest).length > 0 &&
	![...node.children.values()].some(({ inBundle }) => inBundle);

/** Adds the packages bundled in a node's own tarball to the tree below it. @throws NpmError */
export async function addBundle(node: TreeNode, registry: Registry): Promise<void> {
	const { packageName, version, resolved, integrity } = node;
	const tarball = new Uint8Array(
		await registry.tarballAhead(packageName, version, registry.ownAddress(packageName, resolved))
	);
	if (integrity) await checkIntegrity(`${packageName}@${version}`, tarball, integrity);
	const places = new Map([['', node]]);
	const files = await packageFiles(tarball, `${packageName}@${version}`);
	const paths = files.map(({ path }) => path).filter((path) => PLACE.test(path));
	for (const path of paths.sort((a, b) => a.length - b.length)) {
		const [, around = '', name = ''] = PLACE.exec(path) ?? [];
		const place = places.get(around);
		const manifest = innerManifest(files, path.slice(0, -'package.json'.length));
		if (!place || !manifest || !isPackageName(name)) continue;
		const inner = new TreeNode(name, `${place.location}/node_modules/${name}`, manifest);
		inner.inBundle = true;
		place.adopt(inner);
		places.set(`${around}node_modules/${name}/`, inner);
	}
}

/** npm also skips packages of a bundle without a readable manifest. */
function innerManifest(files: readonly PackageFile[], folder: string): PackageManifest | null {
	try {
		return packedManifest(files, folder);
	} catch {
		return null;
	}
}
