import { absolute, basename } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { gitfileTarget, isGitDirectory } from '../discover.ts';
import { missingAsNull } from '../objects/store.ts';
import type { Repository } from '../repository.ts';
import { linkedTrees, type LinkedTree } from './linked.ts';

/** Result of a repair: what was wrong at a path, and whether it still is. */
export interface Repair {
	isDone: boolean;
	problem: string;
	path: string;
}

/** Content of a `.git` file: the repository it names, or why it names none. */
type Gitfile = { gitDir: string } | { flaw: 'not a file' | 'no repository' | 'broken' };

function readGitfile({ files }: Repository, path: string): Gitfile {
	const stat = files.statOrNull(path);
	if (!stat) return { flaw: 'broken' };
	if (stat.kind !== 'file') return { flaw: 'not a file' };
	const gitDir = gitfileTarget({ files }, path);
	if (gitDir === null) return { flaw: 'broken' };
	return isGitDirectory({ files }, gitDir) ? { gitDir } : { flaw: 'no repository' };
}

/** Makes the `.git` files of all linked worktrees refer to this repository again, as after moving it. */
export function repairGitfiles(repository: Repository): Repair[] {
	return linkedTrees(repository)
		.slice(1)
		.flatMap((tree) => repairGitfile(repository, tree) ?? []);
}

function repairGitfile(repository: Repository, { path, gitDir }: LinkedTree): Repair | null {
	const { files } = repository;
	const stat = files.statOrNull(path);
	if (!stat) return null;
	if (stat.kind !== 'directory') return { isDone: false, problem: 'not a directory', path };
	const found = readGitfile(repository, `${path}/.git`);
	if ('flaw' in found && found.flaw === 'not a file') return { isDone: false, problem: '.git is not a file', path };
	const own = files.realpath(gitDir);
	if ('gitDir' in found && files.realpath(found.gitDir) === own) return null;
	files.writeFile(`${path}/.git`, encode(`gitdir: ${own}\n`));
	return { isDone: true, problem: 'flaw' in found ? '.git file broken' : '.git file incorrect', path };
}

/** Makes the registration of the worktree at a path refer to that path, as after moving it; null if it does. */
export function repairRegistration(repository: Repository, given: string, cwd: string): Repair | null {
	const { files, commonDir } = repository;
	const path = absolute(given, cwd);
	const main = files.realpath(commonDir);
	if (files.statOrNull(path) && [main, main.replace(/\/\.git$/, '')].includes(files.realpath(path))) return null;
	if (!files.statOrNull(`${path}/.git`)) return { isDone: false, problem: 'not a valid path', path: given };
	const link = files.realpath(`${path}/.git`);
	const found = readGitfile(repository, link);
	const gitDir = 'gitDir' in found ? found.gitDir : found.flaw === 'no repository' ? sameName(repository, link) : null;
	if (gitDir === null) {
		const flaw = 'flaw' in found ? GITFILE_FLAWS[found.flaw] : '';
		return { isDone: false, problem: `unable to locate repository; ${flaw}`, path: link };
	}
	const place = `${gitDir}/gitdir`;
	const before = missingAsNull(() => files.readFile(place));
	if (before && decode(before).trimEnd() === link) return null;
	files.writeFile(place, encode(`${link}\n`));
	return { isDone: true, problem: before ? 'gitdir incorrect' : 'gitdir unreadable', path: place };
}

const GITFILE_FLAWS = {
	'not a file': '.git is not a file',
	'no repository': '.git file does not reference a repository',
	broken: '.git file broken'
};

/** Registration of the name that a `.git` file ends with: after moving both, its path is wrong but not its name. */
function sameName({ files, commonDir }: Repository, link: string): string | null {
	const target = gitfileTarget({ files }, link);
	const id = target === null ? '' : basename(target);
	const gitDir = `${commonDir}/worktrees/${id}`;
	return id !== '' && files.statOrNull(gitDir)?.kind === 'directory' ? gitDir : null;
}
