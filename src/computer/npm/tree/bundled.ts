import { packageFiles } from '../archive/package-files.ts';
import { checkIntegrity } from '../registry/integrity.ts';
import { bundledNames, manifestShape, withCommandFolder } from '../registry/packument.ts';
import type { Registry } from '../registry/registry.ts';
import { isPackageName } from '../registry/spec.ts';
import { TreeNode } from './node.ts';

const PLACE = /^((?:node_modules\/(?:@[^/]+\/)?[^/]+\/)*)node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/;
const decoder = new TextDecoder();

/** Tells whether the packages in a node's tarball are still to be read. */
export const hasUnreadBundle = (node: TreeNode): boolean =>
	!node.isTop &&
	!node.inBundle &&
	bundledNames(node.manifest).length > 0 &&
	![...node.children.values()].some(({ inBundle }) => inBundle);

/** Adds the packages that come in a node's own tarball to the tree below it. @throws NpmError */
export async function addBundle(node: TreeNode, registry: Registry): Promise<void> {
	const { packageName, version, resolved, integrity } = node;
	const tarball = new Uint8Array(
		await registry.tarballAhead(packageName, version, registry.ownAddress(packageName, resolved))
	);
	if (integrity) await checkIntegrity(`${packageName}@${version}`, tarball, integrity);
	const places = new Map([['', node]]);
	const files = await packageFiles(tarball);
	const paths = files.map(({ path }) => path);
	const manifests = files.filter(({ path }) => PLACE.test(path)).sort((a, b) => a.path.length - b.path.length);
	for (const { path, bytes } of manifests) {
		const [, around = '', name = ''] = PLACE.exec(path) ?? [];
		const place = places.get(around);
		const manifest = readManifest(bytes);
		if (!place || !manifest || !isPackageName(name)) continue;
		const folder = path.slice(0, -'package.json'.length);
		const own = paths.filter((one) => one.startsWith(folder)).map((one) => one.slice(folder.length));
		const whole = withCommandFolder(manifest, own);
		const inner = new TreeNode(name, `${place.location}/node_modules/${name}`, whole);
		inner.inBundle = true;
		place.adopt(inner);
		places.set(`${around}node_modules/${name}/`, inner);
	}
}

/** A package of a bundle without a readable manifest is none: npm passes over it, too. */
function readManifest(bytes: Uint8Array): ReturnType<typeof manifestShape.parse> | null {
	try {
		return manifestShape.safeParse(JSON.parse(decoder.decode(bytes))).data ?? null;
	} catch {
		return null;
	}
}
