import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { RUNNER } from '../start.ts';

const start = path.resolve(import.meta.dirname, '../../../server/serve.mjs');

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-processes-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/**
 * Starts the built server in a separate process, as in the container, with a page of two files; it inherits nothing
 * from this process's environment.
 * @throws Error with its output, if it does not start
 */
export async function serve(env: Record<string, string>) {
	const cwd = temporaryFolder();
	mkdirSync(path.join(cwd, 'dist/page'), { recursive: true });
	writeFileSync(path.join(cwd, 'dist/page/runner.html'), RUNNER.html);
	writeFileSync(path.join(cwd, 'dist/page/runner-headers.json'), JSON.stringify(RUNNER.headers));
	const child = spawn(process.execPath, [start], {
		cwd,
		env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', SANDGLASS_PREVIEW_ORIGIN: 'off', ...env },
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const ended = once(child, 'exit');
	const kill = async (signal: NodeJS.Signals): Promise<void> => {
		child.kill(signal);
		await ended;
	};
	onTestFinished(() => kill('SIGKILL'));
	let said = '';
	child.stderr.on('data', (chunk) => (said += String(chunk)));
	const url = await new Promise<string>((resolve, reject) => {
		child.stdout.on('data', (chunk) => {
			said += String(chunk);
			const ready = /Sandglass is ready at (\S+)/.exec(said)?.[1];
			if (ready !== undefined) resolve(ready);
		});
		ended.then(() => reject(new Error(said)));
	});
	if (child.pid === undefined) throw new Error('The process has no number.');
	return { url, pid: child.pid, /** Everything it wrote to either output. */ said: () => said, kill };
}
