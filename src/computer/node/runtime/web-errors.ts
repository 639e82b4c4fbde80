import { invalidArgument, nodeError } from './errors.ts';

type Method = (this: unknown, ...args: unknown[]) => unknown;

const invalidThis = (kind: string) =>
	nodeError(TypeError, 'ERR_INVALID_THIS', `Value of "this" must be of type ${kind}`);

function missing(names: readonly string[]): Error {
	const listed = names.map((name) => `"${name}"`).join(' and ');
	const words = `The ${listed} ${names.length > 1 ? 'arguments' : 'argument'} must be specified`;
	return nodeError(TypeError, 'ERR_MISSING_ARGS', words);
}

/** Required arguments of methods of `URLSearchParams`. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
	append: ['name', 'value'],
	set: ['name', 'value'],
	delete: ['name'],
	get: ['name'],
	getAll: ['name'],
	has: ['name']
};
const PLAIN = ['entries', 'keys', 'values', 'toString', 'sort', 'forEach'];

/** Codes for errors of browsers' constructors, which have none. */
const CODES: [name: string, code: string][] = [
	['URL', 'ERR_INVALID_URL'],
	['TextDecoder', 'ERR_ENCODING_NOT_SUPPORTED'],
	['TextDecoderStream', 'ERR_ENCODING_NOT_SUPPORTED'],
	['CompressionStream', 'ERR_INVALID_ARG_VALUE'],
	['DecompressionStream', 'ERR_INVALID_ARG_VALUE']
];

/** Makes classes shared by browsers and Node throw Node's errors. Called once, before any of the program's code. */
export function giveNodesErrors(): void {
	const BrowsersUrl = URL;
	const { canParse } = URL;
	for (const [name, code] of CODES) {
		const isUrl = name === 'URL';
		replaceConstructor(name, (construct, args) => {
			try {
				const made = construct(args);
				if (isUrl && hasForbiddenHost(made as URL)) throw new TypeError();
				return made;
			} catch (error) {
				if (!(error instanceof Error)) throw error;
				const input = isUrl ? { input: String(args[0]) } : {};
				if (isUrl)
					Object.defineProperty(error, 'message', { value: 'Invalid URL', configurable: true, writable: true });
				throw Object.assign(error, { code, ...input });
			}
		});
	}
	replaceConstructor('DOMException', (construct, args) => {
		const error = construct(args);
		// Chromium's errors have a stack if the browser throws them, but not if a program creates them.
		if (!('stack' in error)) Error.captureStackTrace(error);
		return error;
	});
	replaceConstructor('URLSearchParams', (construct, [init, ...rest]) => construct([pairsOf(init), ...rest]));
	checkSearchParams();
	define(URL, 'canParse', (...args) => {
		if (args.length === 0) throw missing(['url']);
		return canParse(...(args as [string])) && !hasForbiddenHost(new BrowsersUrl(...(args as [string])));
	});
	for (const name of ['atob', 'btoa'] as const) giveNodesWords(name);
	const { decode } = TextDecoder.prototype;
	define(TextDecoder.prototype, 'decode', function (input: unknown, ...rest: unknown[]) {
		const isBytes = input === undefined || ArrayBuffer.isView(input) || /Buffer\]$/.test(tagOf(input));
		if (!isBytes)
			throw invalidArgument('list', 'an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView', input);
		return Reflect.apply(decode, this, [isRefused(input) ? copyOf(input) : input, ...rest] as never);
	});
}

/** Detects a space in a host name, which Chromium encodes although the standard refuses it. */
const hasForbiddenHost = ({ protocol, hostname }: URL): boolean =>
	hostname.includes('%20') && /^(?:https?|wss?|ftp|file):$/.test(protocol);

/** Makes a base64 function fail with Node's messages. */
function giveNodesWords(name: 'atob' | 'btoa'): void {
	const original: unknown = Reflect.get(globalThis, name);
	if (typeof original !== 'function') return;
	define(globalThis, name, (...args) => {
		if (args.length === 0) throw missing(['input']);
		const input = `${args[0] as string}`;
		try {
			return Reflect.apply(original, globalThis, [input]) as unknown;
		} catch (error) {
			if (!(error instanceof DOMException)) throw error;
			// A single extra character in otherwise valid base64.
			const isCut = name === 'atob' && /^[A-Za-z0-9+/]*$/.test(input.replace(/[\t\n\f\r ]/g, ''));
			const words = isCut ? 'The string to be decoded is not correctly encoded.' : 'Invalid character';
			throw new DOMException(words, error.name);
		}
	});
}

