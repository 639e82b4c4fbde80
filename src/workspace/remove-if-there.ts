import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { belowWorkingDirectory } from '#environment/folders.ts';

/**
 * Removes whatever exists at a path below the working directory, including a dangling link. Does nothing if the
 * path does not exist.
 */
export async function removeIfThere(environment: ExecutionEnvironment, path: string): Promise<void> {
	try {
		await environment.remove(belowWorkingDirectory(path), { recursive: true });
	} catch (error) {
		if (!isEnvironmentError(error) || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')) throw error;
	}
}
