import { isSyscallError } from '#computer/abi/client.ts';
import { decode } from '../bytes.ts';
import type { Repository } from '../repository.ts';

/** Registration of a linked worktree that leads to no worktree. */
export interface StaleTree {
	/** Name in the folder of registrations. */
	id: string;
	why: string;
}

/** Why a registration of a linked worktree is stale, or the `.git` file that it names; null for a locked one. */
type Finding = { why: string } | { link: string } | null;

/**
 * Finds registrations of worktrees that no longer exist, and those that name a worktree again.
 *
 * @param before time in milliseconds: a missing worktree that was used later is kept
 */
export function staleTrees(repository: Repository, before: number): StaleTree[] {
	const { files, commonDir } = repository;
	const parent = `${commonDir}/worktrees`;
	if (files.statOrNull(parent)?.kind !== 'directory') return [];
	const stale: StaleTree[] = [];
	const kept = new Set([commonDir]);
	const ids = files.readdir(parent).map(({ name }) => name);
	for (const id of ids.sort()) {
		const found = examine(repository, `${parent}/${id}`, before);
		if (found === null) continue;
		if ('why' in found) stale.push({ id, why: found.why });
		else if (kept.has(found.link)) stale.push({ id, why: 'duplicate entry' });
		else kept.add(found.link);
	}
	return stale;
}

function examine({ files }: Repository, gitDir: string, before: number): Finding {
	if (files.statOrNull(gitDir)?.kind !== 'directory') return { why: 'not a valid directory' };
	if (files.statOrNull(`${gitDir}/locked`)) return null;
	if (!files.statOrNull(`${gitDir}/gitdir`)) return { why: 'gitdir file does not exist' };
	let link: string;
	try {
		link = decode(files.readFile(`${gitDir}/gitdir`)).replace(/[\r\n]+$/, '');
	} catch (error) {
		if (!isSyscallError(error)) throw error;
		const why = { EACCES: 'Permission denied', EISDIR: 'Is a directory' }[error.code as string] ?? error.code;
		return { why: `unable to read gitdir file (${why})` };
	}
	if (link === '') return { why: 'invalid gitdir file' };
	if (files.statOrNull(link)) return { link };
	const used = files.statOrNull(`${gitDir}/index`);
	return used && used.modifiedMs > before ? { link } : { why: 'gitdir file points to non-existent location' };
}
