import { expect, it } from 'vitest';
import { isExecutable } from '#computer/git/hooks.ts';
import { GitInMemory } from './in-memory.ts';

/** Output of a commit with a hook that is not executable, which git reports and ignores. */
async function ignoredHook(place: string, config: string[] = [], env: Record<string, string> = {}): Promise<string> {
	const git = new GitInMemory({
		GIT_AUTHOR_NAME: 'A',
		GIT_AUTHOR_EMAIL: 'a@b',
		GIT_COMMITTER_NAME: 'A',
		GIT_COMMITTER_EMAIL: 'a@b',
		...env
	});
	await git.run(['git', 'init', '-q', '-b', 'main']);
	if (config.length > 0) await git.run(['git', 'config', ...config]);
	git.write(place, 'exit 1\n');
	git.write('/workspace/a', 'a\n');
	await git.run(['git', 'add', 'a']);
	const { stderr, code } = await git.run(['git', 'commit', '-qm', 'one']);
	expect(code).toBe(0);
	const hint =
		/^hint: The '(.*)' hook was ignored because it's not set as executable\.\nhint: You can disable this warning with `git config advice\.ignoredHook false`\.\n$/;
	return hint.exec(stderr)?.[1] ?? stderr;
}

it('looks for hooks in the repository, or where core.hooksPath says', async () => {
	const name = 'pre-commit';
	expect(await ignoredHook(`/workspace/.git/hooks/${name}`)).toBe(`/workspace/.git/hooks/${name}`);
	expect(await ignoredHook(`/workspace/own/${name}`, ['core.hooksPath', 'own'])).toBe(`/workspace/own/${name}`);
	expect(await ignoredHook(`/tmp/own/${name}`, ['core.hooksPath', '/tmp/own'])).toBe(`/tmp/own/${name}`);
	const home = ['core.hooksPath', '~/own'];
	expect(await ignoredHook(`/tmp/me/own/${name}`, home, { HOME: '/tmp/me' })).toBe(`/tmp/me/own/${name}`);
	expect(await ignoredHook(`/tmp/me/${name}`, ['core.hooksPath', '~'], { HOME: '/tmp/me' })).toBe(`/tmp/me/${name}`);
	expect(await ignoredHook(`/workspace/own~/${name}`, ['core.hooksPath', 'own~'])).toBe(`/workspace/own~/${name}`);
	expect(await ignoredHook(`/workspace/~own/${name}`, ['core.hooksPath', '~own'])).toBe(`/workspace/~own/${name}`);
	expect(await ignoredHook(`/workspace/.git/hooks/${name}`, ['core.hooksPath', 'own'])).toBe('');
});

it('takes a file for a program that anyone may run', () => {
	const modes = [0o100644, 0o100755, 0o100100, 0o100010, 0o100001, 0o100000];
	expect(modes.map((mode) => isExecutable({ mode }))).toEqual([false, true, true, true, true, false]);
});
