import { invalidArgument } from '../../runtime/errors.ts';
import { checkFile } from './checks.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { SignalName } from '#computer/abi/syscalls.ts';

export type Stdio =
	'pipe' | 'overlapped' | 'inherit' | 'ignore' | 'ipc' | number | { fd?: number | null } | null | undefined;
export interface ChildOptions {
	cwd?: string | URL;
	env?: Record<string, string | undefined>;
	shell?: boolean | string;
	stdio?: Stdio | Stdio[];
	input?: string | Uint8Array;
	encoding?: BufferEncoding | 'buffer' | null;
	timeout?: number;
	maxBuffer?: number;
	killSignal?: SignalName;
	signal?: AbortSignal;
	detached?: boolean;
	uid?: number;
	gid?: number;
	silent?: boolean;
	execArgv?: string[];
	execPath?: string;
	/** Serialization of messages between a program and its fork. */
	serialization?: 'json' | 'advanced';
}

/** Default limit for each stream collected by `exec` and the synchronous calls. Bytes. */
export const DEFAULT_MAX_BUFFER = 1024 * 1024;

/** Parses the forms `(file, args?, options?, callback?)` of all these functions. @throws ERR_INVALID_ARG_TYPE */
export function childArguments(rest: unknown[]): { args: string[]; options: ChildOptions; callback?: unknown } {
	const queue = [...rest];
	const isObject = (value: unknown) => typeof value === 'object' || typeof value === 'function';
	if (queue[0] !== undefined && !isObject(queue[0])) throw invalidArgument('args', 'of type object', queue[0]);
	const args = Array.isArray(queue[0]) ? (queue.shift() as unknown[]).map(String) : [];
	if (queue.length > 1 && (queue[0] === undefined || queue[0] === null)) queue.shift();
	const [given] = queue;
	if (given !== undefined && (!isObject(given) || Array.isArray(given)))
		throw invalidArgument('options', 'of type object', given);
	const options = typeof queue[0] === 'object' && queue[0] !== null ? (queue.shift() as ChildOptions) : {};
	const callback = queue.find((value) => typeof value === 'function');
	return { args, options, callback };
}

export function command(file: unknown, args: string[], options: ChildOptions): string[] {
	checkFile(file);
	if (!options.shell) return [file, ...args];
	const shell = typeof options.shell === 'string' ? options.shell : '/bin/sh';
	return [shell, '-c', [file, ...args].join(' ')];
}

export function childPlace(runtime: Runtime, options: ChildOptions): { cwd: string; env: Record<string, string> } {
	const cwd = options.cwd instanceof URL ? decodeURIComponent(options.cwd.pathname) : options.cwd;
	const env: Record<string, string> = {};
	const given = options.env ?? runtime.process.env;
	// Inherited properties of an environment are included.
	for (const name in given) if (given[name] !== undefined) env[name] = String(given[name]);
	return { cwd: runtime.resolvePath(cwd ?? '.'), env };
}

/** Returns one entry for each descriptor of the child, at least the three standard streams. */
export function stdioOf({ stdio = 'pipe' }: ChildOptions): Stdio[] {
	const given = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
	const standard: Stdio[] = [0, 1, 2].map((index) => given[index] ?? 'pipe');
	return [...standard, ...given.slice(3).map((how) => how ?? 'ignore')];
}
