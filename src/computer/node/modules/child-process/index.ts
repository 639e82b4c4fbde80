import { Buffer } from 'buffer';
import { invalidArgument, nodeError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { childArguments, DEFAULT_MAX_BUFFER, type ChildOptions } from './arguments.ts';
import { ChildProcess } from './child.ts';
import { checkMaxBuffer, checkStdio } from './checks.ts';
import { pathText } from '../fs/arguments.ts';
import { Collected } from './collected.ts';
import { syncChildren } from './sync.ts';

type Done = (error: Error | null, stdout: unknown, stderr: unknown) => void;
const custom = Symbol.for('nodejs.util.promisify.custom');

/** `node:child_process`. */
export function createChildProcess(runtime: Runtime): Record<string, unknown> {
	const spawn = (file: string, ...rest: unknown[]) => {
		if (rest.length > 1 && rest[1] === null) throw invalidArgument('options', 'of type object', null);
		const { args, options } = childArguments(rest);
		return new ChildProcess(runtime, file, args, options);
	};
	const collected = (file: string, args: string[], options: ChildOptions, done: Done | undefined) => {
		checkMaxBuffer(options);
		const child = new ChildProcess(runtime, file, args, { ...options, stdio: options.stdio ?? 'pipe' });
		const { maxBuffer: limit = DEFAULT_MAX_BUFFER } = options;
		// Explicitly undefined selects bytes.
		const encoding = 'encoding' in options ? options.encoding : 'utf8';
		const named = encoding && encoding !== 'buffer' && Buffer.isEncoding(encoding) ? encoding : null;
		const cmd = options.shell ? file : [file, ...args].join(' ');
		let failure: Error | null = null;
		const exceeded = (error: Error) => {
			failure = error;
			child.stdout?.destroy();
			child.stderr?.destroy();
			child.kill(options.killSignal);
		};
		const output = new Collected(child.stdout, 'stdout', named, limit, exceeded);
		const errors = new Collected(child.stderr, 'stderr', named, limit, exceeded);
		child.on('error', (error: Error) => (failure = error));
		child.on('close', (code: number | null, signal: string | null) => {
			const [stdout, stderr] = [output.content, errors.content];
			if (!failure && (code !== 0 || signal)) {
				failure = Object.assign(new Error(`Command failed: ${cmd}\n${String(stderr)}`), {
					code,
					killed: child.killed,
					signal
				});
			}
			if (failure) Object.assign(failure, { cmd, stdout, stderr });
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
			let settle: Done = () => undefined;
			const promise = new Promise((resolve, reject) => {
				settle = (error, stdout, stderr) => (error ? reject(error) : resolve({ stdout, stderr }));
			});
			// Errors thrown synchronously are thrown, not rejected.
			const child = start(...args, (...results: Parameters<Done>) => settle(...results));
			return Object.assign(promise, { child });
		};
	Object.assign(exec, { [custom]: promised(exec as never) });
	Object.assign(execFile, { [custom]: promised(execFile as never) });
	return {
		ChildProcess,
		spawn,
		exec,
		execFile,
		fork: (file: string, ...rest: unknown[]) => fork(runtime, file, rest),
		...syncChildren(runtime)
	};
}

/** Starts a Node program with a channel to it. @throws ERR_INVALID_ARG_TYPE, ERR_CHILD_PROCESS_IPC_REQUIRED */
function fork(runtime: Runtime, module: unknown, rest: unknown[]): ChildProcess {
	const file = pathText(module as string, 'modulePath');
	const given = rest.filter((value, index) => index > 1 || (value !== undefined && value !== null));
	if (given.some((value) => typeof value === 'function'))
		throw invalidArgument('options', 'of type object', given.at(-1));
	const [first] = given;
	if (first !== undefined && typeof first !== 'object') throw invalidArgument('args', 'an instance of Array', first);
	const { args, options } = childArguments(given);
	checkStdio(options.stdio);
	const wanted = options.stdio ?? (options.silent ? 'pipe' : 'inherit');
	if (Array.isArray(wanted) && !wanted.includes('ipc')) {
		const words = "Forked processes must have an IPC channel, missing value 'ipc' in options.stdio";
		throw nodeError(Error, 'ERR_CHILD_PROCESS_IPC_REQUIRED', words);
	}
	const stdio = Array.isArray(wanted) ? wanted : [wanted, wanted, wanted, 'ipc' as const];
	const flags = options.execArgv ?? inherited(runtime.process.execArgv);
	return new ChildProcess(runtime, 'node', [...flags, file, ...args], { ...options, shell: false, stdio });
}

/** Flags with code as their argument, which a child must not run again. */
const EVALUATES = /^(-e|--eval|-p|-pe|--print)$/;
/** Flags that describe this process. */
const OWN = /^--(test|sandglass-thread)(=|$)/;

function inherited(flags: readonly string[]): string[] {
	return flags.filter(
		(flag, index) => !OWN.test(flag) && ![flag, flags[index - 1] ?? ''].some((one) => EVALUATES.test(one))
	);
}
