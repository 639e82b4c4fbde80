import { afterEach, expect, it, vi } from 'vitest';
import { removeNativeGlobals } from '#computer/process/native-globals.ts';

/** APIs that could leave the process table, and storage that opaque frames share in some browsers. */
const TAKEN = [
	'Worker',
	'SharedWorker',
	'BroadcastChannel',
	'caches',
	'CacheStorage',
	'Cache',
	'WebTransport',
	'close'
] as const;

/** Stands in for the prototype of a worker's global scope. */
class Scope {}

/** Runs it in place of a worker, and returns the resulting scope. Nothing else may run meanwhile. */
function scopeAfter(scope: object): object {
	const real = globalThis;
	const own = Object.getOwnPropertyDescriptor(real, 'globalThis')!;
	Object.defineProperty(real, 'globalThis', { ...own, value: scope });
	try {
		removeNativeGlobals();
	} finally {
		Object.defineProperty(real, 'globalThis', own);
	}
	return scope;
}

/** A random id, if the browser has this `crypto`. */
function uuidWith(browsers: object): string {
	vi.stubGlobal('crypto', browsers);
	scopeAfter({});
	return crypto.randomUUID();
}

afterEach(() => void vi.unstubAllGlobals());

it('leaves a program no way to start workers or to share storage', () => {
	const scope = Object.assign(new Scope(), { kept: 'kept' });
	for (const name of TAKEN)
		for (const holder of [scope, Scope.prototype])
			Object.defineProperty(holder, name, { value: name, configurable: true });
	scopeAfter(scope);
	for (const name of TAKEN) expect(name in scope, name).toBe(false);
	expect(scope.kept).toBe('kept');
});

it('gives it random ids where the browser leaves them out, and else the browser’s', () => {
	const numbered = (bytes: Uint8Array) => bytes.map((_, index) => (bytes[index] = index));
	expect(uuidWith({ getRandomValues: numbered, randomUUID: () => '1-2-3-4-5' })).toBe('1-2-3-4-5');
	// RFC 9562: version 4, variant 10.
	expect(uuidWith({ getRandomValues: numbered })).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f');
	expect(uuidWith({ getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) })).toBe(
		'ffffffff-ffff-4fff-bfff-ffffffffffff'
	);
	// A program may replace it, as it may with the browser's.
	expect(Object.getOwnPropertyDescriptor(crypto, 'randomUUID')).toMatchObject({ configurable: true, writable: true });
});
