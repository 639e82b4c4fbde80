import type { Runtime } from '../../runtime/runtime.ts';
import { invalidArgument, toSystem, nodeError } from '../../runtime/errors.ts';
import { aborted, fileTime, type PathLike } from './arguments.ts';
import { constants } from './constants.ts';
import { type Descriptors, descriptorsOf } from './descriptors.ts';
import { Directory } from './directory.ts';
import { FileBlob } from './file-blob.ts';
import { FileHandle } from './file-handle.ts';
import { checkCall } from './signatures.ts';
import { globSync } from './glob.ts';
import { readInput } from './input-read.ts';
import { Dirent, Stats } from './stats.ts';
import { readingWhole, writingWhole } from './whole-file.ts';
import { streamClasses } from './streams.ts';
import { readTarget } from './transfer.ts';
import { syncCalls } from './sync/index.ts';
import { watchEvents, watching } from './watch.ts';

type Call = (...args: unknown[]) => unknown;

/** `node:fs`: all three variants, over the same calls. */
export function createFs(runtime: Runtime): Record<string, unknown> {
	const descriptors = descriptorsOf(runtime);
	const calls = syncCalls(runtime, descriptors);
	const watchers = watching(runtime, calls);
	const fs: Record<string, unknown> = { constants, Stats, Dirent, Dir: Directory, ...watchers };
	const streams = streamClasses(fs);
	Object.assign(fs, streams);
	const promises: Record<string, unknown> = { constants };
	Object.assign(fs, { FileReadStream: streams.ReadStream, FileWriteStream: streams.WriteStream });
	// Only macOS has these two; on other systems Node defines the names as undefined.
	Object.assign(fs, { lchmod: undefined, lchmodSync: undefined });
	Object.assign(fs, { _toUnixTimestamp: (time: unknown) => fileTime(time) / 1000 });
	const byName: Record<string, Call> = calls as unknown as Record<string, Call>;
	for (const [name, unchecked] of Object.entries(byName)) {
		const call: Call = (...args) => {
			checkCall(name, args);
			return unchecked(...args);
		};
		fs[`${name}Sync`] = named(`${name}Sync`, call);
		fs[name] = callbackForm(runtime, name, unchecked);
		if (!/^(f[a-z]+|close|read|write|readv|writev|exists)$/.test(name) || name === 'fchmodat') {
			promises[name] = named(name, (...args) => later(runtime, () => call(...args)));
		}
	}
	const soon = (run: () => unknown) => later(runtime, run);
	promises['readFile'] = named('readFile', readingWhole(fs['readFileSync'] as Call, soon));
	for (const name of ['writeFile', 'appendFile'])
		promises[name] = named(name, writingWhole(fs[`${name}Sync`] as Call, soon));
	const close = fs['close'] as Call;
	fs['close'] = named('close', (descriptor, done = throwFailure) => close(descriptor, done));
	for (const form of ['realpath', 'realpathSync']) Object.assign(fs[form] as object, { native: fs[form] });
	promises['open'] = (...args: Parameters<typeof calls.open>) =>
		later(runtime, () => openedLater(runtime, descriptors, args)).then(
			async (opened) => new FileHandle(calls, streams as never, await opened)
		);
	fs['open'] = openWithCallback(runtime, descriptors);
	// As on Linux, which has no such call.
	promises['lchmod'] = async () => {
		throw nodeError(Error, 'ERR_METHOD_NOT_IMPLEMENTED', 'The lchmod() method is not implemented');
	};
	promises['watch'] = (path: string, options?: { signal?: AbortSignal }) => watchEvents(watchers, path, options);
	fs['read'] = readWithCallback(runtime, descriptors, byName['read'] as Call);
	for (const [call, fields] of Object.entries(PROMISED_FIELDS)) promiseOfFields(fs[call] as Call, fields);
	const exists = fs['exists'] as Call;
	const { exists: promisedExists } = {
		exists: (path: unknown) => new Promise((resolve) => exists(path, resolve))
	};
	Object.defineProperty(exists, Symbol.for('nodejs.util.promisify.custom'), { value: promisedExists });
	const glob = (...args: unknown[]) => globSync(runtime, ...(args as [string]));
	fs['globSync'] = named('globSync', glob);
	fs['glob'] = callbackForm(runtime, 'glob', glob);
	promises['glob'] = async function* (...args: unknown[]) {
		yield* glob(...args);
	};
	fs['openAsBlob'] = async (path: string, { type = '' }: { type?: string } = {}) => {
		const content = calls.readFile(path) as Uint8Array<ArrayBuffer>;
		const version = () => {
			const stat = runtime.sys.statOrNull(runtime.resolvePath(path));
			return stat && `${stat.inode} ${stat.size} ${stat.modifiedMs}`;
		};
		const opened = version();
		return new FileBlob([content], { type }, () => version() === opened);
	};
	fs['promises'] = promises;
	for (const [name, value] of Object.entries({ F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 })) {
		Object.defineProperty(fs, name, { value, enumerable: true });
	}
	return fs;
}

