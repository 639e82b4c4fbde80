import { manifestShape, type PackageManifest } from '../registry/packument.ts';
import type { PackageFile } from './package-files.ts';

const decoder = new TextDecoder();

/**
 * Reads the manifest of a package from its files, including commands given by a directory instead of a list.
 * @param folder directory of the package among the files, with a trailing slash
 * @returns null if there is none.
 * @throws SyntaxError if it is not JSON
 */
export function packedManifest(files: readonly PackageFile[], folder = ''): PackageManifest | null {
	const own = files.find(({ path }) => path === `${folder}package.json`);
	if (!own) return null;
	const manifest = manifestShape.safeParse(JSON.parse(decoder.decode(own.bytes).replace(/^\uFEFF/, ''))).data;
	const commands = manifest?.directories?.bin?.replace(/^(\.?\/)+|\/+$/g, '');
	if (!manifest || manifest.bin !== undefined || !commands) return manifest ?? null;
	const paths = files.map(({ path }) => path).filter((path) => path.startsWith(`${folder}${commands}/`));
	const bin = Object.fromEntries(paths.map((path) => [path.split('/').pop() ?? path, path.slice(folder.length)]));
	return { ...manifest, bin };
}
