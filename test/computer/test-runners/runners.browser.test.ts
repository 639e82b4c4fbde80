import { afterAll, beforeAll, expect, it } from 'vitest';
import nodeUrl from '#computer/node/main.ts?program';
import npmUrl from '#computer/npm/main.ts?program';
import runnerUrl from '#computer/test-runners/main.ts?program';
import shellUrl from '#computer/shell/main.ts?program';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { PROGRAMS } from '#computer/program-table.ts';
import { sandboxInPage } from '../in-page.ts';
import { expected, files } from './mock-project.ts';

let sandbox: ExecutionEnvironment;
const run = (command: string) => sandbox.exec(command, { timeoutMs: 55_000 });

beforeAll(async () => {
	sandbox = await sandboxInPage([
		{ ...PROGRAMS.shell, url: shellUrl },
		{ ...PROGRAMS.node, url: nodeUrl },
		{ ...PROGRAMS.npm, url: npmUrl },
		{ ...PROGRAMS.testRunners, url: runnerUrl }
	]);
	await sandbox.writeFile(
		'package.json',
		JSON.stringify({ name: 'sums', type: 'module', scripts: { test: 'vitest run' } })
	);
	await sandbox.writeFile(
		'vitest.config.ts',
		`import { defineConfig } from 'vitest/config';\nexport default defineConfig({ test: { include: ['test/**/*.test.ts'] } });\n`
	);
	await sandbox.writeFile(
		'src/sum.ts',
		'export const sum = (a: number, b: number): number => a + b;\nexport const later = (ms: number, done: () => void) => setTimeout(done, ms);\n'
	);
	await sandbox.writeFile(
		'test/sum.test.ts',
		`import { beforeEach, describe, expect, it, vi } from 'vitest';
import { later, sum } from '../src/sum';
let calls = 0;
beforeEach(() => { calls++; });
describe('sum', () => {
	it('adds', () => expect(sum(1, 2)).toBe(3));
	it.each([[1, 1, 2], [2, 2, 4]])('adds %i and %i', (a, b, c) => expect(sum(a, b)).toBe(c));
	it.skip('is left out', () => expect(1).toBe(2));
	it.todo('subtracts');
	it('compares deeply', () => expect({ a: [1, { b: 2 }] }).toEqual({ a: [1, { b: expect.any(Number) }] }));
	it('ran its hook', () => expect(calls).toBeGreaterThan(3));
});
it('turns the clock', () => {
	vi.useFakeTimers();
	const done = vi.fn();
	later(1000, done);
	expect(done).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1000);
	expect(done).toHaveBeenCalledOnce();
	vi.useRealTimers();
});
it('takes a snapshot', () => expect({ a: 1 }).toMatchSnapshot());
it('waits', async () => expect(await Promise.resolve(4)).toBe(4));
`
	);
});
afterAll(() => sandbox.cleanup());

it('runs a vitest project by `npm test`, says that it is not vitest, and ends with 0', async () => {
	const { stdout, stderr, exitCode } = await run('npm test');
	expect(stdout + stderr).toContain("run by Sandglass's own runner in place of vitest: the installed one runs itself");
	expect(stdout).toContain('✓ test/sum.test.ts (10 tests | 2 skipped)');
	expect(stdout).toMatch(/Tests {2}8 passed \| 1 skipped \| 1 todo \(10\)/);
	expect(await sandbox.readFile('test/__snapshots__/sum.test.ts.snap')).toContain('exports[`takes a snapshot 1`]');
	expect(exitCode).toBe(0);
});

it('shows what failed, where and how, and ends with 1', async () => {
	await sandbox.writeFile(
		'test/wrong.test.ts',
		"import { expect, it } from 'vitest';\nimport { sum } from '../src/sum.ts';\n\nit('adds wrongly', () => {\n\texpect(sum(1, 1)).toBe(3);\n});\n"
	);
	const { stdout, exitCode } = await run('npx vitest run wrong');
	expect(stdout).toContain('❯ test/wrong.test.ts (1 test | 1 failed)');
	expect(stdout).toContain(
		' FAIL  test/wrong.test.ts > adds wrongly\nAssertionError: expected 2 to be 3 // Object.is equality'
	);
	expect(stdout).toContain('❯ test/wrong.test.ts:5:');
	expect(exitCode).toBe(1);
	await sandbox.remove('test/wrong.test.ts');
});

