import { inspect } from 'node-inspect-extracted';
import type { SignalName } from '#computer/abi/syscalls.ts';
import { invalidArgument, nodeError, outOfRange, systemError } from '../../runtime/errors.ts';
import { signalNamed } from '#computer/abi/signals.ts';
import { signalNumbers } from '../../runtime/signals.ts';
import { descriptorOfPipe } from './pipes.ts';
import { abortSignal, boolean, type Check, type Signature, string } from '../../runtime/validate.ts';

const invalidValue = (what: string, rule: string, value: unknown) =>
	nodeError(TypeError, 'ERR_INVALID_ARG_VALUE', `The ${what} ${rule}. Received ${inspect(value)}`);

const identity: Check = (value, name) => {
	if (typeof value !== 'number' || Math.trunc(value) !== value || Math.abs(value + 0.5) > 2 ** 31)
		throw invalidArgument(name, 'int32', value);
};

const signalName: Check = (value, name) => {
	if (typeof value !== 'string' && typeof value !== 'number')
		throw invalidArgument(name, 'one of type string or number', value);
	const isKnown = Object.entries(signalNumbers).some(
		([known, number]) => number === value || known === String(value).toUpperCase()
	);
	if (!isKnown) throw nodeError(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${value}`);
};

/** Name of a signal, or 0. @throws ERR_UNKNOWN_SIGNAL */
export function signalOf(given: SignalName | number): SignalName | 0 {
	if (given === 0) return 0;
	const number = typeof given === 'number' ? given : signalNumbers[String(given).toUpperCase()];
	const name = number === undefined ? undefined : signalNamed(number);
	if (!name) throw nodeError(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${given}`);
	return name;
}

/** Id of the only user, who is not an administrator. */
const OWN_ID = 1000;

/** @throws EPERM for a child of another user or group */
export function refuseOtherUsers({ uid, gid }: { uid?: number; gid?: number }): void {
	if ([uid, gid].every((id) => id === undefined || id === null || id === OWN_ID)) return;
	const error = systemError('EPERM', 'spawn');
	error.message = 'spawn EPERM';
	throw error;
}

/** Error of an operation aborted by a signal. */
export function abortError(signal: AbortSignal): Error {
	const error = nodeError(Error, 'ABORT_ERR', 'The operation was aborted');
	return Object.assign(error, { name: 'AbortError', cause: signal.reason as unknown });
}

/** Returns whether a value names a descriptor: a number, or a stream that has one. */
function isDescriptor(value: unknown): boolean {
	if (typeof value === 'number') return true;
	if (typeof value !== 'object' || value === null) return false;
	const [number, handle]: unknown[] = [Reflect.get(value, 'fd'), Reflect.get(value, '_handle')];
	return (
		typeof number === 'number' || descriptorOfPipe(value) !== null || (typeof handle === 'object' && handle !== null)
	);
}

/** Checks the streams requested for a child. @throws ERR_INVALID_ARG_VALUE, ERR_IPC_ONE_PIPE */
export function checkStdio(stdio: unknown): void {
	if (stdio === undefined || stdio === null) return;
	const isName = (value: unknown) => ['pipe', 'overlapped', 'ignore', 'inherit'].includes(value as string);
	const invalid = (value: unknown) => invalidValue("argument 'stdio'", 'is invalid', value);
	if (!Array.isArray(stdio)) {
		if (!isName(stdio)) throw invalid(stdio);
		return;
	}
	if (stdio.filter((one) => one === 'ipc').length > 1)
		throw nodeError(Error, 'ERR_IPC_ONE_PIPE', 'Child process can have only one IPC pipe');
	for (const one of stdio as unknown[]) {
		const isKnown = one === undefined || one === null || one === 'ipc' || isName(one) || isDescriptor(one);
		if (isKnown) continue;
		if (typeof one !== 'string' && !ArrayBuffer.isView(one)) throw invalid(one);
		const words = 'Asynchronous forks do not support Buffer, TypedArray, DataView or string input';
		throw nodeError(TypeError, 'ERR_INVALID_SYNC_FORK_INPUT', `${words}: ${inspect(one)}`);
	}
}

/** Options accepted by all ways to start a child. */
const OPTIONS: Signature = {
	cwd: (value, name) => {
		if (typeof value !== 'string' && !(value instanceof URL) && !(value instanceof Uint8Array))
			throw invalidArgument(name, 'of type string or an instance of Buffer or URL', value);
		if (value instanceof URL && value.protocol !== 'file:')
			throw nodeError(TypeError, 'ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file');
	},
	detached: boolean,
	uid: identity,
	gid: identity,
	shell: (value, name) => {
		if (typeof value !== 'boolean' && typeof value !== 'string')
			throw invalidArgument(name, 'one of type boolean or string', value);
	},
	argv0: string,
	windowsHide: boolean,
	windowsVerbatimArguments: boolean
};

/** Options that Node's messages name without a prefix. */
const TIMES: Signature = {
	timeout: (value) => {
		if (!Number.isInteger(value) || (value as number) < 0) throw outOfRange('timeout', 'an unsigned integer', value);
	}
};

const KILL: Signature = { killSignal: signalName };

/** Option of the calls that collect output: `spawn` does not check it, so packages use it for values of their own. */
const BUFFER: Signature = {
	maxBuffer: (value, name) => {
		if (typeof value !== 'number' || !(value >= 0)) throw outOfRange(name, 'a positive number', value);
	}
};

const ASYNC: Signature = { signal: abortSignal };

function checkAll(signature: Signature, options: object): void {
	for (const [name, check] of Object.entries(signature)) {
		const value: unknown = Reflect.get(options, name);
		if (value !== undefined && value !== null) check(value, `options.${name}`);
	}
}

/** @throws ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE for an invalid program name */
export function checkFile(file: unknown, name = 'file'): asserts file is string {
	if (typeof file !== 'string') throw invalidArgument(name, 'of type string', file);
	if (file === '') throw invalidValue(`argument '${name}'`, 'cannot be empty', file);
	if (file.includes('\0')) throw invalidValue(`argument '${name}'`, 'must be a string without null bytes', file);
}

/** Checks options of an asynchronous child. @throws ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_UNKNOWN_SIGNAL */
export function checkOptions(options: object): void {
	checkAll(OPTIONS, options);
	checkAll(TIMES, options);
	checkAll(ASYNC, options);
	checkAll(KILL, options);
	checkStdio(Reflect.get(options, 'stdio'));
	const kind: unknown = Reflect.get(options, 'serialization');
	if (kind !== undefined && kind !== 'json' && kind !== 'advanced')
		throw invalidValue("property 'options.serialization'", "must be one of: undefined, 'json', 'advanced'", kind);
}

/** @throws ERR_OUT_OF_RANGE */
export const checkMaxBuffer = (options: object): void => checkAll(BUFFER, options);

/** Checks options of a synchronous child. @throws as {@link checkOptions} */
export function checkSyncOptions(options: object): void {
	checkAll(OPTIONS, options);
	checkAll(TIMES, options);
	checkAll(BUFFER, options);
	checkAll(KILL, options);
	const input: unknown = Reflect.get(options, 'input');
	if (input === undefined || input === null || typeof input === 'string' || ArrayBuffer.isView(input)) return;
	const expected = 'of type string or an instance of Buffer, TypedArray, or DataView';
	throw invalidArgument('options.stdio[0]', expected, input);
}
