import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Setting } from './config/config-file.ts';

/** Directory and settings for locating a repository. */
export interface Surroundings {
	files: SyncSyscalls;
	cwd: string;
	env: Record<string, string>;
	overrides: readonly Setting[];
	/** Prints a warning, once for each text. */
	warn(text: string): void;
}
