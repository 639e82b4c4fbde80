import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { startGitServer } from '#test/git-server.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass } from './start.ts';

const run = promisify(execFile);

/** A folder with one bare repository, `repo.git`, with one commit. */
async function repositories(): Promise<string> {
	const dir = mkdtempSync(path.join(tmpdir(), 'sandglass-git-'));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	const work = path.join(dir, 'work');
	mkdirSync(work);
	writeFileSync(path.join(work, 'hello.txt'), 'hello\n');
	const git = (...args: string[]) => run('git', ['-C', work, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
	await git('init', '-q', '-b', 'main');
	await git('add', '.');
	await git('commit', '-q', '-m', 'first');
	await run('git', ['clone', '-q', '--bare', work, path.join(dir, 'repo.git')]);
	return dir;
}

it('clones and pushes through the proxy with the real git on both ends', async () => {
	const dir = await repositories();
	const authorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
	const upstream = await startGitServer(dir, authorization);
	onTestFinished(upstream.close);
	const host = new URL(upstream.url).host;
	const server = await startSandglass({ SANDGLASS_ALLOW_HOSTS: host });
	const address = `${server.url}/api/git/http/${host}/repo.git`;
	const clone = path.join(dir, 'clone');
	const git = (...args: string[]) =>
		run('git', [
			'-c',
			`http.extraHeader=Authorization: ${authorization}`,
			'-c',
			'user.name=t',
			'-c',
			'user.email=t@t',
			...args
		]);
	await git('clone', '-q', '--depth', '1', address, clone);
	await git('-C', clone, 'commit', '-q', '--allow-empty', '-m', 'second');
	await git('-C', clone, 'push', '-q', 'origin', 'main');
	const { stdout } = await run('git', ['-C', path.join(dir, 'repo.git'), 'log', '--format=%s']);
	expect(stdout.split('\n')[0]).toBe('second');

	const refused = await ask(`${address}/info/refs?service=git-upload-pack`);
	expect(refused.status).toBe(401);
	expect(refused.headers['www-authenticate']).toBeUndefined();
	for (const rest of ['HEAD', 'objects/info/packs', 'info/refs', 'info/refs?service=git-upload-archive'])
		expect((await ask(`${address}/${rest}`)).status, rest).toBe(404);
	expect((await ask(`${address}/git-upload-pack`)).status).toBe(405);
	expect(JSON.stringify(server.logged)).not.toContain('repo.git');
});

it("hands over a host's archive of a ref", async () => {
	const upstream = await startGitServer(await repositories());
	onTestFinished(upstream.close);
	const host = new URL(upstream.url).host;
	const server = await startSandglass({
		SANDGLASS_ALLOW_HOSTS: host,
		SANDGLASS_ARCHIVE_HOSTS: `${host}=${upstream.url}/{path}/archive/{ref}.tar.gz`
	});
	const url = `${server.url}/api/archive?url=${upstream.url}/repo.git&ref=`;
	const answer = await fetch(`${url}main`);
	expect(answer.headers.get('content-type')).toBe('application/gzip');
	expect(gunzipSync(new Uint8Array(await answer.arrayBuffer())).toString()).toContain('hello.txt');
	expect((await ask(`${url}no-such-branch`)).status).toBe(404);
	const unknown = await ask(`${server.url}/api/archive?url=https://unknown.example/a/b&ref=main`);
	expect(unknown.headers['x-sandglass-error']).toBe('no_archive');
});
