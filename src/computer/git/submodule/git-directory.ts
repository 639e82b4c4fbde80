import { absolute, dirname } from '#computer/abi/paths.ts';
import { encode } from '../bytes.ts';
import { isGitDirectory } from '../discover.ts';
import { fatal } from '../errors.ts';
import type { Repository } from '../repository.ts';
import { lstatOrNull } from '../worktree/checkout.ts';
import type { Module } from './modules.ts';

/** Git directory of a submodule. @throws GitError if it is inside that of another submodule */
export function moduleDirectory(repository: Repository, name: string): string {
	const { commonDir, files } = repository;
	const parts = name.split('/');
	for (let count = 1; count < parts.length; count++) {
		const outer = `${commonDir}/modules/${parts.slice(0, count).join('/')}`;
		if (isGitDirectory({ files }, outer))
			throw fatal(`refusing to create/use '${commonDir}/modules/${name}' in another submodule's git dir`);
	}
	return `${commonDir}/modules/${name}`;
}

/** Repository of a submodule: in its working tree, or else only its git directory; null if neither exists. */
export function moduleRepository(
	repository: Repository,
	{ name, path }: Pick<Module, 'name' | 'path'>
): Repository | null {
	requirePlainPlace(repository, path);
	const populated = repository.nested(path);
	if (populated) return populated;
	const gitDir = moduleDirectory(repository, name);
	return isGitDirectory(repository, gitDir) ? repository.another(gitDir) : null;
}

/** @throws GitError if the path of a submodule contains a symbolic link, which could lead elsewhere */
export function requirePlainPlace(repository: Repository, path: string): void {
	const parts = path.split('/');
	for (let count = 1; count <= parts.length; count++) {
		const part = parts.slice(0, count).join('/');
		if (lstatOrNull(repository, repository.absolute(part))?.kind === 'symlink')
			throw fatal(`expected submodule path '${path}' not to be a symbolic link`);
	}
}

/** Makes the working tree of a submodule and its git directory refer to each other. */
export function connectModule(repository: Repository, path: string, gitDir: string): void {
	const { files, config } = repository;
	const worktree = repository.absolute(path);
	files.mkdir(worktree, { recursive: true });
	files.writeFile(`${worktree}/.git`, encode(`gitdir: ${relativePath(worktree, gitDir)}\n`));
	config.set(`${gitDir}/config`, 'core.worktree', relativePath(gitDir, worktree));
}

/** Moves the git directory of a submodule from its working tree into that of the superproject. */
export function absorbDirectory(repository: Repository, path: string, name: string, isSaid: boolean): void {
	const { files } = repository;
	const worktree = repository.absolute(path);
	const inside = `${worktree}/.git`;
	if (lstatOrNull(repository, inside)?.kind !== 'directory' || !isGitDirectory({ files }, inside)) return;
	const gitDir = moduleDirectory(repository, name);
	const notice = `Migrating git directory of '${path}' from\n'${inside}' to\n'${gitDir}'\n`;
	if (isSaid) files.write(2, encode(notice));
	files.mkdir(dirname(gitDir), { recursive: true });
	files.rename(inside, gitDir);
	connectModule(repository, path, gitDir);
}

/** Relative path from a directory to a path. */
function relativePath(from: string, to: string): string {
	const [start, end] = [absolute(from, '/').split('/'), absolute(to, '/').split('/')];
	let same = 0;
	while (same < start.length && same < end.length && start[same] === end[same]) same++;
	return [...start.slice(same).map(() => '..'), ...end.slice(same)].join('/') || '.';
}
