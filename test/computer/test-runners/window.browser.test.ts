import { afterAll, beforeAll, expect, it } from 'vitest';
import nodeUrl from '#computer/node/main.ts?program';
import npmUrl from '#computer/npm/main.ts?program';
import runnerUrl from '#computer/test-runners/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';

/**
 * Behavior of jsdom and happy-dom that matters to a runner: methods check their receiver, scripts of the window have no
 * module support, and an error thrown by a listener becomes an `error` event. `npm run soak dom` uses the real ones.
 */
const WINDOW = `
class Emitter {
	#listeners = new Map();
	addEventListener(type, listener, options) {
		if (!(#listeners in this)) throw new TypeError("'addEventListener' called on an object that is not a valid instance of EventTarget.");
		if (options?.signal && !(options.signal instanceof Signal)) throw new TypeError('signal is not of type AbortSignal');
		this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
		options?.signal?.addEventListener('abort', () => this.removeEventListener(type, listener));
	}
	removeEventListener(type, listener) {
		this.#listeners.set(type, (this.#listeners.get(type) ?? []).filter((one) => one !== listener));
	}
	dispatchEvent(event) {
		if (!(#listeners in this)) throw new TypeError("'dispatchEvent' called on an object that is not a valid instance of EventTarget.");
		for (const listener of this.#listeners.get(event.type) ?? []) {
			try {
				listener.call(this, event);
			} catch (error) {
				const report = new Event_('error');
				report.error = error;
				window.dispatchEvent(report);
			}
		}
		return true;
	}
}
class Signal extends Emitter { aborted = false; }
class Controller {
	signal = new Signal();
	abort() { this.signal.aborted = true; this.signal.dispatchEvent(new Event_('abort')); }
}
class Event_ { constructor(type) { this.type = type; } preventDefault() {} }
class Window extends Emitter {
	document = Object.assign(new Emitter(), { title: 'a page', defaultView: null });
	Event = Event_;
	EventTarget = Emitter;
	AbortController = Controller;
	AbortSignal = Signal;
	innerWidth = 1024;
	parent = this;
	constructor(language) {
		super();
		for (const name of ['Error', 'Array', 'TypeError', 'Promise', 'Map']) if (!language) this[name] = undefined;
		this.document.defaultView = this;
		window = this;
	}
}
let window;
exports.JSDOM = class { constructor() { this.window = new Window(true); } };
exports.Window = class extends Window { constructor() { super(false); } };
`;

const TESTS = `
test('its methods can be called on the window and on nothing', () => {
	let heard = 0;
	window.addEventListener('x', () => heard++);
	addEventListener('x', () => heard++);
	window.dispatchEvent(new Event('x'));
	dispatchEvent(new Event('x'));
	expect(heard).toBe(4);
});
test('is the global object', () => {
	expect([window, self, top, parent, frames, document.defaultView].every((one) => one === globalThis)).toBe(true);
	window.innerWidth = 5;
	expect(innerWidth).toBe(5);
	expect([document.title, new EventTarget() instanceof window.EventTarget]).toEqual(['a page', true]);
});
test('leaves the language alone', () => {
	expect([[] instanceof Array, new TypeError('x') instanceof Error, new Map().size]).toEqual([true, true, 0]);
	expect(() => null.x).toThrow(TypeError);
});
test('listeners of errors hear what a listener throws', () => {
	const heard = [];
	const listen = (event) => heard.push(event.error.message);
	window.addEventListener('error', listen);
	document.addEventListener('y', () => { throw new Error('heard'); });
	document.dispatchEvent(new Event('y'));
	window.removeEventListener('error', listen);
	expect(heard).toEqual(['heard']);
});
test('a listener goes with the signal of a controller', () => {
	const controller = new AbortController();
	let heard = 0;
	document.addEventListener('z', () => heard++, { signal: controller.signal });
	document.dispatchEvent(new Event('z'));
	controller.abort();
	document.dispatchEvent(new Event('z'));
	expect(heard).toBe(1);
});
`;

let sandbox: ExecutionEnvironment;
const run = (command: string) => sandbox.exec(command, { timeoutMs: 55_000 });

beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl },
		{ ...PROGRAMS.npm, url: npmUrl },
		{ ...PROGRAMS.testRunners, url: runnerUrl }
	]);
	for (const name of ['jsdom', 'happy-dom']) {
		await sandbox.writeFile(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
		await sandbox.writeFile(`node_modules/${name}/index.js`, WINDOW);
	}
	await sandbox.writeFile('package.json', '{ "name": "windows" }');
	await sandbox.writeFile('vitest.config.mjs', 'export default { test: { globals: true } };\n');
});
afterAll(() => sandbox.cleanup());

it.each(['vitest run', 'jest'].flatMap((command) => ['jsdom', 'happy-dom'].map((name) => [command, name] as const)))(
	'%s makes a window of %s the global object of test files',
	async (command, name) => {
		const environment = command === 'jest' && name === 'happy-dom' ? '@happy-dom/jest-environment' : name;
		await sandbox.writeFile('window.test.js', `/** @${command.split(' ')[0]}-environment ${environment} */\n${TESTS}`);
		const { stdout, stderr, exitCode } = await run(`npx ${command} window`);
		expect({ stdout, stderr, exitCode }).toMatchObject({
			stdout: expect.stringMatching(/Tests:? +5 passed/),
			exitCode: 0
		});
	}
);

it('fails a run in which a listener threw and no one listened for that, and says where', async () => {
	await sandbox.writeFile(
		'thrown.test.js',
		`// @vitest-environment jsdom
test('passes', () => {
	document.addEventListener('x', () => {
		throw new Error('nobody heard');
	});
	document.dispatchEvent(new Event('x'));
});
`
	);
	const { stdout, exitCode } = await run('npx vitest run thrown');
	expect(stdout).toContain('nobody heard');
	expect(stdout).toContain('thrown.test.js:4:');
	expect(exitCode).toBe(1);
});
