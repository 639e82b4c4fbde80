import { Buffer } from 'buffer';
import type { RunResult } from '#computer/abi/syscalls.ts';
import { isSyscallError, systemError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { checkFile, checkSyncOptions } from './checks.ts';
import { childArguments, childPlace, command, DEFAULT_MAX_BUFFER, stdioOf, type ChildOptions } from './arguments.ts';
import { placeIn, RUN, startRequest, type StartRequest } from './start-request.ts';

interface SyncResult {
	pid: number;
	output: unknown[];
	stdout: unknown;
	stderr: unknown;
	status: number | null;
	signal: string | null;
	error?: Error;
}

/** Number of bytes read before the limit is checked. */
const READ_BYTES = 64 * 1024;

const inputBytes = (input: string | ArrayBufferView): Uint8Array =>
	typeof input === 'string' ? Buffer.from(input) : new Uint8Array(input.buffer, input.byteOffset, input.byteLength);

/** `spawnSync`, `execSync` and `execFileSync`: one call of the kernel that returns when the child has ended. */
export function syncChildren(runtime: Runtime) {
	const spawnSync = (file: string, ...rest: unknown[]): SyncResult => {
		const { args, options } = childArguments(rest);
		return run(file, args, options);
	};
	const run = (file: string, args: string[], options: ChildOptions): SyncResult => {
		checkFile(file);
		checkSyncOptions(options);
		const limit = options.maxBuffer ?? DEFAULT_MAX_BUFFER;
		const [, out, err] = stdioOf(options);
		const shown = (bytes: Uint8Array, how: unknown, descriptor: 1 | 2) => {
			if (how === 'inherit' || how === descriptor) {
				if (bytes.length > 0) runtime.sys.write(descriptor, bytes);
				return null;
			}
			const buffer = Buffer.from(bytes);
			return options.encoding && options.encoding !== 'buffer' ? buffer.toString(options.encoding) : buffer;
		};
		const failed = (code: string): SyncResult => {
			const error = Object.assign(systemError(code, `spawnSync ${file}`), { path: file, spawnargs: args });
			// ENOSYS does not come from Node, and its message explains what to do.
			if (code !== 'ENOSYS') error.message = `spawnSync ${file} ${code}`;
			return { pid: 0, output: [], stdout: null, stderr: null, status: null, signal: null, error };
		};
		try {
			const how = {
				umask: runtime.process.umask(),
				stdin: options.input === undefined && stdioOf(options)[0] === 'inherit' ? undefined : ('null' as const),
				input: options.input === undefined ? undefined : inputBytes(options.input),
				timeoutMs: options.timeout || undefined,
				maxBytes: Number.isFinite(limit) ? Math.ceil(limit) + READ_BYTES : undefined
			};
			const request = startRequest(command(file, args, options), childPlace(runtime, options));
			const binding = runtime.process.binding('spawn_sync') as { spawn(request: StartRequest): RunResult };
			request[RUN] = ({ args: argv }) => runtime.sys.run({ ...how, ...placeIn(request), argv });
			const result = binding.spawn(request);
			const [stdout, stderr] = [shown(result.stdout, out, 1), shown(result.stderr, err, 2)];
			const isLarge = Math.max(result.stdout.length, result.stderr.length) > limit;
			const isEnded = result.timedOut || (isLarge && result.signal !== null);
			const signal = isEnded ? (options.killSignal ?? 'SIGTERM') : result.signal;
			const status = signal ? null : result.code;
			const ended = { pid: 1, output: [null, stdout, stderr], stdout, stderr, status, signal };
			if (result.timedOut) return { ...failed('ETIMEDOUT'), ...ended };
			return isLarge ? { ...failed('ENOBUFS'), ...ended } : ended;
		} catch (error) {
			if (isSyscallError(error)) return failed(error.code);
			throw error;
		}
	};
	const checked = (result: SyncResult, shown: string, options: ChildOptions): unknown => {
		if (result.error && result.status === null && !result.signal) throw result.error;
		const stderr = result.stderr;
		if (options.stdio === undefined && stderr && String(stderr as Buffer)) {
			runtime.process.stderr.write(stderr as Uint8Array);
		}
		if (result.status === 0 && !result.error) return result.stdout;
		const text = stderr && String(stderr as Buffer) ? `\n${String(stderr as Buffer)}` : '';
		throw Object.assign(result.error ?? new Error(`Command failed: ${shown}${text}`), result);
	};
	return {
		spawnSync,
		execFileSync: (file: string, ...rest: unknown[]) => {
			const { args, options } = childArguments(rest);
			return checked(run(file, args, options), [file, ...args].join(' '), options);
		},
		execSync: (line: string, options: ChildOptions = {}) =>
			checked(run(line, [], { ...options, shell: options.shell ?? true }), line, options)
	};
}
