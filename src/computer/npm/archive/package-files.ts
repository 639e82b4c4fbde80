import { normalize } from '#computer/abi/paths.ts';
import { gunzip } from '#environment/archive/gunzip.ts';
import { readTar } from '#environment/archive/tar-format.ts';
import { NpmError } from '../errors.ts';

export interface PackageFile {
	/** Relative to the package's directory. */
	path: string;
	mode: number;
	bytes: Uint8Array;
}

/**
 * Unpacks a package's tarball: its files, without their top directory (usually `package/`). Paths that lead outside are
 * moved below it. Every file is readable, and executable if the package says so. Links and devices are skipped, as npm
 * does in packages.
 *
 * @param id name and version of the package, for the error
 * @throws NpmError TAR_BAD_ARCHIVE if the archive is damaged
 */
export async function packageFiles(tarball: Uint8Array<ArrayBuffer>, id: string): Promise<PackageFile[]> {
	const files: PackageFile[] = [];
	try {
		for (const { name, isRegular, mode, bytes } of readTar(await gunzip(tarball))) {
			const path = normalize(name).slice(1).split('/').slice(1).join('/');
			if (path && isRegular) files.push({ path, mode: mode & 0o111 ? 0o755 : 0o644, bytes });
		}
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new NpmError(
			'TAR_BAD_ARCHIVE',
			`The archive of ${id} is damaged: ${reason}`,
			'Choose another version of it.'
		);
	}
	return files;
}
