import { READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

/** Returns true if this machine enforces rights and runs trials: with bubblewrap and user namespaces. */
async function canEnforce(): Promise<boolean> {
	const environment = await createTemporary();
	try {
		await environment.exec('true', { rights: READ_ONLY_RIGHTS });
		return environment.runOnTrial !== undefined;
	} catch {
		return false;
	} finally {
		await environment.cleanup();
		await removeTemporary();
	}
}

export const isEnforced = await canEnforce();

/** Reason for the title of a skipped test; empty if rights are enforced. */
export const missingEnforcement = isEnforced
	? ''
	: ' (skipped: nothing on this machine enforces rights; bubblewrap does)';
