import type { ModuleAccess } from '#computer/node/loader/replacements.ts';
import type { Files } from './snapshots.ts';

/** Functions of the process that runs a test file. */
export interface Host {
	importFile(path: string): Promise<unknown>;
	files: Files;
	modules: ModuleAccess;
	env: Record<string, string | undefined>;
}
