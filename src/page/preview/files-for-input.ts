import type { ExecutionEnvironment } from '#environment/contract.ts';
import { entryPathFault } from '#environment/entry-path.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { PreviewError } from '#environment/preview.ts';
import type { TestFile } from '#environment/preview-testing.ts';
import { dataAddress, mediaType } from './media-types.ts';

/** Total size limit for all files of one step. */
const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Reads files of the project for a file input of the displayed page.
 *
 * @param paths relative to the project's root
 * @throws PreviewError if one is missing or outside the project, or all together are too large
 */
export async function filesFor(paths: readonly string[], environment: ExecutionEnvironment): Promise<TestFile[]> {
	const files: TestFile[] = [];
	let left = MAX_BYTES;
	for (const path of paths) {
		const fault = entryPathFault(path);
		if (fault !== null) throw new PreviewError(`${path} is not a path in the project, because ${fault}.`);
		const bytes = await environment.readBytes(path).catch((error: unknown) => {
			if (!isEnvironmentError(error)) throw error;
			throw new PreviewError(`${path} cannot be read: ${error.message}`);
		});
		left -= bytes.length;
		if (left < 0) throw new PreviewError('The files have more than 10 MB together. Choose smaller ones.');
		const address = dataAddress(path, bytes);
		files.push({
			name: path.slice(path.lastIndexOf('/') + 1),
			type: mediaType(path).replace(/;.*/, ''),
			content: address.slice(address.indexOf(',') + 1)
		});
	}
	return files;
}
