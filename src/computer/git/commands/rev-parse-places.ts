import { absolute } from '#computer/abi/paths.ts';
import { fatal } from '../errors.ts';
import type { Invocation } from '../invocation.ts';

/** Options that query a property of the repository. */
export const ANSWERS: Record<string, (git: Invocation) => string> = {
	'--absolute-git-dir': ({ repository }) => repository.gitDir,
	'--is-inside-work-tree': ({ repository }) => String(repository.isInsideTree),
	'--is-inside-git-dir': ({ cwd, repository }) => String(cwd.startsWith(repository.gitDir)),
	'--is-bare-repository': ({ repository }) => String(repository.config.flag('core.bare', false)),
	'--is-shallow-repository': ({ repository }) => String(repository.note('shallow') !== null),
	'--show-prefix': ({ repository }) => (repository.isBare ? '' : repository.prefix),
	'--show-cdup': ({ repository }) => (repository.isBare ? '' : '../'.repeat(repository.prefix.split('/').length - 1))
};

/** Options that print a path, to which `--path-format` applies. */
export const PLACES: Record<string, (git: Invocation) => Place> = {
	'--show-toplevel': ({ repository }) => {
		if (repository.isBare) throw fatal('this operation must be run in a work tree');
		return { path: repository.root, shown: repository.root };
	},
	'--git-dir': (git) => {
		const { gitDir, root } = git.repository;
		const isAtTop = git.env['GIT_DIR'] === undefined && (git.cwd === root || git.cwd === gitDir);
		const short = git.cwd === gitDir ? '.' : gitDir === `${root}/.git` ? '.git' : gitDir;
		return { path: gitDir, shown: git.env['GIT_DIR'] ?? (isAtTop ? short : gitDir) };
	},
	'--git-common-dir': (git) => commonPlace(git, '')
};

/** Files of a repository that all its worktrees share. */
const IS_SHARED =
	/^(?:objects|config|hooks|info|packed-refs|shallow|description|branches|worktrees|refs(?!\/(?:bisect|worktree|rewritten)\b)|logs\/refs)(?:\/|$)/;

/** Path, and its default output form. */
interface Place {
	path: string;
	shown: string;
}

/** Formats a path as requested. A null form is the default. */
export function shownPlace({ path, shown }: Place, cwd: string, form: 'absolute' | 'relative' | null): string {
	if (form === null) return shown;
	return form === 'absolute' ? absolute(path, cwd) : relativePath(absolute(path, cwd), cwd);
}

/** File of the repository, shown relative to the working directory unless it is separate from the worktree. */
export function commonPlace(git: Invocation, name: string): Place {
	const { gitDir, commonDir, root } = git.repository;
	const path = [name === '' || IS_SHARED.test(name) ? commonDir : gitDir, name].filter(Boolean).join('/');
	const isApart = gitDir !== `${root}/.git` || git.env['GIT_DIR'] !== undefined;
	const isInside = git.cwd === gitDir;
	return { path, shown: isApart && !isInside ? path : relativePath(path, git.cwd) };
}

/** Relative path from a directory; like in git, `./` for the directory itself. */
function relativePath(path: string, from: string): string {
	if (path === from) return './';
	const [to, start] = [path.split('/'), from.split('/')];
	let same = 0;
	while (same < start.length && same < to.length && start[same] === to[same]) same++;
	return [...start.slice(same).map(() => '..'), ...to.slice(same)].join('/');
}
