import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { codeOf } from '#test/contract/environment/checks.ts';
import { createPrefixed, removePrefixed } from '../prefix/temporary.ts';
import { createTemporary, removeTemporary } from './temporary.ts';

const START_FILES = ['.bashrc', '.bash_profile', '.profile', '.bash_login', '.zshenv', '.zshrc', '.shrc'];
/** As in a container's first process or a service, plus other things that make shells read start files. */
const HOOKS = { SSH_CLIENT: '10.0.0.1 1 2', SSH2_CLIENT: '10.0.0.1 1 2', SHLVL: undefined };

/** Sets variables of this process, and returns a function that restores them. */
function setVariables(variables: Record<string, string | undefined>): () => void {
	const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
	const set = (values: Record<string, string | undefined>): void => {
		for (const [name, value] of Object.entries(values))
			if (value === undefined) delete process.env[name];
			else process.env[name] = value;
	};
	set(variables);
	return () => set(before);
}

async function plantStartFiles(home: string): Promise<string> {
	const text = 'echo printed by a start file\nexport FROM_START_FILE=set\n';
	for (const name of START_FILES) await writeFile(path.join(home, name), text);
	return path.join(home, '.bashrc');
}

const homeOf = (environment: ExecutionEnvironment): string => path.dirname(environment.workingDirectory());

const prefixes: Record<string, string[]> = {
	'as docker exec hands it on': ['env', '-u', 'SHLVL', 'SSH_CLIENT=10.0.0.1 1 2'],
	'as ssh hands it on': ['sh', '-c', 'exec env -u SHLVL SSH_CLIENT="10.0.0.1 1 2" sh -c "$*"', 'ssh'],
	'behind a login shell that reads its start file': ['sh', '-c', 'exec env -u SHLVL SSH_CLIENT=x bash -c "$*"', 'ssh']
};

const SHELLS = ['/bin/bash', '/bin/sh', '/usr/bin/zsh'].filter((shell) => existsSync(shell));
const LINES = ['', 'bash -c ', 'sh -c ', 'exec bash -c ', 'exec sh -c ', 'env -u SHLVL bash -c '];

describe('start files of the user', () => {
	let restore: () => void = () => {};
	const environments: ExecutionEnvironment[] = [];
	const opened = async <T extends ExecutionEnvironment>(environment: Promise<T>): Promise<T> => {
		environments.push(await environment);
		return environment;
	};
	beforeEach(() => {
		restore = setVariables(HOOKS);
	});
	afterEach(async () => {
		restore();
		for (const environment of environments.splice(0)) await environment.cleanup();
		await removeTemporary();
		await removePrefixed();
	});

	it.each(SHELLS)('are read by no command of %s', async (shell) => {
		const environment = await opened(createTemporary({ shell }));
		const rc = await plantStartFiles(homeOf(environment));
		const undo = setVariables({
			BASH_ENV: rc,
			ENV: rc,
			ZDOTDIR: homeOf(environment),
			'BASH_FUNC_printf%%': '() { echo f; }'
		});
		for (const line of LINES) {
			const command = `${line}${line === '' ? 'printf "[$FROM_START_FILE]"' : `'printf "[$FROM_START_FILE]"'`}`;
			expect((await environment.exec(command)).stdout, command).toBe('[]');
			// With input it is a socket, which bash takes for a remote login; unsetting the level there requests that.
			if (line.startsWith('env')) continue;
			expect((await environment.exec(command, { stdin: 'input' })).stdout, command).toBe('[]');
			const running = await environment.start(command);
			await running.closeInput();
			expect((await running.exited).stdout, command).toBe('[]');
		}
		undo();
	});

	it.each(Object.keys(prefixes))('are read by no command on another machine, %s', async (title) => {
		const home = await realpath(await mkdtemp(path.join(tmpdir(), 'sandglass-rc-')));
		const rc = await plantStartFiles(home);
		const undo = setVariables({ HOME: home, BASH_ENV: undefined, ENV: rc });
		const environment = await opened(createPrefixed(prefixes[title] ?? [], { home }));
		for (const line of LINES.slice(0, 5)) {
			const command = `${line}${line === '' ? 'printf "[$FROM_START_FILE]"' : `'printf "[$FROM_START_FILE]"'`}`;
			expect((await environment.exec(command, { stdin: 'input' })).stdout, command).toBe('[]');
		}
		await environment.writeFile('a.txt', 'needle\n');
		expect(await environment.readFile('a.txt')).toBe('needle\n');
		expect(await environment.grep('e', '.')).toBe('./a.txt:1:needle\n');
		undo();
		await rm(home, { recursive: true });
	});
});

