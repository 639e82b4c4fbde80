import type { Runtime } from '../../../runtime/runtime.ts';
import type { Descriptors } from '../descriptors.ts';
import { contentCalls } from './contents.ts';
import { directoryCalls } from './directories.ts';
import { entryCalls } from './entries.ts';
import { metadataCalls } from './metadata.ts';
import { PathCalls } from './paths.ts';

/** Synchronous calls of `fs`, from which callbacks and promises are created. */
export function syncCalls(runtime: Runtime, descriptors: Descriptors) {
	const paths = new PathCalls(runtime);
	return {
		...contentCalls(paths, descriptors),
		...directoryCalls(paths),
		...entryCalls(paths),
		...metadataCalls(paths, descriptors)
	};
}

export type SyncCalls = ReturnType<typeof syncCalls>;
