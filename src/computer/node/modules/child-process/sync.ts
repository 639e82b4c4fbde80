import { Buffer } from 'buffer';
import type { RunResult } from '#computer/abi/syscalls.ts';
import { isSyscallError, systemError } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { checkFile, checkSyncOptions } from './checks.ts';
import {
	childArguments,
	childPlace,
	command,
	DEFAULT_MAX_BUFFER,
	stdioOf,
	type ChildOptions,
	type Stdio
} from './arguments.ts';
import { descriptorsFrom, namedDescriptor } from './streams.ts';
import { placeIn, RUN, startRequest, type StartRequest } from './start-request.ts';

interface SyncResult {
	pid: number;
	output: unknown[] | null;
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

const isPipe = (how: Stdio) => how === 'pipe' || how === 'overlapped';

/** The streams that a call of the kernel gives to a child, and those it collects. */
function streamsOf(runtime: Runtime, streams: readonly Stdio[]) {
	const [input = 'null', stdout, stderr, ...others] = streams.map((how, index) =>
		isPipe(how) ? undefined : (namedDescriptor(runtime, how, index) ?? ('null' as const))
	);
	const collects = others.flatMap((end, index) => (end === undefined ? [index + 3] : []));
	return { stdin: input, stdout, stderr, descriptors: descriptorsFrom(others.map((end) => end ?? 'null')), collects };
}

function outputOf(result: RunResult, index: number): Uint8Array {
	return (index === 1 ? result.stdout : index === 2 ? result.stderr : result[`output${index}`]) ?? new Uint8Array(0);
}

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
		const streams = stdioOf(options);
		const shown = (bytes: Uint8Array) => {
			const buffer = Buffer.from(bytes);
			return options.encoding && options.encoding !== 'buffer' ? buffer.toString(options.encoding) : buffer;
		};
		const failed = (code: string): SyncResult => {
			const error = Object.assign(systemError(code, `spawnSync ${file}`), { path: file, spawnargs: args });
			// ENOSYS does not come from Node, and its message explains what to do.
			if (code !== 'ENOSYS') error.message = `spawnSync ${file} ${code}`;
			return { pid: 0, output: null, stdout: undefined, stderr: undefined, status: null, signal: null, error };
		};
		try {
			const how = {
				umask: runtime.process.umask(),
				...streamsOf(runtime, streams),
				input: options.input === undefined ? undefined : inputBytes(options.input),
				timeoutMs: options.timeout || undefined,
				maxBytes: Number.isFinite(limit) ? Math.ceil(limit) + READ_BYTES : undefined
			};
			const request = startRequest(command(file, args, options), childPlace(runtime, options));
			const binding = runtime.process.binding('spawn_sync') as { spawn(request: StartRequest): RunResult };
			request[RUN] = ({ args: argv }) => runtime.sys.run({ ...how, ...placeIn(request), argv });
			const result = binding.spawn(request);
			const collected = streams.map((how, index) => (index > 0 && isPipe(how) ? outputOf(result, index) : null));
			const output = collected.map((bytes) => bytes && shown(bytes));
			const isLarge = collected.some((bytes) => bytes && bytes.length > limit);
			const isEnded = result.timedOut || (isLarge && result.signal !== null);
			const signal = isEnded ? (options.killSignal ?? 'SIGTERM') : result.signal;
			const status = signal ? null : result.code;
			const ended = { pid: 1, output, stdout: output[1], stderr: output[2], status, signal };
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
