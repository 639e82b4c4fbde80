import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { belowWorkingDirectory } from '#environment/folders.ts';

/** Removes what is at a path below the working directory, a link that leads nowhere too, of which nobody says that it exists. Nothing there: done. */
export async function removeIfThere(environment: ExecutionEnvironment, path: string): Promise<void> {
	try {
		await environment.remove(belowWorkingDirectory(path), { recursive: true });
	} catch (error) {
		if (!isEnvironmentError(error) || (error.code !== 'ENOENT' && error.code !== 'ENOTDIR')) throw error;
	}
}