it('leaves an installed vitest to itself', async () => {
	await sandbox.writeFile(
		'node_modules/vitest/package.json',
		'{"name":"vitest","version":"4.0.0","bin":"./vitest.mjs"}'
	);
	await sandbox.writeFile(
		'node_modules/vitest/vitest.mjs',
		"#!/usr/bin/env node\nconsole.log('vitest itself', process.argv[2]);\n"
	);
	await run(
		'mkdir -p node_modules/.bin && ln -s ../vitest/vitest.mjs node_modules/.bin/vitest && chmod +x node_modules/vitest/vitest.mjs'
	);
	const { stdout, stderr, exitCode } = await run('npm test');
	expect(stderr).toBe('');
	expect(stdout).toContain('vitest itself run');
	expect(exitCode).toBe(0);
	await run('rm -rf node_modules');
});

it('runs a jest project, with its globals and CommonJS', async () => {
	await sandbox.writeFile(
		'j/package.json',
		JSON.stringify({ name: 'j', scripts: { test: 'jest' }, jest: { roots: ['.'], verbose: true } })
	);
	await sandbox.writeFile('j/sum.js', 'module.exports = (a, b) => a + b;\n');
	await sandbox.writeFile(
		'j/sum.test.js',
		"const sum = require('./sum');\ndescribe('sum', () => {\n\ttest('adds', () => { expect(sum(1, 2)).toBe(3); });\n\ttest('mocks', () => { const f = jest.fn().mockReturnValue(4); expect(f()).toBe(4); expect(f).toHaveBeenCalledTimes(1); });\n\ttest('fails', () => { expect([1]).toEqual([2]); });\n});\n"
	);
	const { stdout, exitCode } = await run('cd j && npm test');
	expect(stdout).toContain("run by Sandglass's own runner in place of jest");
	expect(stdout).toContain('tests may fail here that pass elsewhere: roots.');
	expect(stdout).toContain('FAIL sum.test.js');
	expect(stdout).toContain('● sum › fails');
	expect(stdout).toContain('Tests:       1 failed, 2 passed, 3 total');
	expect(exitCode).toBe(1);
});

it('gives tests and hooks of jest a callback', async () => {
	await sandbox.writeFile('done/package.json', JSON.stringify({ name: 'd', scripts: { test: 'jest --verbose' } }));
	await sandbox.writeFile(
		'done/done.test.js',
		`let ready = 0;
beforeAll((done) => setTimeout(() => { ready = 1; done(); }, 5));
beforeEach((done) => { ready++; done(); });
test('waits for it', (done) => { setTimeout(() => { expect(ready).toBe(2); done(); }, 5); });
it.each([[1, 2], [3, 4]])('after the values %i and %i', (first, second, done) => setTimeout(() => done(second - first - 1), 5));
test.each([1])('none for %i', (value) => expect(value).toBe(1));
test('fails with its error', (done) => done(new RangeError('mine')));
test('fails by its method', (done) => done.fail('other'));
test('has none', function () { expect(arguments.length).toBe(0); });`
	);
	const { stdout, exitCode } = await run('cd done && npm test');
	expect(exitCode).toBe(1);
	expect(stdout).toContain('RangeError: mine');
	expect(stdout).toContain('Failed: other');
	expect(stdout).toMatch(/Tests:\s+2 failed, 5 passed, 7 total/);
});

