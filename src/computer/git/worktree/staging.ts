import type { Repository } from '../repository.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { modeFor, storedContent } from './file-state.ts';

/** Adds a file of the working tree to the index and its content to the store. */
export function stageFile(
	repository: Repository,
	path: string,
	stat: WireStat,
	purpose: 'keep' | 'renormalize' = 'keep'
): void {
	const id = repository.objects.write('blob', storedContent(repository, path, stat, purpose));
	const { size, modifiedMs } = stat;
	const { index } = repository;
	// In a conflict, the first side that exists.
	const before = [0, 2, 1, 3].map((stage) => index.get(path, stage)).find((entry) => entry !== undefined);
	index.set({ path, mode: modeFor(index, stat, before), id, stage: 0, size, modifiedMs, intentToAdd: false });
}
