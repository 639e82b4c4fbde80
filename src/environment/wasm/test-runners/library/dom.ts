import type { Host } from './library.ts';

/** Kept although a window has its own: the runner and Node need theirs. */
const OWN = new Set([
	'globalThis',
	'self',
	'undefined',
	'NaN',
	'Infinity',
	'console',
	'performance',
	'crypto',
	'process',
	'fetch',
	'eval'
]);

/**
 * Gives test files a document, from the project's own jsdom or happy-dom.
 * @param named what the file itself asks for
 * @throws Error when the package is not installed
 */
export async function installEnvironment(configured: string, host: Host, named: string | null): Promise<void> {
	const name = (named ?? configured).replace(/^jest-environment-/, '');
	if (name === 'node' || name === 'edge-runtime') return;
	if (name !== 'jsdom' && name !== 'happy-dom') {
		throw new Error(`The test environment "${name}" is not known here. There are node, jsdom and happy-dom.`);
	}
	let module: unknown;
	try {
		module = await host.importFile(name);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`The test environment ${name} could not be loaded: ${reason}. Install it with npm i -D ${name}.`, {
			cause: error
		});
	}
	const exported = Object(Reflect.get(Object(module), 'default') ?? module);
	const Window: unknown =
		Reflect.get(exported, name === 'jsdom' ? 'JSDOM' : 'Window') ??
		Reflect.get(Object(module), name === 'jsdom' ? 'JSDOM' : 'Window');
	if (typeof Window !== 'function') throw new Error(`${name} exports no window.`);
	const options = { url: 'http://localhost:3000/', pretendToBeVisual: true };
	const made: object = Reflect.construct(Window, name === 'jsdom' ? ['<!DOCTYPE html>', options] : [options]);
	const window = Object(name === 'jsdom' ? Reflect.get(made, 'window') : made);
	for (let from: object | null = window; from && from !== Object.prototype; from = Reflect.getPrototypeOf(from)) {
		for (const key of Object.getOwnPropertyNames(from)) {
			if (
				OWN.has(key) ||
				(key in globalThis &&
					/^(set|clear)(Timeout|Interval|Immediate)$|^queueMicrotask$|^[A-Z]\w*(Array|Error)$|^(Object|Function|Array|Promise|Map|Set|Symbol|Date|JSON|Math|RegExp|String|Number|Boolean|Proxy|Reflect|Atomics|WebAssembly|Intl)$/.test(
						key
					))
			)
				continue;
			Object.defineProperty(globalThis, key, {
				get: () => Reflect.get(window, key) as unknown,
				set: (value: unknown) => Object.defineProperty(globalThis, key, { value, writable: true, configurable: true }),
				configurable: true
			});
		}
	}
	Object.defineProperty(globalThis, 'window', { value: globalThis, writable: true, configurable: true });
}
