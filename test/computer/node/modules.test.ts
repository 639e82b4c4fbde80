import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const directory = fileURLToPath(new URL('./fixtures/modules/', import.meta.url));

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** Questions that programs ask modules, which must have the same answers as in the machine's own Node. */
it.each(readdirSync(directory))('%s', (name) => {
	pair.write({ [`${name}/main.js`]: readFileSync(`${directory}/${name}`, 'utf8') });
	const ours = pair.ours([`${name}/main.js`]);
	const native = pair.native([`${name}/main.js`]);
	expect({ stdout: ours.stdout, stderr: ours.stderr, code: ours.code }).toEqual({
		stdout: native.stdout,
		stderr: native.stderr,
		code: native.code
	});
});

/** An `import` of a name that a module does not export ends a program before it starts. */
it('has every name that Node 22 exports', () => {
	const names = readFileSync(new URL('./fixtures/node-22-names.json', import.meta.url), 'utf8');
	pair.write({
		'names/main.mjs': `const missing = [];
for (const [module, names] of Object.entries(${names})) {
	const has = await import(module.startsWith('node:') ? module : 'node:' + module);
	for (const name of names.split(' ')) if (!(name in has)) missing.push(module + '.' + name);
}
console.log(missing.join('\\n'));`
	});
	const missing = pair.ours(['names/main.mjs']).stdout.split('\n').filter(Boolean);
	expect(missing.filter((name) => !NAMELESS.some((kind) => kind.test(name)))).toEqual([]);
});

it('asks the hooks of a program where a module is', () => {
	pair.write({
		'hooks/answer.mjs': 'export default [import.meta.url.slice(-12), globalThis.times = (globalThis.times ?? 0) + 1];',
		'hooks/old.cjs': "module.exports = 'old';",
		'hooks/main.mjs': `import { createRequire, registerHooks } from 'node:module';
const require = createRequire(import.meta.url);
const tag = registerHooks({
	resolve(specifier, context, next) {
		const found = next(specifier, context);
		return specifier.startsWith('./') ? { ...found, url: found.url + '?' + new URL(context.parentURL).pathname.slice(-8) } : found;
	}
});
const names = registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'virtual:old' ? { url: new URL('old.cjs', import.meta.url).href, shortCircuit: true } : next(specifier.replace('virtual:', './'), context)
});
console.log((await import('virtual:answer.mjs')).default, (await import('virtual:old')).default, require('virtual:old'));
names.deregister();
console.log(await import('virtual:answer.mjs').catch((error) => error.code), (await import('./answer.mjs')).default);
tag.deregister();
console.log((await import('./answer.mjs')).default, typeof (await import('node:fs')).readFileSync);
try { registerHooks({ load: 'no function' }) } catch (error) { console.log(error.code) }`
	});
	expect(pair.ours(['hooks/main.mjs'])).toEqual({
		stdout: `[ 'mjs?main.mjs', 1 ] old old
ERR_MODULE_NOT_FOUND [ 'mjs?main.mjs', 1 ]
[ 's/answer.mjs', 2 ] function
ERR_INVALID_ARG_TYPE
`,
		stderr: '',
		code: 0
	});
});

/** Tests `require` such a package to load it again after `--require` of the runner. */
it('loads a package whose name became a property of all objects', () => {
	pair.write({
		'extended/node_modules/ought/index.js': `Object.defineProperty(Object.prototype, 'ought', { get: () => true, configurable: true });
module.exports = 'a package';`,
		'extended/main.js': `require('ought');
console.log(require('ought'), require('node:module').isBuiltin('ought'), process.getBuiltinModule('ought'));`
	});
	const run = ['extended/main.js'];
	expect(pair.ours(run)).toEqual({ stdout: 'a package false undefined\n', stderr: '', code: 0 });
});

const COMPILER = `const load = require.extensions['.js'];
require.extensions['.ts'] = require.extensions['.js'] = (module, file) => {
	const compile = module._compile;
	module._compile = function (text, name) {
		console.log(/:\\s*number/.test(text) ? 'typed' : 'untyped', name.split('/').at(-1));
		return compile.call(this, text.replace(/: number/, '').replace(/^export const (\\w+)/m, 'exports.$1'), name);
	};
	load(module, file);
};
`;

it('gives a compiler in `require.extensions` the text as it is written, and runs what it makes of it', () => {
	pair.write({
		'compiled/count.ts': 'export const count: number = 2;\nexports.more = require("./more").more;\n',
		'compiled/more.js': 'export const more = 3;\n',
		'compiled/main.js': `${COMPILER}const { count, more } = require('./count.ts');\nconsole.log(count, more);`
	});
	const run = ['compiled/main.js'];
	expect(pair.ours(run)).toEqual({ stdout: 'typed count.ts\nuntyped more.js\n2 3\n', stderr: '', code: 0 });
});

