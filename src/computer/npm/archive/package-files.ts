import { normalize } from '#computer/abi/paths.ts';
import { gunzip } from '#environment/archive/gunzip.ts';
import { readTar } from '#environment/archive/tar-format.ts';

export interface PackageFile {
	/** Below the package's directory. */
	path: string;
	mode: number;
	bytes: Uint8Array;
}

/**
 * Unpacks a package's tarball: its files, without the directory they are in (`package/` mostly). Paths that climb out
 * are brought back below it. Every file can be read, and run where the package says so. Links and devices are left
 * out, as npm leaves them out of packages.
 *
 * @throws Error when the archive is damaged
 */
export async function packageFiles(tarball: Uint8Array<ArrayBuffer>): Promise<PackageFile[]> {
	const files: PackageFile[] = [];
	for (const { name, isRegular, mode, bytes } of readTar(await gunzip(tarball))) {
		const path = normalize(name).slice(1).split('/').slice(1).join('/');
		if (path && isRegular) files.push({ path, mode: mode & 0o111 ? 0o755 : 0o644, bytes });
	}
	return files;
}
