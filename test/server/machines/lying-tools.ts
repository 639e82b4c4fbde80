import { execFile } from 'node:child_process';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { shellWord } from '#environment/shell-word.ts';
import type { Daemon } from './docker-daemon.ts';

const run = promisify(execFile);

/** Tools of the image that the machine's scripts ask, and that a lie can replace. */
const TOOLS = ['stat', 'find', 'tar', 'cat', 'readlink'] as const;
export type Tool = (typeof TOOLS)[number];

/**
 * Gives an image tools that can be made to lie: each runs the script `/tmp/lies/NAME` where there is one. BusyBox runs
 * its own tools without a look at the path, so the shell is dash.
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
 * Tells the tools of a container what to do instead, past everything of ours. An earlier lie without an end is stopped:
 * its container would be busy with it beside all later tests.
 */
export async function tellLies(daemon: Daemon, id: string, lies: Partial<Record<Tool, string>>): Promise<void> {
	const lines = Object.entries(lies).map(([tool, lie]) => `printf '%s' ${shellWord(lie)} > /tmp/lies/${tool}`);
	const script = ['killall -q yes; rm -rf /tmp/lies; mkdir /tmp/lies', ...lines].join('\n');
	await daemon.docker('exec', id, 'sh', '-c', script);
}
