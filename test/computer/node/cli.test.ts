import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

it('evaluates and prints', () => {
	expect(pair.ours(['-p', '[1, os.EOL]'])).toMatchObject({ stdout: "[ 1, '\\n' ]\n", code: 0 });
	expect(pair.ours(['-e', 'console.log(require("path").sep)']).stdout).toBe('/\n');
	expect(
		pair.ours(['--input-type=module', '-e', 'import fs from "fs"; console.log(await 1, typeof fs.statSync)']).stdout
	).toBe('1 function\n');
	expect(pair.ours(['-', 'arg'], 'console.log(process.argv[2])').stdout).toBe('arg\n');
});

it('says which flag it does not know', () => {
	expect(pair.ours(['--nope'])).toMatchObject({ stderr: 'node: bad option: --nope\n', code: 9 });
});

it('runs a program without the inspector it was asked for, and says so', () => {
	const ran = pair.ours(['--inspect=127.0.0.1:9300', '-p', 'process.execArgv[0]']);
	expect(ran).toMatchObject({ stdout: '--inspect=127.0.0.1:9300\n', code: 0 });
	expect(ran.stderr).toBe('node: there is no inspector in a browser tab: the program runs without one.\n');
});

it('says once that it counts no coverage, not in the children of the program', () => {
	const env = { NODE_V8_COVERAGE: '/tmp/coverage' };
	const print = ['-p', 'process.env.SANDGLASS_COVERAGE_NOTICED'];
	const first = pair.ours(print, '', env);
	expect(first).toMatchObject({ stdout: '1\n', code: 0 });
	expect(first.stderr).toBe(
		'node: NODE_V8_COVERAGE counts nothing in a browser tab: the figures of c8 are 0 whatever the tests cover.\n'
	);
	expect(pair.ours(print, '', { ...env, SANDGLASS_COVERAGE_NOTICED: '1' })).toMatchObject({ stderr: '', code: 0 });
	expect(pair.ours(print)).toMatchObject({ stdout: 'undefined\n', stderr: '' });
});

it('runs tests without the coverage it was asked for, and says so', () => {
	pair.write({ 'covered.test.js': "require('node:test')('a', () => {});" });
	const ran = pair.ours(['--experimental-test-coverage', 'covered.test.js']);
	expect(ran.stdout).toContain('ℹ pass 1\n');
	expect(ran).toMatchObject({
		stderr: 'node: --experimental-test-coverage counts nothing in a browser tab: the tests run without coverage.\n',
		code: 0
	});
});

it('checks syntax and names the line', () => {
	pair.write({ 'broken.js': 'const a = 1;\nconst b = ;\n', 'fine.ts': 'let a: number = await 1;\nexport { a };\n' });
	const broken = pair.ours(['--check', 'broken.js']);
	expect(broken.code).toBe(1);
	expect(broken.stderr).toMatch(/broken\.js:2\nconst b = ;\n[^]*SyntaxError: Unexpected token ';'/);
	expect(pair.ours(['--check', 'fine.ts'])).toMatchObject({ stderr: '', code: 0 });
});

it('reports a child that got no pipes as an error, and ends', () => {
	const start = "require('child_process').spawn('child').on('error', ({ message }) => console.log(message))";
	// This host has no pipes.
	expect(pair.ours(['-e', start])).toMatchObject({ stdout: 'spawn child EIO\n', stderr: '', code: 0 });
});

it('says what the sandbox cannot do, and what to do instead', () => {
	const { stdout } = pair.ours([
		'-e',
		'try { require("v8").getHeapSnapshot() } catch (e) { console.log(e.code, e.message) }'
	]);
	expect(stdout).toBe(
		'ERR_SANDGLASS_UNSUPPORTED v8.getHeapSnapshot() does not exist in this sandbox. Measure with node:perf_hooks.\n'
	);
});

it('mocks functions, methods and timers', () => {
	pair.write({
		'mock.test.mjs': `import { test, mock } from 'node:test'; import assert from 'node:assert/strict';
test('fn', (t) => { const f = t.mock.fn((x) => x + 1); assert.equal(f(1), 2); assert.equal(f.mock.callCount(), 1); assert.deepEqual(f.mock.calls[0].arguments, [1]); });
test('method', (t) => { const o = { a: () => 1 }; t.mock.method(o, 'a', () => 2); assert.equal(o.a(), 2); t.mock.restoreAll(); assert.equal(o.a(), 1); });
test('timers', (t) => { t.mock.timers.enable({ apis: ['setTimeout'] }); let n = 0; setTimeout(() => n++, 1000); t.mock.timers.tick(999); assert.equal(n, 0); t.mock.timers.tick(1); assert.equal(n, 1); });
test('sub', async (t) => { t.plan(1); await t.test('inner', () => {}); });
test('callback', (t, done) => setTimeout(done, 1));`
	});
	const { stdout, code } = pair.ours(['mock.test.mjs']);
	expect(stdout).toContain('ℹ tests 6\nℹ suites 0\nℹ pass 6\nℹ fail 0');
	expect(code).toBe(0);
});

