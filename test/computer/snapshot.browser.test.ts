import { describe, expect, it, afterEach } from 'vitest';
import { describeEnvironment } from '#test/contract/environment.ts';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { shipped } from '#computer/programs.ts';
import evaluateUrl from './fixtures/evaluate.ts?program';
import { sandboxInPage } from './in-page.ts';

const open = () => sandboxInPage(shipped.programs, shipped.assets, 'snapshot');

describeEnvironment('without shared memory', { create: open });

describe('a process that shares no memory', () => {
	let sandbox: WasmExecutionEnvironment;
	afterEach(() => sandbox.cleanup());

	it('runs programs that run others, each seeing what the one before wrote', async () => {
		sandbox = await open();
		await sandbox.writeFile(
			'child.js',
			`require('fs').writeFileSync('made.txt', 'by the child'); console.log('child');`
		);
		await sandbox.writeFile(
			'parent.js',
			`const { spawn } = require('child_process');
			const fs = require('fs');
			fs.writeFileSync('before.txt', 'by the parent');
			const child = spawn('node', ['child.js'], { stdio: 'inherit' });
			child.on('exit', (code) => console.log(code, fs.readFileSync('made.txt', 'utf8')));`
		);
		const { stdout, stderr, exitCode } = await sandbox.exec(
			'node parent.js && cat before.txt made.txt | tr a-z A-Z && rg -c by | sort'
		);
		expect(stderr).toBe('');
		expect(stdout).toBe(
			'child\n0 by the child\nBY THE PARENTBY THE CHILDbefore.txt:1\nchild.js:1\nmade.txt:1\nparent.js:1\n'
		);
		expect(exitCode).toBe(0);
	});

	it('says what cannot work, with a next step', async () => {
		sandbox = await open();
		const { stdout } = await sandbox.exec(
			`node -e "try { require('child_process').execSync('true') } catch (error) { console.log(error.code, error.message) }"`
		);
		expect(stdout).toMatch(/^ENOSYS .*shares no memory.*asynchronous/);
		const { stderr, exitCode } = await sandbox.exec('echo 1 | node -e "require(\'fs\').readFileSync(0)"');
		expect(stderr).toMatch(/ENOSYS: .*shares no memory.*asynchronous/);
		expect(exitCode).toBe(1);
	});

	it('keeps what was written before a kill, though it never yields', async () => {
		sandbox = await open();
		await sandbox.writeFile(
			'loop.js',
			`const fs = require('fs');
			for (let count = 0; ; count++) { fs.writeFileSync('count.txt', String(count)); if (count === 1000) console.log('many'); }`
		);
		let seen = '';
		const process = await sandbox.start('node loop.js', { onOutput: ({ data }) => (seen += data) });
		while (!seen.includes('many')) await new Promise((resolve) => setTimeout(resolve, 10));
		await process.kill('SIGKILL');
		expect((await process.exited).exitCode).toBe(137);
		expect(Number(await sandbox.readFile('count.txt'))).toBeGreaterThanOrEqual(1000);
	});

	it('answers a call as the kernel would, or says that it cannot', async () => {
		const programs = [{ name: 'evaluate', commands: ['bash'], hot: true, url: evaluateUrl }];
		sandbox = await sandboxInPage(programs, {}, 'snapshot');
		const { stdout } = await sandbox.exec(`
			const codes = [];
			const attempt = (run) => { try { run(); codes.push('done'); } catch (error) { codes.push(error.code); } };
			const bytes = new Uint8Array(1);
			attempt(() => context.sync.writeFile('/usr/bin/bash', bytes));
			attempt(() => context.sync.writeFile('relative', bytes));
			attempt(() => context.sync.symlink('/usr/bin', '/workspace/out'));
			attempt(() => context.sync.writeFile('/workspace/out/bash', bytes));
			attempt(() => context.sync.run({ argv: ['bash'], cwd: '/', env: {} }));
			attempt(() => context.sync.waitPid(-1));
			return codes;`);
		expect(JSON.parse(stdout)).toEqual(['EACCES', 'EINVAL', 'done', 'EACCES', 'ENOSYS', 'ENOSYS']);
		expect((await sandbox.stat('out')).kind).toBe('symlink');
	});
});
