import type { SyncSyscalls } from '#computer/abi/client.ts';
import type { Setting } from './config/config-file.ts';
import type { LackingStore } from './objects/lacking-store.ts';

/** Directory and settings for locating a repository. */
export interface Surroundings {
	files: SyncSyscalls;
	cwd: string;
	env: Record<string, string>;
	overrides: readonly Setting[];
	/** Prints a warning, once for each text. */
	warn(text: string): void;
	/** Writes to stderr. */
	err(text: string): void;
	/** Fetches missing objects of a partial clone, given its git directory, into its store. */
	fetchMissing(gitDir: string, store: LackingStore, ids: readonly string[]): void;
}