it('replaces modules as vitest does: factories, parts, automatic, later, with what is hoisted', async () => {
	for (const [name, text] of Object.entries(files)) await sandbox.writeFile(`mocks/${name}`, text);
	const { stdout, exitCode } = await run('cd mocks && npm test -- --reporter=verbose --coverage');
	expect(stdout).toContain('It does not measure coverage');
	const found: Record<string, Record<string, string>> = {};
	let file = '';
	for (const line of stdout.split('\n')) {
		file = /^ [✓❯] (\S+) \(/.exec(line)?.[1] ?? file;
		const [, mark, name] = /^ {3}([✓×]) (.*?)(?: \d+(?:\.\d+)?m?s)?$/.exec(line) ?? [];
		found[file] ??= {};
		if (name) found[file]![name.replaceAll(' > ', ' ')] = mark === '✓' ? 'passed' : 'failed';
	}
	delete found[''];
	expect({ stdout, found }).toEqual({ stdout, found: expected });
	expect(stdout).toMatch(/FAIL {2}test\/too-late\.test\.ts[^]*Cannot access 'value' before initialization/);
	expect(exitCode).toBe(1);
});

it('replaces modules for jest: by require and by import, and writes inline snapshots into the file', async () => {
	const project = {
		'package.json': JSON.stringify({ name: 'jm', scripts: { test: 'jest' } }),
		'db.js': "exports.query = (sql) => 'real ' + sql;\nexports.limit = 3;\n",
		'report.js': "const db = require('./db');\nmodule.exports = () => db.query('x') + db.limit;\n",
		'factory.test.js': `const report = require('./report');
jest.mock('./db', () => ({ ...jest.requireActual('./db'), query: jest.fn(() => 'mocked') }));
const db = require('./db');
test('factory', () => {
	expect(report()).toBe('mocked3');
	expect(db.query).toHaveBeenCalledWith('x');
	expect({ a: 1 }).toMatchInlineSnapshot();
});
test('again', () => {
	jest.resetModules();
	jest.doMock('./db', () => ({ query: () => 'later', limit: 4 }));
	expect(require('./report')()).toBe('later4');
	jest.dontMock('./db');
	jest.isolateModules(() => expect(require('./report')()).toBe('real x3'));
});
`,
		'automatic.test.mjs': `import { jest } from '@jest/globals';
import db, { query } from './db.js';
jest.mock('./db.js');
test('automatic', () => { expect(query('x')).toBeUndefined(); expect(db.limit).toBe(3); });
`
	};
	for (const [name, text] of Object.entries(project)) await sandbox.writeFile(`jm/${name}`, text);
	const { stdout, exitCode } = await run('cd jm && npm test');
	expect({ stdout, exitCode }).toMatchObject({ stdout: expect.stringContaining('3 passed, 3 total'), exitCode: 0 });
	expect(await sandbox.readFile('jm/factory.test.js')).toContain('expect({ a: 1 }).toMatchInlineSnapshot(`');
});

it('imports what a bundler would: aliases, styles, pictures, text, JSON, and what .env says', async () => {
	const project = {
		'package.json': JSON.stringify({ name: 'v', type: 'module' }),
		'vite.config.ts':
			"import path from 'node:path';\nexport default { resolve: { alias: [{ find: /^~\\//, replacement: path.resolve('src') + '/' }, { find: '@', replacement: '/src' }] }, define: { __VERSION__: JSON.stringify('1.2') }, test: { globals: true } };\n",
		'.env': 'VITE_ADDRESS=https://here.test\nSECRET=x\n',
		'src/a.ts': "import './a.css';\nimport names from './a.module.css';\nexport const name = names.box;\n",
		'src/a.css': '.a { color: red }',
		'src/a.module.css': '.box { color: red }',
		'src/logo.svg': '<svg/>',
		'src/data.json': '{"n":1}',
		'v.test.ts': `import { name } from '@/a';
import { name as again } from '~/a';
import logo from '@/logo.svg';
import text from './src/logo.svg?raw';
import data from './src/data.json';
declare const __VERSION__: string;
it('imports', () => {
	expect([name, again, logo, text, data.n, __VERSION__]).toEqual(['box', 'box', '/src/logo.svg', '<svg/>', 1, '1.2']);
	expect(import.meta.env).toMatchObject({ VITE_ADDRESS: 'https://here.test', MODE: 'test' });
	expect(import.meta.env.SECRET).toBeUndefined();
});
`
	};
	for (const [name, text] of Object.entries(project)) await sandbox.writeFile(`v/${name}`, text);
	expect(await run('cd v && npx vitest run')).toMatchObject({
		stdout: expect.stringContaining('1 passed'),
		exitCode: 0
	});
	const mapped = {
		'package.json': JSON.stringify({
			jest: {
				moduleNameMapper: { '^@/(.*)$': '<rootDir>/lib/$1', '\\.css$': '<rootDir>/lib/style.js' },
				moduleDirectories: ['node_modules', 'shared']
			}
		}),
		'lib/a.js': "exports.a = require('./x.css') + require('common');",
		'lib/style.js': "module.exports = 'style ';",
		'shared/common.js': "module.exports = 'common';",
		'm.test.js': "test('is mapped', () => expect(require('@/a').a).toBe('style common'));"
	};
	for (const [name, text] of Object.entries(mapped)) await sandbox.writeFile(`jn/${name}`, text);
	expect(await run('cd jn && npx jest')).toMatchObject({ stdout: expect.stringContaining('1 passed'), exitCode: 0 });
});

it('leaves an installed jest to itself where it can run', async () => {
	const tool = 'installed/node_modules/jest/bin/jest.js';
	await sandbox.writeFile(tool, "console.log('jest itself', process.argv.slice(2));\n");
	await sandbox.writeFile('installed/one.test.js', "test('runs', () => {});\n");
	const start = 'cd installed && node node_modules/jest/bin/jest.js';
	const own = "run by Sandglass's own runner in place of jest";
	expect((await run(`${start} --ci`)).stdout).toBe("jest itself [ '--ci' ]\n");
	expect((await run(`export NODE_OPTIONS=--experimental-vm-modules; ${start}`)).stdout).toContain(own);
	await sandbox.writeFile('installed/node_modules/unrs-resolver/package.json', '{}');
	expect((await run(start)).stdout).toContain(own);
	await sandbox.writeFile('installed/node_modules/@unrs/resolver-binding-wasm32-wasi/package.json', '{}');
	expect((await run(start)).stdout).toBe('jest itself []\n');
});
