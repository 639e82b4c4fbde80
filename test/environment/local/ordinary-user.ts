import { chmod } from 'node:fs/promises';
import { getuid, seteuid } from 'node:process';
import type { ExecutionEnvironment } from '../../../src/environment/contract.ts';

const NOBODY = 65_534;

/** Root may read and write everything, so what a mode forbids is tried as somebody else. */
export async function asOrdinaryUser<T>(environment: ExecutionEnvironment, work: () => Promise<T>): Promise<T> {
	if (getuid?.() !== 0 || !seteuid) return work();
	await chmod(environment.workingDirectory().replace(/\/workspace$/, ''), 0o755);
	seteuid(NOBODY);
	try {
		return await work();
	} finally {
		seteuid(0);
	}
}
