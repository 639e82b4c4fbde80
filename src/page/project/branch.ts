import type { ExecutionEnvironment } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';

/** Current git branch; the short commit id if HEAD is detached, `null` without a repository. */
export async function readBranch(environment: ExecutionEnvironment): Promise<string | null> {
	try {
		const head = (await environment.readFile('.git/HEAD')).trim();
		return head.startsWith('ref: refs/heads/') ? head.slice('ref: refs/heads/'.length) : head.slice(0, 7);
	} catch (error) {
		if (isEnvironmentError(error)) return null;
		throw error;
	}
}
