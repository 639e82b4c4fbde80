import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Answer, type Case, contentsOf, type LoadedSuite } from './suite.ts';

/** The computer's user is not root, so neither is the user of the real shell. */
const USER_ID = 1000;
const isRoot = process.getuid?.() === 0;

/** Environment of a case, the same on both sides. */
export function environmentOf(loaded: LoadedSuite, root: string, index: number): Record<string, string> {
	return {
		HOME: `${root}/home`,
		TMP: `${root}/cases/${index}`,
		LC_ALL: 'C.UTF-8',
		TZ: 'UTC',
		USER: 'user',
		...loaded.env(root),
		...loaded.cases[index]?.env
	};
}

/** Writes a suite's shared files to disk. */
export async function prepareNative(loaded: LoadedSuite, root: string): Promise<void> {
	await rm(root, { recursive: true, force: true });
	for (const [name, content] of contentsOf(loaded)) {
		const file = path.join(root, name);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, content);
		await chmod(file, 0o755);
	}
	await mkdir(path.join(root, 'cases'), { recursive: true });
	if (isRoot) for (const name of ['', 'home', 'cases']) await chown(path.join(root, name), USER_ID, USER_ID);
}

/** Runs a case in the real bash. */
export async function runNatively(
	loaded: LoadedSuite,
	root: string,
	index: number,
	one: Case,
	limitMs: number
): Promise<Answer> {
	const cwd = path.join(root, 'cases', String(index));
	await rm(cwd, { recursive: true, force: true });
	await mkdir(path.join(cwd, '_tmp'), { recursive: true });
	if (isRoot) for (const folder of [cwd, path.join(cwd, '_tmp')]) await chown(folder, USER_ID, USER_ID);
	const child = spawn('/bin/bash', ['-c', one.script], {
		cwd,
		env: environmentOf(loaded, root, index),
		stdio: ['ignore', 'pipe', 'ignore'],
		detached: true,
		...(isRoot ? { uid: USER_ID, gid: USER_ID } : {})
	});
	const pieces: Buffer[] = [];
	child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
	const killGroup = () => {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
		} catch {
			// All of its processes have ended.
		}
	};
	const timer = setTimeout(killGroup, limitMs);
	const status = await new Promise<number | null>((resolve, reject) => {
		child.on('error', reject);
		child.on('close', resolve);
	});
	clearTimeout(timer);
	killGroup();
	await rm(cwd, { recursive: true, force: true });
	return { stdout: new TextDecoder().decode(Buffer.concat(pieces)), status };
}
