import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { commandVariables, CORE_VARIABLES } from '#environment/local/variables.ts';
import { createToolLimits } from '#agent/tools/truncation.ts';
import { commandTimeout } from '#agent/tools/command-run.ts';
import { codeOf, until } from '#test/contract/environment/checks.ts';
import { execLimited } from '#test/contract/longer-limits.ts';
import { createHarness } from '#test/contract/tools/harness.ts';
import { asOrdinaryUser } from './ordinary-user.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

afterEach(removeTemporary);

// Tests features that only a machine has: process groups, a shell that may be missing, a prefix the host sets for its
// own shell.
describe('commands on this machine', () => {
	it('asks the process group to end, and ends it 2 s later when it does not [9.4-4]', async () => {
		const environment = await createTemporary();
		const asks = (trap: string) => execLimited(environment, `trap '${trap}' TERM; while true; do sleep 0.05; done`);
		expect(await asks('echo asked; exit 0')).toMatchObject({ stdout: 'asked\n', timedOut: true });
		const stubborn = await asks('echo asked');
		expect(stubborn.stdout).toMatch(/^asked\n/);
		// It would run forever: the second signal has ended it.
		expect(stubborn.durationMs).toBeGreaterThan(2_300);
		await environment.cleanup();
	});

	it('leaves no process of the group behind', async () => {
		const environment = await createTemporary();
		const { stdout } = await execLimited(environment, 'sleep 61.25 & sleep 61.25 & echo $$; wait');
		const group = stdout.trim();
		expect(group).toMatch(/^\d+$/);
		const rows = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
		const alive = rows.filter((row) => row.trim().split(/\s+/)[0] === group && !/\sZ/.test(row));
		expect(alive).toEqual([]);
		await environment.cleanup();
	});

	it('ends with cleanup what a finished command left running', async () => {
		const environment = await createTemporary();
		await environment.exec('(while true; do echo x >> beat; sleep 0.02; done) > /dev/null 2>&1 &');
		await until(() => environment.fileExists('beat'));
		const directory = environment.workingDirectory();
		await environment.cleanup();
		const sizeOf = (): string => execFileSync('wc', ['-c', `${directory}/beat`], { encoding: 'utf8' });
		const before = sizeOf();
		execFileSync('sleep', ['0.2']);
		expect(sizeOf()).toBe(before);
	});

	it('gives a command 10 s unless the session or the call says otherwise, and never more than 10 minutes [9.4-2, 9.4-3, S-8]', async () => {
		const environment = await createTemporary();
		const { context, call } = createHarness(environment);
		expect(commandTimeout(context, undefined)).toBe(10_000);
		expect(commandTimeout(context, 500)).toBe(500);
		expect(commandTimeout(context, 5_000_000)).toBe(600_000);
		const limits = createToolLimits({ defaultCommandTimeoutMs: 250 });
		expect(commandTimeout({ ...context, limits }, undefined)).toBe(250);
		expect((await call('shell', { command: 'sleep 20', timeout_ms: 200 })).content).toContain('timed out after 200ms');
		await environment.cleanup();
	});

	it('ends a commit that waits for someone to close an editor [J.2-5.2]', async () => {
		const { environment, call } = createHarness(await createTemporary());
		const command =
			"git init -q . && GIT_EDITOR='touch opened; sleep 61 #' git -c user.name=n -c user.email=e commit --allow-empty";
		const result = await call('bash', { command, timeout: 4 });
		expect(result).toMatchObject({ isError: true, content: expect.stringContaining('timed out after 4 seconds') });
		expect(await environment.fileExists('opened')).toBe(true);
		await environment.cleanup();
	});

	it('says when the shell itself is not there [J.2-2.3]', async () => {
		const { environment, call } = createHarness(await createTemporary({ shell: '/no/such/shell' }));
		expect(await call('bash', { command: 'echo test' })).toMatchObject({
			isError: true,
			content: expect.stringMatching(/ENOENT.*\/no\/such\/shell/)
		});
		await environment.cleanup();
	});

	it('keeps the memory bounded when a command prints without end', async () => {
		const environment = await createTemporary();
		const command = 'yes 0123456789012345678901234567890123456789 | head -c 60000000';
		const { stdout } = await environment.exec(command);
		expect(stdout.length).toBeLessThan(42 * 1024 * 1024);
		expect(stdout).toMatch(/^\[\d+ earlier characters were dropped\]\n/);
		expect(await environment.exec('seq 1 9', { maxOutputCharacters: 0 })).toMatchObject({ stdout: '', exitCode: 0 });
		await environment.cleanup();
	});
});