type OpenArguments = [path: PathLike, flags?: string | number | null, mode?: number | string];

/** Opens a file, waiting for the other end of a named pipe without blocking the program. */
async function openedLater(runtime: Runtime, descriptors: Descriptors, [path, flags, mode]: OpenArguments) {
	const descriptor = descriptors.open(path, flags, mode, false);
	const pipe = descriptors.pipeOf(descriptor);
	if (pipe !== null) await runtime.loop.holdWhile(runtime.async.opened(pipe));
	return descriptor;
}

/** `fs.open`. */
function openWithCallback(runtime: Runtime, descriptors: Descriptors): Call {
	const open = callbackForm(runtime, 'open', (...args) => {
		const [path, flags, mode] = args as OpenArguments;
		return descriptors.open(path, flags, mode, false);
	});
	return named('open', (...args) => {
		const done = args.pop();
		if (typeof done !== 'function') throw invalidArgument('cb', 'of type function', done);
		return open(...args, (error: Error | null, descriptor: number) => {
			const pipe = error ? null : descriptors.pipeOf(descriptor);
			if (pipe === null) return Reflect.apply(done, undefined, error ? [error] : [null, descriptor]) as unknown;
			runtime.loop.holdWhile(runtime.async.opened(pipe)).then(
				() => runtime.loop.enter(() => Reflect.apply(done, undefined, [null, descriptor])),
				(failure: unknown) => runtime.loop.enter(() => Reflect.apply(done, undefined, [toSystem(failure, 'open')]))
			);
		});
	});
}

/** `fs.read`: waits for input from the terminal or a pipe without blocking the program. */
function readWithCallback(runtime: Runtime, descriptors: Descriptors, call: Call): Call {
	const read = callbackForm(runtime, 'read', call);
	return named('read', (descriptor, ...args) => {
		const done = args.pop();
		if (typeof done !== 'function') throw invalidArgument('cb', 'of type function', done);
		checkCall('read', [descriptor, ...args]);
		const into = readTarget(args);
		const stream = typeof descriptor === 'number' ? descriptors.streamOf(descriptor) : null;
		if (stream !== null && !descriptors.isFile(descriptor as number)) readInput(runtime, stream, into, done as never);
		else read(descriptor, into.target, into.offset, into.length, into.position, done);
	});
}

/** Property names of the results for promises of calls with more than one result. */
const PROMISED_FIELDS: Readonly<Record<string, readonly [string, string]>> = {
	read: ['bytesRead', 'buffer'],
	readv: ['bytesRead', 'buffers'],
	write: ['bytesWritten', 'buffer'],
	writev: ['bytesWritten', 'buffer']
};

/** Makes `util.promisify` resolve to an object with both results of a call. */
function promiseOfFields(call: Call, [count, data]: readonly [string, string]): void {
	const promised = (...args: unknown[]) =>
		new Promise((resolve, reject) => {
			call(...args, (error: unknown, first: unknown, second: unknown) => {
				if (error) reject(error as Error);
				else resolve({ [count]: first, [data]: second });
			});
		});
	Object.defineProperty(call, Symbol.for('nodejs.util.promisify.custom'), { value: promised });
}

/** Throws the error of a call without a callback, which is only allowed for `close`. */
function throwFailure(error: Error | null): void {
	if (error) throw error;
}

function named(name: string, call: Call): Call {
	return Object.defineProperty((...args: unknown[]) => call(...args), 'name', { value: name });
}

/** Runs in a separate task, as if a disk was accessed. */
function later<Result>(runtime: Runtime, run: () => Result): Promise<Result> {
	return new Promise((resolve, reject) => {
		runtime.loop.perform('FSReqPromise', () => {
			try {
				resolve(run());
			} catch (error) {
				reject(error);
			}
		});
	});
}

/** Calls that Node's threads complete before a program continues: output written before an exit is not lost. */
const AT_ONCE = new Set(['write', 'writev']);

function callbackForm(runtime: Runtime, name: string, call: Call): Call {
	return named(name, (...args) => {
		const callback = args.pop();
		if (typeof callback !== 'function') throw invalidArgument('cb', 'of type function', callback);
		while (args.length > 0 && args.at(-1) === undefined) args.pop();
		checkCall(name, args);
		const results = (): unknown[] => {
			try {
				const { signal } = Object(args.at(-1)) as { signal?: unknown };
				if (signal instanceof AbortSignal && signal.aborted) throw aborted(signal);
				const result = call(...args);
				if (name === 'exists') return [result];
				if (name in PROMISED_FIELDS) return [null, result, args[1]];
				return result === undefined ? [null] : [null, result];
			} catch (error) {
				return [error];
			}
		};
		const done = AT_ONCE.has(name) ? results() : null;
		runtime.loop.perform('FSReqCallback', () => Reflect.apply(callback, undefined, done ?? results()));
	});
}
