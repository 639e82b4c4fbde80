import { normalize } from '#computer/abi/paths.ts';
import { gunzip } from '#environment/archive/gunzip.ts';
import { type TarFile, untar } from './untar.ts';

/**
 * The files of a packed package, without the directory they are in (`package/` mostly). Paths that climb out
 * are brought back below it. Every file can be read, and run where the package says so.
 */
export async function packageFiles(tarball: Uint8Array<ArrayBuffer>): Promise<TarFile[]> {
	const files: TarFile[] = [];
	for (const { path, mode, bytes } of untar(await gunzip(tarball))) {
		const inside = normalize(path).slice(1).split('/').slice(1).join('/');
		if (inside) files.push({ path: inside, mode: mode & 0o111 ? 0o755 : 0o644, bytes });
	}
	return files;
}
