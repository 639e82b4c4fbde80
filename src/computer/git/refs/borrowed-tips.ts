import { dirname } from '#computer/abi/paths.ts';
import type { Repository } from '../repository.ts';

/** Objects that the references of the repositories point to from which a repository borrows objects. */
export const borrowedTips = (repository: Repository): string[] =>
	repository.objects.alternates.flatMap(({ directory }) => {
		const other = directory.endsWith('/objects') ? repository.another(dirname(directory)) : null;
		return other?.refs.list('refs/').map(({ id }) => id) ?? [];
	});
