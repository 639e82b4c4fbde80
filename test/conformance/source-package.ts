import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Unpacks the upstream source of a Debian package into a folder, unless it exists.
 *
 * @param name name of the source package
 * @param folder receives the contents of the archive's top folder
 * @throws Error if apt has no `deb-src` line or the download fails
 */
export function unpackSource(name: string, folder: string): void {
	if (existsSync(folder)) return;
	const download = `${folder}.download`;
	rmSync(download, { recursive: true, force: true });
	mkdirSync(download, { recursive: true });
	runIn(download, 'apt-get', ['source', '--download-only', name]);
	const archive = readdirSync(download).find((file) => /\.orig\.tar\.\w+$/.test(file));
	if (!archive) throw new Error(`The source package ${name} has no upstream archive.`);
	mkdirSync(path.join(download, 'unpacked'));
	runIn(download, 'tar', ['-xf', archive, '--strip-components=1', '-C', 'unpacked']);
	renameSync(path.join(download, 'unpacked'), folder);
	rmSync(download, { recursive: true });
}

function runIn(cwd: string, program: string, args: string[]): void {
	const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
	if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed (is there a deb-src line?): ${stderr}`);
}
