import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { LocalExecutionEnvironment } from '#environment/local/index.ts';
import { importRepository } from '#workspace/import/import.ts';
import { pushBranch } from '#workspace/publish/push-branch.ts';
import { startGitServer } from '#test/git-server.ts';

it('pushes what changed in a part of a repository onto the whole of it', async () => {
	const root = mkdtempSync(path.join(tmpdir(), 'part-'));
	onTestFinished(() => rmSync(root, { recursive: true }));
	const git = (folder: string, ...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=Host', '-c', 'user.email=host@example.org', ...args], {
			cwd: path.join(root, folder),
			encoding: 'utf8'
		});
	mkdirSync(path.join(root, 'seed/large'), { recursive: true });
	mkdirSync(path.join(root, 'seed/src'));
	mkdirSync(path.join(root, 'here'));
	git('seed', 'init', '-q', '-b', 'main');
	writeFileSync(path.join(root, 'seed/large/film.bin'), 'not chosen');
	writeFileSync(path.join(root, 'seed/src/a.txt'), 'before\n');
	git('seed', 'add', '-A');
	git('seed', 'commit', '-q', '-m', 'First');
	git('', 'clone', '-q', '--bare', 'seed', 'whole.git');
	const server = await startGitServer(root);
	onTestFinished(() => server.close());

	const url = `${server.url}/whole.git`;
	const environment = new LocalExecutionEnvironment({ workingDirectory: path.join(root, 'here') });
	await environment.initialize();
	const { origin, notices } = await importRepository({ kind: 'git', url, ref: 'main', folders: ['src'] }, environment, {
		fetch: () => fetch(`${server.url}/whole/archive/main.tar.gz`),
		serverUrl: 'https://example.org'
	});
	// Has the push target, but no commit of the host to build on.
	expect(origin).toEqual({ kind: 'git', name: 'whole (src)', url, ref: 'main' });
	expect(notices[0]).toBe('Only a part was imported: src. A push puts its changes onto the host’s own history.');
	expect(await environment.fileExists('large')).toBe(false);

	const text = (content: string) => new TextEncoder().encode(content);
	const side = async (content: string) => ({ mode: 0o100644, blob: await blobId(text(content)) });
	const differences = [{ path: 'src/a.txt', before: await side('before\n'), after: await side('after\n') }];
	const readBlob = () => Promise.resolve(text('after\n'));
	const author = { name: 'Ada', email: 'ada@example.org' };
	const message = 'Of a part';
	await pushBranch(environment, { url, branch: 'part', message, author, differences, readBlob, again: false });
	expect(git('whole.git', 'diff', '--name-status', 'main', 'part')).toBe('M\tsrc/a.txt\n');
	expect(git('whole.git', 'show', 'part:large/film.bin')).toBe('not chosen');
	expect(git('whole.git', 'rev-parse', 'part~1')).toBe(git('whole.git', 'rev-parse', 'main'));
});
