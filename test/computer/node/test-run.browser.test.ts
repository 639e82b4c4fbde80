import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
	await file('one.test.js', "const { test } = require('node:test');\ntest('passes', () => console.log('hello'));\n");
	await file(
		'two.test.js',
		`const { describe, it } = require('node:test');
describe('group', () => {
	it('fails', () => require('node:assert').equal(1, 2));
	it.skip('waits');
});
`
	);
});
afterAll(() => sandbox.cleanup());

const file = (name: string, text: string) => sandbox.writeFile(`/workspace/${name}`, text);
const run = (command: string) => sandbox.exec(command, { timeoutMs: 50_000 });

describe('run() of node:test', () => {
	it('gives the events of each file and the counts', async () => {
		await file(
			'run.mjs',
			`import { run } from 'node:test';
const stream = run({ files: ['one.test.js', 'two.test.js'], concurrency: 2, setup: () => console.log('setup') });
stream.on('test:pass', ({ name, nesting, testNumber, skip, details }) => console.log('pass', name, nesting, testNumber, skip, details.type));
stream.on('test:fail', ({ name, line, details }) => console.log('fail', name, line, details.error.code, details.error.cause.message));
stream.on('test:stdout', ({ message, file }) => console.log('stdout', message.trim(), file));
stream.on('test:plan', ({ nesting, count }) => console.log('plan', nesting, count));
const types = new Set();
for await (const { type, data } of stream) {
	types.add(type);
	if (type === 'test:summary') console.log(data.counts, data.success);
}
console.log([...types].sort().join(' '));`
		);
		expect(await run('node run.mjs')).toMatchObject({
			stdout: `setup
stdout hello /workspace/one.test.js
pass passes 0 1 undefined test
fail fails 3 ERR_TEST_FAILURE 1 == 2
pass waits 1 2 true test
plan 1 2
fail group 2 ERR_TEST_FAILURE undefined
plan 0 2
{
  tests: 3,
  failed: 1,
  passed: 1,
  cancelled: 0,
  skipped: 1,
  todo: 0,
  topLevel: 2,
  suites: 1
} false
test:complete test:dequeue test:diagnostic test:enqueue test:fail test:pass test:plan test:start test:stdout test:summary
`,
			stderr: '',
			exitCode: 0
		});
	});

	it('goes through reporters: generators, and spec as a class', async () => {
		await file(
			'report.mjs',
			`import { run } from 'node:test';
import { spec, tap } from 'node:test/reporters';
import { finished } from 'node:stream/promises';
const tapped = run({ files: ['one.test.js'] });
tapped.compose(tap).pipe(process.stdout);
await finished(tapped);
const shown = run({ files: ['one.test.js'] }).compose(new spec());
for await (const text of shown) if (String(text).includes('passes')) console.log(String(text).replace(/[\\d.]+ms/, 'ms').trim());`
		);
		const { stdout, stderr, exitCode } = await run('node report.mjs');
		expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
		expect(stdout.replace(/\d+\.\d+/g, '0.1')).toMatch(
			/^TAP version 13\n# Subtest: passes\n# hello\nok 1 - passes\n {2}---\n[^]*# pass 1\n[^]*✔ passes \(ms\)\n$/
		);
	});

	it('refuses what it cannot do', async () => {
		const script = `const { run } = require('node:test');
for (const options of [{ files: 'a' }, { setup: 1 }, { watch: true }]) try { run(options); } catch (error) { console.log(error.code, error.message); }`;
		await file('refused.js', script);
		expect(await run('node refused.js')).toMatchObject({
			stdout: `ERR_INVALID_ARG_TYPE The "options.files" property must be an instance of Array. Received type string ('a')
ERR_INVALID_ARG_TYPE The "options.setup" property must be of type function. Received type number (1)
ERR_SANDGLASS_UNSUPPORTED run() of node:test does not watch files in this sandbox. Use node --test --watch.
`,
			exitCode: 0
		});
	});
});
