import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '#environment/shell-word.ts';
import type { Daemon } from './docker-daemon.ts';

const run = promisify(execFile);

/** Tools of the image that the machine's scripts use, and that can be made to lie. */
const TOOLS = ['stat', 'find', 'tar', 'cat', 'readlink'] as const;
export type Tool = (typeof TOOLS)[number];

/**
 * Adds tools to an image that can be made to lie: each runs the script `/tmp/lies/NAME` if it exists. BusyBox runs its
 * own tools without searching the path, so the shell is dash.
 */
export async function addLyingTools(root: string): Promise<void> {
	const shell = '/bin/dash';
	const { stdout } = await run('ldd', [shell]);
	const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library);
	for (const file of libraries) {
		await mkdir(path.join(root, path.dirname(file)), { recursive: true });
		await copyFile(file, path.join(root, file));
	}
	await rm(path.join(root, 'bin/sh'));
	await copyFile(shell, path.join(root, 'bin/sh'));
	for (const tool of TOOLS) {
		const script = `#!/bin/sh\n[ ! -e /tmp/lies/${tool} ] || . /tmp/lies/${tool}\nexec /bin/busybox ${tool} "$@"\n`;
		await rm(path.join(root, 'bin', tool));
		await writeFile(path.join(root, 'bin', tool), script, { mode: 0o755 });
	}
}

/**
 * Replaces the behavior of tools in a container, without using our code. An earlier endless lie is stopped: it would
 * keep its container busy during all later tests.
 */
export async function tellLies(daemon: Daemon, id: string, lies: Partial<Record<Tool, string>>): Promise<void> {
	const lines = Object.entries(lies).map(([tool, lie]) => `printf '%s' ${shellWord(lie)} > /tmp/lies/${tool}`);
	const script = ['killall -q yes; rm -rf /tmp/lies; mkdir /tmp/lies', ...lines].join('\n');
	await daemon.docker('exec', id, 'sh', '-c', script);
}
