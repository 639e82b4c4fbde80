import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

const run = async (files: Record<string, string>, command: string) => {
	for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`/workspace/${name}`, text);
	return sandbox.exec(command, { timeoutMs: 50_000 });
};

/** Typical loader hooks: they may await, use their own URL schemes and change what is loaded. */
const HOOKS = `let words;
export async function initialize(data) { words = data.words; data.port.postMessage('ready'); }
export async function resolve(specifier, context, next) {
	await null;
	if (specifier === 'virtual:word') return { url: 'virtual:word', format: 'module', shortCircuit: true };
	if (specifier === 'broken') throw Object.assign(new TypeError('Not this one.'), { code: 'E_NOT_THIS' });
	return next(specifier === 'alias' ? './plain.mjs' : specifier, context);
}
export async function load(url, context, next) {
	if (url === 'virtual:word') return { format: 'module', source: 'export default ' + JSON.stringify(words[0]), shortCircuit: true };
	if (url.endsWith('.txt')) return { format: 'module', source: 'export default ' + JSON.stringify(words[1]), shortCircuit: true };
	if (url.endsWith('old.cjs')) return { format: 'commonjs', source: 'module.exports = { old: __filename.slice(-7), who: require("./who.cjs") }', shortCircuit: true };
	const loaded = await next(url, context);
	if (context.format === 'module') loaded.source = String(loaded.source).replaceAll('PLACE', 'here');
	return loaded;
}`;
const FILES = {
	'hooks.mjs': HOOKS,
	'preload.mjs': `import { register } from 'node:module';
import { MessageChannel } from 'node:worker_threads';
const { port1, port2 } = new MessageChannel();
port1.on('message', (message) => console.log(message)).unref();
register('./hooks.mjs', { parentURL: import.meta.url, data: { words: ['a', 'b'], port: port2 }, transferList: [port2] });`,
	'plain.mjs': `export default 'PLACE';`,
	'note.txt': 'no code',
	'old.cjs': 'throw new Error("not this text")',
	'who.cjs': `module.exports = 'PLACE';`,
	'data.json': '{ "a": 1 }',
	'main.mjs': `import word from 'virtual:word';
import plain from 'alias';
import note from './note.txt';
import old from './old.cjs';
import data from './data.json' with { type: 'json' };
import path from 'node:path';
console.log(word, plain, note, JSON.stringify(old), data.a, path.sep, import.meta.url.slice(-9), 'PLACE');
console.log((await import('alias')).default);
await import('broken').catch((error) => console.log(error.name, error.code, error.message));
await import('./nowhere.mjs').catch((error) => console.log(error.code));`
};
const PRINTED = `a here b {"old":"old.cjs","who":"PLACE"} 1 / /main.mjs here
here
TypeError E_NOT_THIS Not this one.
ERR_MODULE_NOT_FOUND
`;

describe('module.register()', () => {
	it('asks the hooks of a module what an import means and what its text is', async () => {
		const { stdout, stderr, exitCode } = await run(FILES, 'node --import ./preload.mjs main.mjs');
		expect(stderr).toBe('');
		expect(stdout.replace('ready\n', '')).toBe(PRINTED);
		expect(stdout).toContain('ready\n');
		expect(exitCode).toBe(0);
	});

	it('asks the newest first, which asks those before it', async () => {
		const hooks = (name: string) =>
			`export const load = async (url, context, next) => {
				const loaded = await next(url, context);
				return url.endsWith('said.mjs') ? { ...loaded, source: loaded.source + '\\nconsole.log("${name}");' } : loaded;
			};`;
		const main = `import { register } from 'node:module';
register('./one.mjs', import.meta.url);
register(new URL('./two.mjs', import.meta.url));
await import('./said.mjs');`;
		const files = {
			'one.mjs': hooks('one'),
			'two.mjs': hooks('two'),
			'said.mjs': 'console.log("said");',
			'chain.mjs': main
		};
		expect(await run(files, 'node chain.mjs')).toMatchObject({ stdout: 'said\none\ntwo\n', stderr: '', exitCode: 0 });
	});

	it('throws what is wrong with the module of the hooks', async () => {
		const files = {
			'bad-hooks.mjs': 'throw Object.assign(new Error("no hooks"), { code: "E_NONE" });',
			'bad.mjs': `import { register } from 'node:module';
for (const name of ['./bad-hooks.mjs', './nowhere.mjs'])
	try { register(name, import.meta.url); } catch (error) { console.log(error.code, error.message.slice(0, 18)); }`
		};
		const { stdout } = await run(files, 'node bad.mjs');
		expect(stdout).toBe('E_NONE no hooks\nERR_MODULE_NOT_FOUND Cannot find module\n');
	});
});

describe('module.registerHooks()', () => {
	it('changes the text of modules in the program itself', async () => {
		const files = {
			'sync-hooks.mjs': `import { registerHooks } from 'node:module';
const hooks = registerHooks({
	load(url, context, next) {
		const loaded = next(url, context);
		return url.endsWith('text.mjs') ? { ...loaded, source: String(loaded.source).replace('old', 'new') } : loaded;
	}
});
console.log((await import('./text.mjs')).default);
hooks.deregister();
console.log((await import('./text.mjs?again')).default);`,
			'text.mjs': `export default 'old';`
		};
		expect(await run(files, 'node sync-hooks.mjs')).toMatchObject({ stdout: 'new\nold\n', stderr: '', exitCode: 0 });
	});
});