describe('variables of this process', () => {
	const SECRETS = {
		AWS_SECRET_ACCESS_KEY: 's1',
		DATABASE_URL: 's2',
		PGPASSWORD: 's3',
		SANDGLASS_S3_SECRET: 's4',
		NPM_CONFIG__AUTH: 's5',
		ANYTHING_ELSE: 's6'
	};
	afterEach(async () => {
		await removeTemporary();
		await removePrefixed();
	});

	it('reach commands only by a list of names, to which the host adds', async () => {
		const undo = setVariables(SECRETS);
		const environment = await createTemporary();
		const named = await createTemporary({ variables: { include: ['DATABASE_URL'] } });
		const prefixed = await createPrefixed(['env']);
		for (const one of [environment, prefixed]) {
			const { stdout } = await one.exec('env');
			for (const name of Object.keys(SECRETS)) expect(stdout).not.toContain(name);
			expect(stdout).toMatch(/^PATH=/m);
		}
		const { stdout } = await named.exec('env');
		expect(stdout).toContain('DATABASE_URL=s2');
		expect(stdout).not.toContain('PGPASSWORD');
		undo();
		for (const one of [environment, named, prefixed]) await one.cleanup();
	});

	it.runIf(process.platform === 'linux')('are not found in the files of this process, and stay its own', () => {
		// This test may run in a thread: the block belongs to a process.
		const source = path.resolve(import.meta.dirname, '../../../src/environment/local/environment.ts');
		const script = `
			import { LocalExecutionEnvironment } from ${JSON.stringify(source)};
			import { mkdtempSync, rmSync } from 'node:fs';
			const home = mkdtempSync('${tmpdir()}/sandglass-environ-');
			const environment = new LocalExecutionEnvironment({ workingDirectory: home, home, diagnosticsScript: null });
			await environment.initialize();
			const { stdout } = await environment.exec('cat /proc/$PPID/environ; cat /proc/' + process.pid + '/environ');
			const own = process.env.DATABASE_URL;
			const [child] = [await environment.exec('echo $PATH')];
			await environment.cleanup();
			rmSync(home, { recursive: true });
			console.log(JSON.stringify({ stdout, own, path: child.stdout }));
		`;
		const jiti = path.resolve(import.meta.dirname, '../../../node_modules/jiti/lib/jiti-cli.mjs');
		const directory = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
		execFileSync('tee', [`${directory}/a.ts`], { input: script });
		const output = execFileSync(process.execPath, [jiti, `${directory}/a.ts`], {
			encoding: 'utf8',
			env: { PATH: process.env['PATH'], ...SECRETS, DATABASE_URL: 'postgres://user:canary@host' }
		});
		execFileSync('rm', ['-r', directory]);
		const { stdout, own, path: commandPath } = JSON.parse(output);
		expect(stdout).toContain('DATABASE_URL=');
		expect(stdout).not.toContain('canary');
		expect(own).toBe('postgres://user:canary@host');
		expect(commandPath.trim()).toBe(process.env['PATH']);
	});

	it('are no file that tools read, whatever the roots are', async () => {
		const environment = await createTemporary({ roots: ['/'] });
		await environment.symlink('/proc/self/environ', 'link');
		await environment.symlink('/proc', 'directory');
		for (const file of [
			'/proc/self/environ',
			'/proc/1/environ',
			`/proc/${process.pid}/environ`,
			'link',
			'directory/self/environ',
			'/dev/fd/0'
		])
			expect(await codeOf(environment.readFile(file)), file).toBe('EACCES');
		expect(await codeOf(environment.grep('x', '/proc/self/environ'))).toBe('EACCES');
		await environment.cleanup();
	});
});