describe('variables', () => {
	const source = {
		PATH: '/bin',
		HOME: '/h',
		USER: 'u',
		SHELL: '/bin/bash',
		LANG: 'C',
		TERM: 'x',
		TMPDIR: '/t',
		GOPATH: '/g',
		CARGO_HOME: '/c',
		NVM_DIR: '/n',
		MY_API_KEY: '1',
		my_api_key: '2',
		DB_PASSWORD: '3',
		GITHUB_TOKEN: '4',
		Client_Secret: '5',
		X_CREDENTIAL: '6',
		PLAIN: 'kept'
	};
	const secrets = ['MY_API_KEY', 'my_api_key', 'DB_PASSWORD', 'GITHUB_TOKEN', 'Client_Secret', 'X_CREDENTIAL'];

	it('leave out what looks like a secret, in any case [9.4-5, S-20]', () => {
		const kept = commandVariables(source, { inherit: 'all' });
		expect(kept).toMatchObject({ PLAIN: 'kept', PATH: '/bin' });
		for (const name of [...secrets, 'PLAIN']) {
			if (name !== 'PLAIN') expect(kept).not.toHaveProperty(name);
			expect(commandVariables(source)).not.toHaveProperty(name);
		}
	});

	it('follow three policies [S-20]', () => {
		const core = commandVariables(source, { inherit: 'core' });
		expect(Object.keys(core).sort()).toEqual(
			Object.keys(source)
				.filter((name) => CORE_VARIABLES.includes(name))
				.sort()
		);
		for (const name of ['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'TERM', 'TMPDIR', 'GOPATH', 'CARGO_HOME', 'NVM_DIR'])
			expect(core).toHaveProperty(name);
		expect(commandVariables(source, { inherit: 'none', set: { OWN: '1' } })).toEqual({ OWN: '1' });
		expect(commandVariables(source, { inherit: 'all', excludeSecrets: false })).toEqual(source);
	});

	it('reach commands so [9.4-5]', async () => {
		process.env['SANDGLASS_TEST_API_KEY'] = 'secret';
		process.env['SANDGLASS_TEST_PLAIN'] = 'plain';
		const environment = await createTemporary({ variables: { inherit: 'all' } });
		const { stdout } = await environment.exec('echo "${SANDGLASS_TEST_API_KEY-unset} $SANDGLASS_TEST_PLAIN $HOME"');
		expect(stdout).toBe(`unset plain ${environment.workingDirectory().replace(/\/workspace$/, '')}\n`);
		delete process.env['SANDGLASS_TEST_API_KEY'];
		delete process.env['SANDGLASS_TEST_PLAIN'];
		await environment.cleanup();
	});
});

// The volume in the tab has a single owner and its modes refuse nothing: unreadable files only exist here.
describe('files on this machine', () => {
	it('does all the contract asks of files and commands [9.4-1]', async () => {
		const environment: ExecutionEnvironment = await createTemporary();
		await environment.writeFile('d/a.txt', 'one\ntwo\n');
		expect(await environment.readFile('d/a.txt', { offset: 2 })).toBe('two\n');
		expect(await environment.fileExists('d/a.txt')).toBe(true);
		expect((await environment.listDirectory('.', 2)).map(({ path }) => path)).toEqual(['d', 'd/a.txt']);
		expect(await environment.exec('wc -l < d/a.txt; exit 4')).toMatchObject({ exitCode: 4, timedOut: false });
		expect(await environment.grep('two', '.')).toContain('d/a.txt:2:two');
		expect(await environment.glob('**/*.txt', '.')).toEqual([`${environment.workingDirectory()}/d/a.txt`]);
		await environment.cleanup();
	});

	it('does not replace a file it may not write', async () => {
		const environment = await createTemporary();
		await environment.writeFile('fixed.txt', 'x');
		await chmod(environment.workingDirectory(), 0o777);
		await environment.setMode('fixed.txt', 0o444);
		expect(await asOrdinaryUser(environment, () => codeOf(environment.writeFile('fixed.txt', 'y')))).toBe('EACCES');
		await environment.cleanup();
	});

	it('cannot start where its directory cannot be made', async () => {
		const environment = new LocalExecutionEnvironment({ workingDirectory: '/dev/null/below' });
		expect(await codeOf(environment.initialize())).toBe('EUNAVAILABLE');
	});
});