/** Detects memory that is shared or changes its size, which browsers refuse and Node decodes. */
function isRefused(input: unknown): input is ArrayBufferLike | ArrayBufferView {
	const memory: unknown = ArrayBuffer.isView(input) ? input.buffer : input;
	return (
		tagOf(memory) === '[object SharedArrayBuffer]' ||
		(memory instanceof ArrayBuffer && Reflect.get(memory, 'resizable') === true)
	);
}

function copyOf(input: ArrayBufferLike | ArrayBufferView): Uint8Array {
	if (!ArrayBuffer.isView(input)) return new Uint8Array(input).slice();
	return new Uint8Array(input.buffer, input.byteOffset, input.byteLength).slice();
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value);

function define(holder: object, name: string, method: Method): void {
	Object.defineProperty(method, 'name', { value: name, configurable: true });
	const before = Object.getOwnPropertyDescriptor(holder, name);
	const { length = 0 } = Object(before?.value) as { length?: number };
	Object.defineProperty(method, 'length', { value: length, configurable: true });
	Object.defineProperty(holder, name, { ...before, value: method });
}

type Construct = (args: unknown[]) => object;

/** Replaces the constructor of a browser class. */
export function replaceConstructor(name: string, make: (construct: Construct, args: unknown[]) => object): void {
	const Original: unknown = Reflect.get(globalThis, name);
	if (typeof Original !== 'function') return;
	const replaced = new Proxy(Original, {
		construct: (target, args: unknown[], newTarget: new () => object) =>
			make((given) => Reflect.construct(target, given, newTarget) as object, args)
	});
	Object.defineProperty(Original.prototype, 'constructor', { value: replaced, writable: true, configurable: true });
	Object.defineProperty(globalThis, name, { value: replaced, writable: true, configurable: true });
}

function checkSearchParams(): void {
	const { prototype } = URLSearchParams as { prototype: object };
	for (const name of [...Object.keys(REQUIRED), ...PLAIN]) {
		const original = Reflect.get(prototype, name) as Method;
		const required = REQUIRED[name] ?? [];
		define(prototype, name, function (...args) {
			if (!(this instanceof URLSearchParams)) throw invalidThis('URLSearchParams');
			if (args.length < required.length) throw missing(required);
			if (name === 'forEach') return forEach(this, args);
			// Converted by the engine, whose message for a symbol is the same as Node's.
			const texts = args.map((value, index) => (index < required.length ? `${value as string}` : value));
			return Reflect.apply(original, this, texts);
		});
	}
	Object.defineProperty(prototype, Symbol.iterator, {
		value: Reflect.get(prototype, 'entries') as unknown,
		writable: true,
		configurable: true
	});
	const iterator = Object.getPrototypeOf(new URLSearchParams().entries()) as { next: Method };
	const { next } = iterator;
	define(iterator, 'next', function () {
		if (typeof this !== 'object' || this === null || !iterator.isPrototypeOf(this)) {
			throw invalidThis('URLSearchParamsIterator');
		}
		return Reflect.apply(next, this, []);
	});
}

function forEach(params: URLSearchParams, [callback, self]: unknown[]): void {
	if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
	for (const [name, value] of params) Reflect.apply(callback, self, [value, name, params]);
}

/** Converts the source of `URLSearchParams`, with pairs as arrays. @throws ERR_ARG_NOT_ITERABLE, ERR_INVALID_TUPLE */
function pairsOf(init: unknown): unknown {
	if (init === undefined || init === null) return '';
	if (typeof init !== 'object' && typeof init !== 'function') return `${init as string}`;
	const iterate: unknown = Reflect.get(init, Symbol.iterator);
	if (iterate === undefined || iterate === null || init instanceof URLSearchParams) return init;
	if (typeof iterate !== 'function') {
		throw nodeError(TypeError, 'ERR_ARG_NOT_ITERABLE', 'Query pairs must be iterable');
	}
	return Array.from(init as Iterable<unknown>, (pair) => {
		const isIterable =
			Object(pair) === pair && typeof Reflect.get(Object(pair) as object, Symbol.iterator) === 'function';
		const parts = isIterable ? [...(pair as Iterable<unknown>)] : [];
		if (parts.length === 2) return parts.map((part) => `${part as string}`);
		const words = 'Each query pair must be an iterable [name, value] tuple';
		throw nodeError(TypeError, 'ERR_INVALID_TUPLE', words);
	});
}
