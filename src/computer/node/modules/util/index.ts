import { legacy } from './legacy.ts';
import { Buffer } from 'buffer';
import { format, formatWithOptions, inspect, stripVTControlCharacters } from 'node-inspect-extracted';
import { errorNumbers, invalidArgument, nodeError, systemMessage } from '../../runtime/errors.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { deprecateOnce } from '../../runtime/deprecation.ts';
import { callSites } from '../../runtime/stack.ts';
import { integer, string } from '../../runtime/validate.ts';
import { isDeepEqual } from './comparisons.ts';
import { diff } from './diff.ts';
import { MIMEParams, MIMEType } from './mime-type.ts';
import { parseArgs } from './parse-args.ts';
import { parseEnv } from './parse-env.ts';
import { styleTextOf } from './style-text.ts';
import { errnoException, exceptionWithHostPort } from './system-exceptions.ts';
import { types } from './types.ts';

type Callback = (...args: unknown[]) => unknown;
const custom = Symbol.for('nodejs.util.promisify.custom');
/** Default and maximum number of frames returned by `getCallSites`. */
const DEFAULT_CALL_SITES = 10;
const MOST_CALL_SITES = 200;

/** `node:util`. */
export function createUtil(runtime: Runtime): Record<string, unknown> {
	const deprecate = (call: Callback, message: string, code?: string): Callback => {
		if (code !== undefined) string(code, 'code');
		let warned = false;
		const replaced = function (this: unknown, ...args: unknown[]) {
			if (!warned) {
				warned = true;
				if (code) deprecateOnce(runtime.process, message, code);
				else runtime.process.emitWarning(message, 'DeprecationWarning', code);
			}
			return new.target ? (Reflect.construct(call, args, new.target) as object) : Reflect.apply(call, this, args);
		};
		Object.setPrototypeOf(replaced, call);
		// `instanceof` works for both.
		if (call.prototype) replaced.prototype = call.prototype as object;
		return Object.defineProperty(replaced, 'length', { ...Object.getOwnPropertyDescriptor(call, 'length') });
	};
	const debuglog = (section: string) => {
		const enabled = new RegExp(`\\b${section}\\b`, 'i').test(runtime.process.env['NODE_DEBUG'] ?? '');
		const log = (...args: unknown[]) => {
			if (!enabled) return;
			runtime.process.stderr.write(`${section.toUpperCase()} ${runtime.process.pid}: ${format(...args)}\n`);
		};
		return Object.assign(log, { enabled });
	};
	const getCallSites = (count: unknown = DEFAULT_CALL_SITES) => {
		if (typeof count === 'object') return callSites(DEFAULT_CALL_SITES);
		integer(1, MOST_CALL_SITES)(count, 'frameCount');
		return callSites(count as number);
	};
	return {
		format,
		formatWithOptions,
		inspect,
		stripVTControlCharacters,
		types,
		parseArgs: (config?: object) => parseArgs(config, runtime.process.argv.slice(2)),
		promisify,
		callbackify: (call: Callback) => callbackify(call, runtime),
		deprecate,
		debuglog,
		debug: debuglog,
		inherits,
		isDeepStrictEqual: (left: unknown, right: unknown) => isDeepEqual(left, right, true),
		styleText: styleTextOf(runtime),
		diff,
		toUSVString: (text: unknown) => Buffer.from(String(text)).toString('utf8'),
		getSystemErrorMessage: systemMessage,
		getSystemErrorName: (number: number) => Object.keys(errorNumbers).find((code) => errorNumbers[code] === -number),
		getSystemErrorMap: () => new Map(Object.entries(errorNumbers).map(([code, number]) => [-number, [code, code]])),
		aborted: async (signal: AbortSignal, resource: unknown): Promise<void> => {
			if (typeof signal !== 'object' || signal === null || !('aborted' in signal)) {
				throw invalidArgument('signal', 'an instance of AbortSignal', signal);
			}
			if (typeof resource !== 'object' || resource === null)
				throw invalidArgument('resource', 'of type object', resource);
			return new Promise<void>((resolve) => {
				if (signal.aborted) resolve();
				else signal.addEventListener('abort', () => resolve(), { once: true });
			});
		},
		parseEnv,
		_errnoException: errnoException,
		_exceptionWithHostPort: exceptionWithHostPort,
		getCallSite: getCallSites,
		getCallSites,
		TextEncoder,
		TextDecoder,
		MIMEType,
		MIMEParams,
		...legacy
	};
}

function promisify(original: Callback & { [custom]?: Callback }): Callback {
	if (typeof original !== 'function') throw invalidArgument('original', 'of type function', original);
	const own = original[custom];
	if (own) return own;
	const promised = function (this: unknown, ...args: unknown[]) {
		return new Promise((resolve, reject) => {
			original.call(this, ...args, (error: unknown, value: unknown) => {
				if (error) reject(error instanceof Error ? error : (error as Error));
				else resolve(value);
			});
		});
	};
	Object.setPrototypeOf(promised, Object.getPrototypeOf(original) as object);
	return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original)) as Callback;
}
Object.assign(promisify, { custom });

function callbackify(call: Callback, runtime: Runtime): Callback {
	if (typeof call !== 'function') throw invalidArgument('original', 'of type function', call);
	const callbackified = function (this: unknown, ...args: unknown[]) {
		const callback = args.pop();
		if (typeof callback !== 'function') throw invalidArgument('last argument', 'of type function', callback);
		const done = (...results: unknown[]) => runtime.process.nextTick((callback as Callback).bind(this), ...results);
		(Reflect.apply(call, this, args) as Promise<unknown>).then(
			(value) => done(null, value),
			(reason: unknown) => done(reason || falsyRejection(reason))
		);
	};
	const described = Object.getOwnPropertyDescriptors(call) as Record<string, PropertyDescriptor>;
	const { length, name } = described;
	if (typeof length?.value === 'number') length.value++;
	if (typeof name?.value === 'string') name.value += 'Callbackified';
	// The new function does not inherit a prototype from an asynchronous function.
	Reflect.deleteProperty(described, 'prototype');
	return Object.defineProperties(callbackified, described);
}

function falsyRejection(reason: unknown): Error {
	const error = nodeError(Error, 'ERR_FALSY_VALUE_REJECTION', 'Promise was rejected with falsy value');
	return Object.assign(error, { reason });
}

function inherits(constructor: unknown, parent: unknown): void {
	if (!isClass(constructor)) throw invalidArgument('ctor', 'of type function', constructor);
	if (parent === undefined || parent === null) throw invalidArgument('superCtor', 'of type function', parent);
	const { prototype } = parent as { prototype?: object };
	if (prototype === undefined) throw invalidArgument('superCtor.prototype', 'of type object', undefined);
	Object.defineProperty(constructor, 'super_', { value: parent, writable: true, configurable: true });
	Object.setPrototypeOf(constructor.prototype, prototype);
}

function isClass(value: unknown): value is { prototype: object } {
	return typeof value === 'function';
}
