import type { Repository } from '../repository.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import { contentOf, modeOf } from './file-state.ts';

/** Adds a file of the working tree to the index and its content to the store. */
export function stageFile(repository: Repository, path: string, stat: WireStat): void {
	const id = repository.objects.write('blob', contentOf(repository.files, repository.absolute(path), stat));
	const { size, modifiedMs } = stat;
	repository.index.set({ path, mode: modeOf(stat), id, stage: 0, size, modifiedMs, intentToAdd: false });
}
