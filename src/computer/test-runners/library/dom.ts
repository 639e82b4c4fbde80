import type { Tool } from '../tool.ts';
import type { Host } from './host.ts';
import { populateGlobals, reportWindowErrors } from './window-globals.ts';

/**
 * Present in Node and in a window. Vitest keeps Node's own, with which requests are made; in jest they are the
 * window's.
 */
const OF_REQUESTS = ['URL', 'URLSearchParams', 'Headers', 'AbortController', 'AbortSignal'];

const NAMES: Record<string, 'node' | 'jsdom' | 'happy-dom'> = {
	node: 'node',
	'edge-runtime': 'node',
	jsdom: 'jsdom',
	'happy-dom': 'happy-dom',
	'@happy-dom/jest-environment': 'happy-dom'
};

interface Asked {
	tool: Tool['name'];
	root: string;
	configured: string;
	/** Environment requested by the file itself. */
	named: string | null;
}

/**
 * Gives test files a document, using the project's own jsdom or happy-dom.
 * @param report receives errors thrown by listeners of the window's events
 * @throws Error if the package is not installed
 */
export async function installEnvironment(asked: Asked, host: Host, report: (error: unknown) => void): Promise<void> {
	const wanted = asked.named ?? asked.configured;
	const name = NAMES[wanted.replace(/^jest-environment-/, '')];
	if (name === undefined) {
		throw new Error(`The test environment "${wanted}" is not known here. There are node, jsdom and happy-dom.`);
	}
	if (name === 'node') return;
	const window = makeWindow(name, await importPackage(name, asked, host), asked.tool);
	if (name === 'jsdom') acceptNodeSignals(window);
	reportWindowErrors(window, report);
	populateGlobals(window, name === 'jsdom' && asked.tool === 'vitest' ? OF_REQUESTS : []);
}

async function importPackage(name: string, { tool, root }: Asked, host: Host): Promise<object> {
	// Jest's environment has its own jsdom if the project has another version.
	const nested = `${root}/node_modules/jest-environment-jsdom/node_modules/jsdom/lib/api.js`;
	const specifier = tool === 'jest' && name === 'jsdom' && host.files.read(nested) !== null ? nested : name;
	try {
		return Object(await host.importFile(specifier));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`The test environment ${name} could not be loaded: ${reason}. Install it with npm i -D ${name}.`, {
			cause: error
		});
	}
}

function makeWindow(name: 'jsdom' | 'happy-dom', module: object, tool: Tool['name']): object {
	const url = tool === 'jest' ? 'http://localhost/' : 'http://localhost:3000/';
	const exported = Object(Reflect.get(module, 'default') ?? module);
	const find = (key: string): unknown => Reflect.get(exported, key) ?? Reflect.get(module, key);
	if (name === 'jsdom') {
		const JSDOM = find('JSDOM');
		if (typeof JSDOM !== 'function') throw new Error('jsdom exports no JSDOM.');
		const dom: object = Reflect.construct(JSDOM, ['<!DOCTYPE html>', { url, pretendToBeVisual: true }]);
		return Object(Reflect.get(dom, 'window'));
	}
	// The class that uses the program's own language globals; the other one has a realm of its own, which a context
	// must provide.
	const Window = find('GlobalWindow') ?? find('Window');
	if (typeof Window !== 'function') throw new Error('happy-dom exports no window.');
	return Reflect.construct(Window, [{ url, console, settings: { disableErrorCapturing: true } }]) as object;
}

/** Allows removing jsdom listeners with a signal of Node's `AbortController`: jsdom only accepts its own. */
function acceptNodeSignals(window: object): void {
	const { AbortSignal: NodeSignal } = globalThis;
	const WindowController: unknown = Reflect.get(window, 'AbortController');
	const prototype = Object(Reflect.get(Object(Reflect.get(window, 'EventTarget')), 'prototype'));
	const add: unknown = Reflect.get(prototype, 'addEventListener');
	if (typeof WindowController !== 'function' || typeof add !== 'function') return;
	Object.defineProperty(prototype, 'addEventListener', {
		value: function addEventListener(this: unknown, type: unknown, listener: unknown, options?: unknown): unknown {
			const signal: unknown = Reflect.get(Object(options), 'signal');
			if (!(signal instanceof NodeSignal)) return Reflect.apply(add, this, [type, listener, options]) as unknown;
			const own = Reflect.construct(WindowController, []) as AbortController;
			if (signal.aborted) own.abort(signal.reason);
			else signal.addEventListener('abort', () => own.abort(signal.reason), { once: true });
			return Reflect.apply(add, this, [type, listener, { ...Object(options), signal: own.signal }]) as unknown;
		},
		writable: true,
		configurable: true,
		enumerable: true
	});
}
