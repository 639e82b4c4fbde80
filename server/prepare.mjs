// Runs before anything is installed: only Node's own modules, no TypeScript.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SOURCES = [
	...['src', 'public', 'server', 'index.html', 'vite.config.ts', 'svelte.config.js', 'package-lock.json'],
	...['docs', 'README.md', 'THREAT_MODEL.md', 'CONTRIBUTING.md', 'CHANGELOG.md']
];
const stamp = path.join(root, 'dist/.stamp');

/** A failure with a readable message for the user of the command. */
export class StartError extends Error {}

export function checkNode(version = process.versions.node) {
	const [major, minor] = version.split('.').map(Number);
	if ((major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22) return;
	throw new StartError(`Sandglass needs Node 20.19 or newer in line 20, or 22.12 or newer; this is ${version}.`);
}

/** Runs `npm ci` when node_modules is missing or holds other versions than the lock file. */
export function install() {
	if (isInstalled()) return;
	const done = begin('Installing about 700 packages (a minute or two)');
	run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], 'Installing failed; see above.');
	done('Installed');
}

/**
 * Checks that every package of the lock file is installed in its version, using npm's own list of what it
 * installed.
 */
function isInstalled() {
	const list = path.join(root, 'node_modules/.package-lock.json');
	if (!existsSync(list)) return false;
	const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
	const there = JSON.parse(readFileSync(list, 'utf8')).packages;
	return Object.entries(wanted).every(
		([place, { version, optional, devOptional, peer }]) =>
			place === '' || optional || devOptional || peer || there[place]?.version === version
	);
}

/** Builds page and server when their sources differ from those of the last build. */
export function build({ force = false } = {}) {
	const now = sourceHash();
	const built =
		existsSync(path.join(root, 'dist/page/index.html')) && existsSync(path.join(root, 'dist/server/main.js'));
	if (!force && built && existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
	const done = begin('Building the page and the server (half a minute, once for each change of the sources)');
	const vite = path.join(root, 'node_modules/vite/bin/vite.js');
	const quiet = ['--logLevel', 'warn'];
	run(process.execPath, [vite, 'build', ...quiet], 'Building the page failed; see above.');
	run(
		process.execPath,
		[vite, 'build', '--config', 'server/vite.config.ts', ...quiet],
		'Building the server failed; see above.'
	);
	mkdirSync(path.dirname(stamp), { recursive: true });
	writeFileSync(stamp, now);
	done('Built');
}

/** Prints what starts, and returns a function that prints how long it took. */
function begin(work) {
	const startMs = Date.now();
	console.log(`${work} …`);
	return (result) => console.log(`${result} in ${Math.ceil((Date.now() - startMs) / 1000)} s.`);
}

function run(command, args, sentence) {
	const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
	if (error || status !== 0) throw new StartError(error ? `${sentence} (${error.message})` : sentence);
}

function sourceHash() {
	const hash = createHash('sha256');
	const add = (name) => {
		const file = path.join(root, name);
		if (!existsSync(file)) return;
		if (statSync(file).isDirectory()) for (const entry of readdirSync(file).sort()) add(`${name}/${entry}`);
		else hash.update(`${name}\0`).update(readFileSync(file));
	};
	for (const name of SOURCES) add(name);
	return hash.digest('hex');
}
