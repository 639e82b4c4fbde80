import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/**
 * Fetches the packages, with the integrity the lockfile names, into a cache outside the repository.
 * @returns their `node_modules`. @throws when npm fails, with its words
 */
export function installSuites(): string {
	const lock = readFileSync(path.join(here, 'package-lock.json'));
	const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
	const directory = path.join(
		cache,
		'sandglass',
		`suites-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`
	);
	const complete = path.join(directory, 'complete');
	if (!existsSync(complete)) {
		mkdirSync(directory, { recursive: true });
		for (const name of ['package.json', 'package-lock.json']) {
			copyFileSync(path.join(here, name), path.join(directory, name));
		}
		const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
		const { status, stderr } = spawnSync('npm', args, { cwd: directory, encoding: 'utf8' });
		if (status !== 0) throw new Error(`The packages could not be installed: ${stderr.trim()}`);
		writeFileSync(complete, '');
	}
	return path.join(directory, 'node_modules');
}
