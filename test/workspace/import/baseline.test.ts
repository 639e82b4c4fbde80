import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
