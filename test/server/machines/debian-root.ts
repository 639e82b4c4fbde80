import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OPTIONS = { maxBuffer: 2 ** 26 };
const NOT_NEEDED = /^\/usr\/share\/(doc|man|info|locale|lintian|bug)\//;

/** Returns why the files of these Debian packages are not available on this computer; `undefined` if they are. */
export async function missingPackages(...names: string[]): Promise<string | undefined> {
	try {
		await run('dpkg', ['-s', ...names], OPTIONS);
		await run('apt-cache', ['--version']);
		return undefined;
	} catch {
		return `${names.join(', ')} of Debian must be installed`;
	}
}

/** Copies the files of installed Debian packages, and of all their dependencies, into the root of an image. */
export async function addPackages(root: string, ...names: string[]): Promise<void> {
	const without = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
		(kind) => `--no-${kind}`
	);
	const closure = await run('apt-cache', ['depends', '--recurse', '--installed', ...without, ...names], OPTIONS);
	const packages = closure.stdout.split('\n').filter((line) => /^[a-z0-9]/.test(line));
	const { stdout } = await run('dpkg', ['-L', ...packages], OPTIONS);
	const files = new Set(stdout.split('\n').filter((line) => line.startsWith('/') && !NOT_NEEDED.test(line)));
	for (const directory of ['lib', 'lib64', 'sbin']) {
		await mkdir(path.join(root, 'usr', directory), { recursive: true });
		await symlink(`usr/${directory}`, path.join(root, directory));
		files.delete(`/${directory}`);
	}
	// The image has a directory there, from BusyBox.
	files.delete('/bin');
	const list = path.join(path.dirname(root), 'packages.txt');
	await writeFile(
		list,
		[...files]
			.filter((file) => file !== '/.')
			.map((file) => file.slice(1))
			.join('\n')
	);
	await run('sh', [
		'-c',
		'tar -C / --no-recursion -T "$1" -cf - | tar -C "$2" --keep-directory-symlink -xf -',
		'sh',
		list,
		root
	]);
}
