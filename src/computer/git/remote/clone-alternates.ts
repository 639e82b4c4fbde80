import { absolute } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { commonDirOf, followGitfile, isGitDirectory } from '../discover.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';
import type { Repository } from '../repository.ts';

/** Repository of this volume that a clone borrows objects from, as given. */
export interface Reference {
	path: string;
	/** A path that cannot be borrowed from is an error instead of a notice. */
	isRequired: boolean;
}

/** Makes a new repository borrow the objects of others. @throws GitError if a required one cannot be borrowed from */
export function borrowFrom(git: Invocation, repository: Repository, references: readonly Reference[]): void {
	const directories: string[] = [];
	for (const { path, isRequired } of references) {
		const found = objectsAt(git, path);
		if ('directory' in found) directories.push(found.directory);
		else if (isRequired) throw fatal(found.fault);
		else git.err(`info: Could not add alternate for '${path}': ${found.fault}\n`);
	}
	if (directories.length === 0) return;
	const { files, objects } = repository;
	files.mkdir(`${objects.directory}/info`, { recursive: true });
	const lines = [...new Set(directories)].map((directory) => `${directory}\n`);
	files.writeFile(objects.alternatesFile, encode(lines.join('')));
	objects.reopen();
}

/** Returns whether a repository names others that it borrows objects from. */
export const isBorrowing = (repository: Repository): boolean =>
	repository.files.statOrNull(repository.objects.alternatesFile) !== null;

/** Makes a repository independent, after it got copies of all objects. */
export function stopBorrowing(repository: Repository): void {
	repository.files.remove(repository.objects.alternatesFile, { force: true });
	repository.objects.reopen();
}

/** Directory of the objects of a repository, or the reason why there is none to borrow from. */
function objectsAt({ surroundings, cwd }: Invocation, path: string): { directory: string } | { fault: string } {
	const { files } = surroundings;
	const full = absolute(path, cwd);
	const places = [`${full}/.git`, full, `${full}.git/.git`, `${full}.git`];
	for (const place of places) {
		const gitDir = followGitfile(surroundings, place);
		if (!isGitDirectory(surroundings, gitDir)) continue;
		if (commonDirOf(surroundings, gitDir) !== gitDir)
			return { fault: `reference repository '${path}' as a linked checkout is not supported yet.` };
		if (files.statOrNull(`${gitDir}/shallow`)?.size) return { fault: `reference repository '${path}' is shallow` };
		return { directory: `${gitDir}/objects` };
	}
	return { fault: `reference repository '${path}' is not a local repository.` };
}
