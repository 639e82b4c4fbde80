import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Project } from './project.ts';

const FETCH_MS = 300_000;

/**
 * Returns a new directory of the cache with the files of a project at its commit. `SANDGLASS_PROJECTS` is a folder of
 * clones (`owner/name`, bare or not); without it they are fetched from GitHub.
 * @throws Error if git fails
 */
export function checkout({ repository, commit }: Project): string {
	const cache = path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'sandglass', 'projects');
	const digest = createHash('sha256').update(`${repository}@${commit}`).digest('hex').slice(0, 12);
	const target = path.join(cache, `${path.basename(repository)}-${digest}`);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	const archive = execFileSync('git', ['--git-dir', cloneOf(repository, cache, commit), 'archive', commit], {
		maxBuffer: 512 * 1024 * 1024
	});
	execFileSync('tar', ['-x', '-C', target], { input: archive });
	return target;
}

/** Git directory of a clone that has the commit. */
function cloneOf(repository: string, cache: string, commit: string): string {
	const given = process.env['SANDGLASS_PROJECTS'];
	if (given !== undefined) {
		const clone = path.join(given, repository);
		return existsSync(path.join(clone, '.git')) ? path.join(clone, '.git') : clone;
	}
	const clone = path.join(cache, `${repository.replace('/', '+')}.git`);
	if (!existsSync(clone)) execFileSync('git', ['init', '--quiet', '--bare', clone]);
	const address = `https://github.com/${repository}.git`;
	execFileSync('git', ['--git-dir', clone, 'fetch', '--quiet', '--depth', '1', address, commit], { timeout: FETCH_MS });
	return clone;
}
