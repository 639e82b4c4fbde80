import type { ProcessContext } from '#computer/process/program.ts';
import { packed } from '#environment/packed.ts';
import { type PackageFile, packageFiles } from '../archive/package-files.ts';
import { packedManifest } from '../archive/packed-manifest.ts';
import { NpmError } from '../errors.ts';
import { inside } from '../manifest.ts';
import { type PackageManifest, runsScript } from '../registry/packument.ts';
import { checkIntegrity } from '../registry/integrity.ts';
import type { Registry } from '../registry/registry.ts';
import { sourceOf } from '../registry/stand-ins.ts';
import { Turnstile } from '../registry/turnstile.ts';
import type { TreeNode } from '../tree/node.ts';

const AT_ONCE = 12;

export interface Staged {
	node: TreeNode;
	/** Staging directory with its files. */
	directory: string;
	/** Set if it has an install script or a binding.gyp. */
	builds: 'script' | 'native' | null;
	/** WebAssembly package that the files come from instead. */
	standIn: string | null;
}

/**
 * Fetches packages, checks their integrity and unpacks them in parallel below `directory`. The project is not changed.
 * @throws NpmError
 */
export async function stage(
	context: ProcessContext,
	registry: Registry,
	nodes: TreeNode[],
	directory: string,
	checkpoint: () => void,
	progress: (done: number) => void
): Promise<Staged[]> {
	const turnstile = new Turnstile(AT_ONCE);
	let done = 0;
	context.sync.mkdir(directory, { recursive: true });
	const staged = nodes.map((node, index) =>
		turnstile.pass(async () => {
			checkpoint();
			const result = await unpack(context, registry, node, directory, String(index));
			progress(++done);
			return result;
		})
	);
	const results = await Promise.allSettled(staged);
	for (const result of results) if (result.status === 'rejected') throw result.reason;
	checkpoint();
	return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/**
 * Fetches a package and writes its files to a separate directory below `staging`.
 *
 * @param place name of that directory
 */
async function unpack(
	context: ProcessContext,
	registry: Registry,
	node: TreeNode,
	staging: string,
	place: string
): Promise<Staged> {
	const id = `${node.packageName}@${node.version}`;
	if (node.resolved !== '' && !/^https?:/.test(node.resolved)) {
		throw new NpmError('EUNSUPPORTED', `${id} comes from ${node.resolved}, which npm cannot install in this sandbox.`);
	}
	const { name, version, url, integrity } = await sourceOf(registry, node);
	const tarball = new Uint8Array(await registry.tarball(name, version, url));
	if (integrity) await checkIntegrity(`${name}@${version}`, tarball, integrity);
	const files = await packageFiles(tarball, `${name}@${version}`);
	// One call for all files: one for each of them would take longer than fetching them. The next package is unpacked
	// while the kernel writes.
	await context.async.load(
		staging,
		files.map(({ path, mode, bytes }) => ({ path: `${place}/${path}`, mode, size: bytes.length })),
		new Uint8Array(packed(files).buffer)
	);
	if (files.length === 0) await context.async.mkdir(inside(staging, place));
	const own = ownManifest(files, id);
	if (own) {
		// The registry's abbreviated manifest omits these.
		const { license, funding, engines, bin } = own;
		const { manifest } = node;
		node.manifest = { ...manifest, license, engines: manifest.engines ?? engines, funding, bin: manifest.bin ?? bin };
	}
	const isNative = files.some(({ path }) => path === 'binding.gyp');
	const standIn = name === node.packageName ? null : name;
	const builds = isNative ? 'native' : own && runsScript(own) ? 'script' : null;
	return { node, directory: inside(staging, place), builds, standIn };
}

/** @throws NpmError EJSONPARSE */
function ownManifest(files: readonly PackageFile[], id: string): PackageManifest | null {
	try {
		return packedManifest(files);
	} catch {
		throw new NpmError('EJSONPARSE', `${id} has a package.json that is not JSON.`);
	}
}