it('has such a compiler make the main file, unless its package says that it is a module', () => {
	pair.write({
		'preloaded/hook.cjs': COMPILER,
		'preloaded/main.js': `export const more = 3;\nconsole.log(typeof require, require('./data.json').a);\n`,
		'preloaded/data.json': '{ "a": 1 }',
		'preloaded/esm/package.json': '{ "type": "module" }',
		'preloaded/esm/main.js': `export const more = 3;\nconsole.log(typeof require);\n`
	});
	const run = (file: string) => ['--require', './preloaded/hook.cjs', file];
	const compiled = run('preloaded/main.js');
	expect(pair.ours(compiled)).toEqual({ stdout: 'untyped main.js\nfunction 1\n', stderr: '', code: 0 });
	expect(pair.native(compiled)).toMatchObject({ stdout: 'untyped main.js\nfunction 1\n', code: 0 });
	const module = run('preloaded/esm/main.js');
	expect(pair.ours(module)).toEqual({ stdout: 'undefined\n', stderr: '', code: 0 });
	expect(pair.native(module)).toMatchObject({ stdout: 'undefined\n', code: 0 });
});

it('requires a module that such a compiler leaves one', () => {
	pair.write({
		'left/kept.js': 'export { sep } from "node:path";\nexport default import.meta.url.slice(-7);\n',
		'left/main.js': `${COMPILER}const { default: end, sep } = require('./kept.js');\nconsole.log(end, sep);`
	});
	const run = ['left/main.js'];
	expect(pair.ours(run)).toEqual({ stdout: 'untyped kept.js\nkept.js /\n', stderr: '', code: 0 });
});

it('lets a preloaded package load the program with a class of modules of its own', () => {
	pair.write({
		'replaced/loader.cjs': `const Module = require('node:module');
const { Hash } = require('node:crypto');
console.log(module.parent.id, process.argv[1].split('/').at(-1), typeof process._fatalException);
console.log(Object.hasOwn(Hash.prototype, 'update'), Object.isFrozen(Module.builtinModules));
class Own {
	exports = {};
	_compile(text, file) {
		console.log('compiles', file.split('/').at(-1));
		new Function('module', 'exports', text.replace(/export const (\\w+)/, 'exports.$1'))(this, this.exports);
	}
}
Module.runMain = () => {
	const own = new Own();
	Module._extensions['.js'](own, process.argv[1]);
	console.log(own.exports);
};`,
		'replaced/main.js': 'export const more = 3;\n'
	});
	const run = ['--require', './replaced/loader.cjs', 'replaced/main.js'];
	const ours = pair.ours(run);
	expect(ours.stdout).toBe('internal/preload main.js function\ntrue true\ncompiles main.js\n{ more: 3 }\n');
	expect(ours).toEqual(pair.native(run));
});

it('says what to do where the native part of a package is missing', () => {
	const loader =
		"for (const part of ['./oxlint.linux-x64-gnu.node', '@oxlint/binding-wasm32-wasi']) try { require(part) } catch (error) { cause = error }";
	pair.write({
		'native/node_modules/oxlint/bindings.js': `let cause; ${loader}; throw new Error('Install it again.', { cause });`,
		'native/main.js': "require('oxlint/bindings.js')"
	});
	const { stderr, code } = pair.ours(['native/main.js']);
	expect(stderr).toMatch(/\noxlint needs native code, which cannot run in a browser tab\. Lint with eslint\.\n$/);
	expect(code).toBe(1);
	pair.write({
		'native/node_modules/rolldown/binding.js':
			"delete globalThis.SharedArrayBuffer; try { SharedArrayBuffer } catch (cause) { throw new Error('Install it again.', { cause }) }",
		'native/shared.js': "require('rolldown/binding.js')"
	});
	expect(pair.ours(['native/shared.js']).stderr).toMatch(/does not let a page do.*Firefox\. Vite 7 does without\.\n$/);
	pair.write({ 'native/other.js': "require('./none.js')" });
	expect(pair.ours(['native/other.js']).stderr).toMatch(/\nNode\.js v22\.\d+\.\d+\n$/);
});

/** Names of modules that do nothing here, of values that describe a machine, and of Node's internals. */
const NAMELESS = [
	/^(tls|v8)\./,
	/^(test|sea)/,
	/^events\.usingDomains$/,
	/^module\.(runMain|_debug)$/,
	/^process\.assert$/
];
