import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { WebContainerExecutionEnvironment } from '#environment/webcontainer/environment.ts';
import { commitBaseline } from '#workspace/import/baseline.ts';
import { StandIn } from '#test/environment/webcontainer/stand-in.ts';

describe('the first commit, on a computer without git-baseline', () => {
	let standIn: StandIn;
	let environment: WebContainerExecutionEnvironment;
	beforeEach(async () => {
		standIn = await StandIn.boot();
		environment = new WebContainerExecutionEnvironment({ boot: async () => standIn.container });
		await environment.writeFile('a.txt', 'a\n');
	});
	afterEach(async () => {
		await environment.cleanup();
		await standIn.dispose();
	});

	it('is made by its git', async () => {
		expect(await commitBaseline(environment, { branch: 'trunk' })).toBeUndefined();
		const { stdout } = await environment.exec('git log --format=%s && git status --short --branch');
		expect(stdout).toBe('Imported\n## trunk\n');
	});

	it('is left out with a notice where there is none', async () => {
		await standIn.forget('git');
		expect(await commitBaseline(environment)).toMatch(/no git on this computer/);
		expect(await environment.fileExists('.git')).toBe(false);
	});
});

describe('the first commit, on a computer with git-baseline', () => {
	/** A computer whose commands return these results, one after another. */
	function computer(...answers: Partial<ExecResult>[]) {
		const exec = vi.fn((_command: string, _options?: { env: Record<string, string> }) =>
			Promise.resolve({ stdout: '', stderr: '', exitCode: 0, ...answers.shift() })
		);
		const environment = { exec, fileExists: () => Promise.resolve(false), platform: () => 'wasm' };
		return { exec, environment: environment as unknown as ExecutionEnvironment };
	}

	it('is made by it alone, on the branch of the import', async () => {
		const { exec, environment } = computer();
		await commitBaseline(environment, { branch: '$(trunk)' });
		expect(exec.mock.calls).toEqual([
			['git-baseline --message Imported --branch "$SANDGLASS_BRANCH"', { env: { SANDGLASS_BRANCH: '$(trunk)' } }]
		]);
	});

	it.each([
		["error: invalid path 'a/.GIT'\n", 'EINVAL'],
		["warning: no error: invalid path 'a'\n", 'EIO'],
		['fatal: no space\n', 'EIO']
	])('fails with what git says: %j', async (stderr, code) => {
		const { environment } = computer({ exitCode: 128, stderr });
		await expect(commitBaseline(environment)).rejects.toMatchObject({
			code,
			message: `The first commit could not be made: ${stderr.trim()}`
		});
	});

	it('fails where the other git cannot add the files, and makes no empty commit', async () => {
		const { exec, environment } = computer({ exitCode: 127 }, {}, { exitCode: 128, stderr: 'fatal: unreadable' });
		await expect(commitBaseline(environment)).rejects.toThrow('fatal: unreadable');
		expect(exec).toHaveBeenCalledTimes(3);
	});
});
