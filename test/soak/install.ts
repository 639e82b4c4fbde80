import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * Installs packages, with the integrity from the lockfile, into a cache outside the repository.
 * @param folder folder with their `package.json` and `package-lock.json`
 * @returns their `node_modules`.
 * @throws Error with npm's output if it fails
 */
export function installPackages(folder: string): string {
	const lock = readFileSync(path.join(folder, 'package-lock.json'));
	const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
	const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
	const directory = path.join(cache, 'sandglass', `${path.basename(folder)}-${digest}`);
	const complete = path.join(directory, 'complete');
	if (!existsSync(complete)) {
		mkdirSync(directory, { recursive: true });
		for (const name of ['package.json', 'package-lock.json']) {
			copyFileSync(path.join(folder, name), path.join(directory, name));
		}
		const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		const { status, stderr } = spawnSync('npm', args, { cwd: directory, encoding: 'utf8' });
		if (status !== 0) throw new Error(`The packages could not be installed: ${stderr.trim()}`);
		writeFileSync(complete, '');
	}
	return path.join(directory, 'node_modules');
}
