import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { env } from 'node:process';
import { Worker } from 'node:worker_threads';
import { letHostEnd } from '../diagnostics/let-host-end.ts';
import { LineSplitter, type StartLineProcess } from '../diagnostics/line-process.ts';
import { PYTHON_CHECKER_COMMAND } from '../diagnostics/python.ts';

const MOST_MEMORY_MB = 1_024;

/**
 * Starts the language service in a thread, with the TypeScript that is installed beside this library; `null` if there
 * is none. Never uses the project's own: that would run a repository's code on this machine without the user's consent.
 *
 * @param script location of the thread's script, for hosts that bundle
 */
export function startTypeScript(root: () => string, script?: URL): StartLineProcess {
	return async ({ onLine, onEnd }) => {
		const compilerPath = installedCompiler();
		const file = script ?? new URL('./typescript-worker.js', import.meta.url);
		// Node cannot run this library's own sources.
		if (compilerPath === null || !existsSync(file)) return null;
		const worker = new Worker(file, {
			workerData: { compilerPath, root: root() },
			resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB }
		});
		worker.on('message', (line: unknown) => onLine(String(line)));
		// The exit event follows.
		worker.on('error', () => {});
		worker.once('exit', onEnd);
		worker.unref();
		return { send: (line) => worker.postMessage(line), kill: () => void worker.terminate() };
	};
}

/** Starts Python from this machine's path; `null` if there is none. */
export const startPython: StartLineProcess = async ({ onLine, onEnd }) => {
	const [command = '', ...args] = PYTHON_CHECKER_COMMAND;
	const child = spawn(command, args, { cwd: '/', env: { PATH: env['PATH'] ?? '' }, stdio: ['pipe', 'pipe', 'ignore'] });
	const isThere = await new Promise<boolean>((resolve) => {
		child.once('spawn', () => resolve(true));
		child.once('error', () => resolve(false));
	});
	if (!isThere) return null;
	const lines = new LineSplitter(onLine);
	child.stdout.setEncoding('utf8').on('data', (text: string) => lines.add(text));
	child.stdin.on('error', () => {
		// The end of the process reports it.
	});
	child.once('close', onEnd);
	for (const handle of [child, child.stdin, child.stdout]) letHostEnd(handle);
	return { send: (line) => void child.stdin.write(`${line}\n`), kill: () => void child.kill('SIGKILL') };
};

function installedCompiler(): string | null {
	try {
		return createRequire(import.meta.url).resolve('typescript');
	} catch {
		return null;
	}
}
