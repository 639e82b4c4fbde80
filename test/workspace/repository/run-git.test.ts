import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { runGit, type GitEnvironment } from '#workspace/repository/run-git.ts';

let environment: ExecutionEnvironment;

beforeAll(async () => {
	environment = await createTemporary();
	await environment.exec('git init -q -b main .');
});
afterAll(async () => {
	await environment.cleanup();
	await removeTemporary();
});

it('gives git each word as one argument, whatever the shell makes of its characters', async () => {
	for (const word of ['plain', 'a b', 'a; touch made', ';touch made', '$(touch made)', '*', "it's", '', 'x\ny'])
		expect(await runGit(environment, 'rev-parse', '--sq-quote', word)).toBe(` '${word.replaceAll("'", "'\\''")}'\n`);
	expect((await environment.exec('ls')).stdout).toBe('');
});

it('looks into no submodule', async () => {
	await environment.exec(
		'git init -q sub && cd sub && git -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m one'
	);
	await environment.exec(`git update-index --add --cacheinfo 160000,${'1'.repeat(40)},sub`);
	expect((await environment.exec('git diff --name-only')).stdout).toBe('sub\n');
	expect(await runGit(environment, 'diff', '--name-only')).toBe('');
});

it('rejects with git’s own words', async () => {
	const expected = { code: 'EIO', message: expect.stringMatching(/^ambiguous argument 'nowhere'.*[^\s]$/s) };
	await expect(runGit(environment, 'log', 'nowhere')).rejects.toMatchObject(expected);
});

it.each([
	['error: pathspec\n', 'first', 'pathspec'],
	['', ' CONFLICT (content)\n', 'CONFLICT (content)'],
	['warning: fatal: twice\n', '', 'warning: fatal: twice'],
	['', '', 'git merge ended with 3']
])('says %j, or else %j, where git ends with a failure', async (stderr, stdout, message) => {
	const result: ExecResult = { stdout, stderr, exitCode: 3, timedOut: false, durationMs: 1 };
	const failing: GitEnvironment = { platform: () => 'wasm', exec: async () => result };
	await expect(runGit(failing, 'merge', 'main')).rejects.toMatchObject({ name: 'EnvironmentError', message });
});
