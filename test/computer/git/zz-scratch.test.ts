import { it } from 'vitest';
import { GitInMemory } from './in-memory.ts';
it('x', async () => {
	const git = new GitInMemory({
		GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME: 'master',
		GIT_AUTHOR_NAME: 'a',
		GIT_AUTHOR_EMAIL: 'b',
		GIT_COMMITTER_NAME: 'a',
		GIT_COMMITTER_EMAIL: 'b'
	});
	const log = async (...argv: string[]) => {
		const r = await git.run(['git', ...argv], '/workspace');
		console.log(argv.join(' '), '->', r.code, r.stdout, r.stderr);
		return r.stdout.trim();
	};
	await log('init');
	git.write('/workspace/path0/COPYING', 'x\n');
	git.write('/workspace/bar', 'test\n');
	git.write('/workspace/m', Buffer.from('caf\xe9\n', 'latin1'));
	await log('add', 'path0', 'bar');
	await log('-c', 'i18n.commitEncoding=ISO8859-1', 'commit', '-F', 'm');
	await log('cat-file', '-p', 'HEAD');
	await log('tag', 'A');
	git.write('/workspace/foo', 'foo\n');
	await log('add', 'foo');
	await log('mv', '-f', 'foo', 'bar');
	await log('reset', '--merge', 'HEAD');
	await log('diff-files');
	await log('mv', 'path0/COPYING', 'no-such-dir/');
	await log('mv', 'path0/', 'no-such-dir/');
	await log('status', '--short');
	await log('reset', '--hard');
	await log('commit', '--allow-empty', '-m', 'B');
	await log('checkout', '-b', 'side', 'A');
	await log('commit', '--allow-empty', '-m', 'C');
	await log('merge', '-m', 'D', 'master');
	await log('name-rev', 'HEAD', 'HEAD^2', 'HEAD~2', 'master');
	await log('tag', 'v1');
	await log('name-rev', 'HEAD', 'HEAD^2', 'HEAD^1', 'HEAD~2', 'master');
	await log('merge-base', '--independent', 'A', 'side', 'master');
	await log('merge-base', '--octopus', 'A', 'side', 'master');
	await log('merge-base', '--fork-point', 'master', 'side');
	await log('show-branch', '--merge-base', 'side', 'A');
});