it('has the names old packages ask util for', () => {
	const { stdout } = pair.ours([
		'-p',
		"['isRegExp', 'isBuffer', 'isString', 'isFunction'].map((name) => util[name](/x/))"
	]);
	expect(stdout).toBe('[ true, false, false, false ]\n');
});

it('takes conditions of exports', () => {
	pair.write({
		'node_modules/c/package.json': '{"exports":{"special":"./s.js","default":"./d.js"}}',
		'node_modules/c/s.js': 'module.exports = "special";',
		'node_modules/c/d.js': 'module.exports = "default";'
	});
	expect(pair.ours(['-p', 'require("c")']).stdout).toBe('default\n');
	expect(pair.ours(['-C', 'special', '-p', 'require("c")']).stdout).toBe('special\n');
});

it('prints nothing of tests where none is declared', () => {
	expect(pair.ours(['-e', 'require("node:test")'])).toMatchObject({ stdout: '', code: 0 });
});

it.each([
	['a listener of uncaughtException', "process.on('uncaughtException', handle)"],
	['the capture callback', 'process.setUncaughtExceptionCaptureCallback(handle)']
])('ends with 7 what %s throws', (_, install) => {
	pair.write({
		'handler.js': `function handle(error) { console.log('seen', error.message); throw new TypeError('in the handler'); }
${install};
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => { throw new Error('first'); }, 1);`
	});
	const ours = pair.ours(['handler.js']);
	const native = pair.native(['handler.js']);
	expect({ stdout: ours.stdout, code: ours.code }).toEqual({ stdout: native.stdout, code: native.code });
	expect(ours.stderr).toContain('TypeError: in the handler');
	expect(ours.stderr).not.toContain('first');
});

it.each([
	[
		'starts tests ahead of timers',
		'start.test.js',
		`const test = require('node:test');
const { writeSync } = require('node:fs');
const say = (text) => writeSync(2, text + '\\n');
setTimeout(say, 0, 'timer');
setImmediate(say, 'immediate');
test('first', () => say('first'));
test('second', async () => { await null; say('second'); });
process.nextTick(say, 'tick');
Promise.resolve().then(() => say('microtask'));
say('end of the file');`
	],
	[
		'closes in an after hook what keeps the program alive',
		'after.test.mjs',
		`import { after, before, test } from 'node:test';
import { createServer } from 'node:http';
import { writeSync } from 'node:fs';
const say = (text) => writeSync(2, text + '\\n');
const server = createServer();
before(() => new Promise((resolve) => server.listen(0, resolve)));
after(() => { say('after'); server.close(); });
test('first', () => say('first ' + server.listening));
await new Promise((resolve) => setTimeout(resolve, 100));
test('late', () => say('late ' + server.listening));
after(() => say('last'));`
	],
	[
		'runs before hooks registered after the first test',
		'late-before.test.mjs',
		`import { before, describe, it, test } from 'node:test';
import { writeSync } from 'node:fs';
const say = (text) => writeSync(2, text + '\\n');
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
before(() => say('before'));
describe('suite', () => {
	before(() => say('before of the suite'));
	it('one', () => say('one'));
});
await pause();
before(async () => { say('late before starts'); await pause(); say('late before'); });
test('two', async (t) => {
	t.before(async () => { await null; say('before of two'); });
	say('two');
	await t.test('inner', () => say('inner'));
});`
	],
	[
		'fails every test behind a before hook that failed',
		'failed-before.test.mjs',
		`import { before, test } from 'node:test';
import { writeSync } from 'node:fs';
const say = (text) => writeSync(2, text + '\\n');
test('one', () => say('one'));
await new Promise((resolve) => setTimeout(resolve, 20));
before(() => { say('fails'); throw new Error('no'); });
test('two', () => say('two'));
test('three', () => say('three'));
process.on('exit', (code) => say('exit ' + code));`
	]
])('%s', (_, name, text) => {
	pair.write({ [name]: text });
	const ours = pair.ours([name]);
	const native = pair.native([name]);
	expect({ stderr: ours.stderr, code: ours.code }).toEqual({ stderr: native.stderr, code: native.code });
});
