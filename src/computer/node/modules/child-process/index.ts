import { Buffer } from 'buffer';
import type { Runtime } from '../../runtime/runtime.ts';
import { childArguments, DEFAULT_MAX_BUFFER, type ChildOptions } from './arguments.ts';
import { ChildProcess } from './child.ts';
import { Collected } from './collected.ts';
import { syncChildren } from './sync.ts';

type Done = (error: Error | null, stdout: unknown, stderr: unknown) => void;
const custom = Symbol.for('nodejs.util.promisify.custom');

/** `node:child_process`. */
export function createChildProcess(runtime: Runtime): Record<string, unknown> {
	const spawn = (file: string, ...rest: unknown[]) => {
		const { args, options } = childArguments(rest);
		return new ChildProcess(runtime, file, args, options);
	};
	const collected = (file: string, args: string[], options: ChildOptions, done: Done | undefined) => {
		const child = new ChildProcess(runtime, file, args, { ...options, stdio: options.stdio ?? 'pipe' });
		const { encoding = 'utf8', maxBuffer: limit = DEFAULT_MAX_BUFFER } = options;
		const named = encoding !== 'buffer' && encoding !== null && Buffer.isEncoding(encoding) ? encoding : null;
		let failure: Error | null = null;
		const exceeded = (error: Error) => {
			failure = Object.assign(error, { cmd: options.shell ? file : [file, ...args].join(' ') });
			child.stdout?.destroy();
			child.stderr?.destroy();
			child.kill(options.killSignal);
		};
		const output = new Collected(child.stdout, 'stdout', named, limit, exceeded);
		const errors = new Collected(child.stderr, 'stderr', named, limit, exceeded);
		child.on('error', (error: Error) => (failure = error));
		child.on('close', (code: number | null, signal: string | null) => {
			const [stdout, stderr] = [output.content, errors.content];
			const cmd = options.shell ? file : [file, ...args].join(' ');
			if (!failure && (code !== 0 || signal)) {
				failure = Object.assign(new Error(`Command failed: ${cmd}\n${String(stderr)}`), {
					code,
					killed: child.killed,
					signal,
					cmd
				});
			}
			if (failure) Object.assign(failure, { stdout, stderr });
			done?.(failure, stdout, stderr);
		});
		return child;
	};
	const execFile = (file: string, ...rest: unknown[]) => {
		const { args, options, callback } = childArguments(rest);
		return collected(file, args, options, callback as Done | undefined);
	};
	const exec = (line: string, ...rest: unknown[]) => {
		const { options, callback } = childArguments(rest);
		return collected(line, [], { ...options, shell: options.shell ?? true }, callback as Done | undefined);
	};
	const promised =
		(start: (...args: unknown[]) => ChildProcess) =>
		(...args: unknown[]) => {
			let child: ChildProcess | undefined;
			const promise = new Promise((resolve, reject) => {
				child = start(...args, (error: Error | null, stdout: unknown, stderr: unknown) =>
					error ? reject(error) : resolve({ stdout, stderr })
				);
			});
			return Object.assign(promise, { child });
		};
	Object.assign(exec, { [custom]: promised(exec as never) });
	Object.assign(execFile, { [custom]: promised(execFile as never) });
	return {
		ChildProcess,
		spawn,
		exec,
		execFile,
		fork: (file: string, ...rest: unknown[]) => {
			const { args, options } = childArguments(rest);
			const given = options.stdio ?? (options.silent ? 'pipe' : 'inherit');
			const stdio = Array.isArray(given) ? given : [given, given, given];
			const own = { ...options, stdio: stdio.includes('ipc') ? stdio : [...stdio, 'ipc' as const] };
			return new ChildProcess(runtime, 'node', [...(options.execArgv ?? []), file, ...args], own);
		},
		...syncChildren(runtime)
	};
}
