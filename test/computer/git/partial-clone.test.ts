import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SyscallError } from '#computer/abi/client.ts';
import { ownGit } from '#environment/own-git.ts';
import { gitBackend } from '#test/git-backend.ts';
import { nativeGit } from './both.ts';
import { GitInMemory } from './in-memory.ts';

let root: string;
const git = (dir: string, ...args: string[]) => nativeGit(root, path.join(root, dir), ...args);

beforeAll(() => {
	root = fs.mkdtempSync(path.join(os.tmpdir(), 'git-partial-'));
	fs.mkdirSync(path.join(root, 'source'));
	git('source', 'init', '-q');
	for (let i = 0; i < 6; i++) {
		for (const name of ['a', 'b', 'c']) fs.writeFileSync(path.join(root, 'source', name), `${name} ${i}\n`);
		git('source', 'add', '.');
		git('source', 'commit', '-q', '-m', `commit ${i}`);
	}
	git('source', 'tag', 'v1', 'HEAD~3');
	nativeGit(root, root, 'clone', '-q', '--bare', 'source', 'remote.git');
	git('remote.git', 'config', 'uploadpack.allowFilter', 'true');
});

afterAll(() => fs.rmSync(root, { recursive: true, force: true }));

/** A partial clone over HTTP, and the requests sent since the last look. */
async function cloned(knowsVersion2 = true) {
	const memory = new GitInMemory();
	const backend = gitBackend(root, knowsVersion2);
	memory.respond = backend.respond;
	const run = (...args: string[]) => memory.run(['git', ...args]);
	expect(await run('clone', '-q', '--filter=blob:none', `${backend.url}/remote.git`, '.')).toEqual({
		code: 0,
		stdout: '',
		stderr: ''
	});
	return { memory, run, sent: () => backend.requests.splice(0) };
}

const ASKED = 'GET /remote.git/info/refs version=2';
const FETCHED = 'POST /remote.git/git-upload-pack version=2';

it('sends nothing for what Sandglass asks by itself', async () => {
	const { memory, sent } = await cloned();
	sent();
	const shown = ownGit({ platform: () => 'wasm' }, 'status --porcelain', 'log -p -n 2', 'fetch');
	const results = [];
	for (const call of shown.split(' && ')) {
		const words = call.split(' ');
		const start = words.indexOf('git');
		for (const variable of words.slice(0, start)) {
			const [name = '', value = ''] = variable.split('=');
			memory.env[name] = value;
		}
		results.push(await memory.run(words.slice(start)));
	}
	const [status, log, fetched] = results;
	expect(status).toMatchObject({ code: 0, stdout: '', stderr: '' });
	expect(log!.stderr).toContain('lazy fetching disabled');
	expect(fetched!.stderr).toContain("transport 'http' not allowed");
	expect(sent()).toEqual([]);
});

it('fetches what a command reads at once, and nothing twice', async () => {
	const { memory, run, sent } = await cloned();
	expect(sent()).toEqual(['GET /remote.git/info/refs', 'POST /remote.git/git-upload-pack', ASKED, FETCHED]);
	expect((await run('status', '--porcelain')).stdout).toBe('');
	expect((await run('log', '--format=%s', '--name-status')).stdout).toBe(
		git('source', 'log', '--format=%s', '--name-status')
	);
	expect(sent()).toEqual([]);
	expect((await run('checkout', '-q', 'v1')).code).toBe(0);
	expect(sent()).toEqual([ASKED, FETCHED]);
	expect((await run('log', '-p', 'main')).stdout).toBe(git('source', 'log', '-p', 'main'));
	// One request for each commit whose contents are not here yet.
	expect(sent()).toEqual([ASKED, FETCHED, FETCHED, FETCHED, FETCHED]);
	expect((await run('log', '-p', 'main')).stdout).toBe(git('source', 'log', '-p', 'main'));
	expect((await run('grep', '-h', 'b', 'main')).stdout).toBe('b 5\n');
	expect((await run('blame', '-s', 'main', '--', 'a')).stdout).toBe(git('source', 'blame', '-s', 'main', '--', 'a'));
	expect(sent()).toEqual([]);
	memory.exportTo('/workspace', path.join(root, 'ours'));
	expect(git('ours', 'fsck')).toBe('');
	expect(git('ours', 'config', 'remote.origin.partialclonefilter')).toBe('blob:none\n');
});

it('fetches single objects from a server without version 2 of the protocol', async () => {
	git('remote.git', 'config', 'uploadpack.allowAnySHA1InWant', 'true');
	const { run, sent } = await cloned(false);
	expect((await run('cat-file', '-p', 'v1:a')).stdout).toBe('a 2\n');
	expect(sent().slice(-1)).toEqual(['POST /remote.git/git-upload-pack']);
});

it('fetches nothing without a need, and says when it must not', async () => {
	const { memory, run, sent } = await cloned();
	sent();
	expect((await run('gc', '-q')).code).toBe(0);
	expect((await run('fsck')).stdout).toBe('');
	expect((await run('prune')).code).toBe(0);
	expect((await run('rev-list', '--objects', '--all', '--missing=print')).stdout).toMatch(/^\?[0-9a-f]{40}$/m);
	memory.write('/workspace/new', 'new\n');
	await run('add', '.');
	expect((await run('commit', '-qm', 'new')).code).toBe(0);
	expect(sent()).toEqual([]);
	memory.env['GIT_NO_LAZY_FETCH'] = '1';
	const id = git('source', 'rev-parse', 'v1:a').trim();
	expect(await run('cat-file', '-p', 'v1:a')).toEqual({
		code: 128,
		stdout: '',
		stderr:
			'warning: lazy fetching disabled; some objects may not be available\n' +
			`fatal: could not fetch ${id} from promisor remote\n`
	});
	expect(sent()).toEqual([]);
});

it('ends if the remote is gone, sends nonsense or always something else', async () => {
	const { memory, run } = await cloned();
	const id = git('source', 'rev-parse', 'v1:a').trim();
	const lost = `fatal: could not fetch ${id} from promisor remote\n`;
	memory.respond = () => {
		throw new SyscallError('ECONNREFUSED', 'nobody listens there');
	};
	const url = 'http://backend.invalid/remote.git';
	expect(await run('cat-file', '-p', 'v1:a')).toMatchObject({
		code: 128,
		stderr: `fatal: unable to access '${url}': nobody listens there\n${lost}`
	});
	memory.respond = (request) => ({
		status: 200,
		statusText: '',
		headers: [],
		url: request.url,
		body: Buffer.from('hello')
	});
	expect(await run('cat-file', '-p', 'v1:a')).toMatchObject({ code: 128, stderr: expect.stringContaining(lost) });
	const { respond } = gitBackend(root);
	// Another object than the one that is asked for.
	const other = git('source', 'rev-parse', 'v1:b').trim();
	memory.respond = (request) => {
		const body = Buffer.from(request.body ?? '')
			.toString('latin1')
			.replace(`want ${id}`, `want ${other}`);
		return respond({ ...request, body: request.body && Buffer.from(body, 'latin1') });
	};
	expect(await run('cat-file', '-p', 'v1:a')).toMatchObject({ code: 128, stderr: lost });
	memory.respond = respond;
	expect((await run('cat-file', '-p', 'v1:a')).stdout).toBe('a 2\n');
});
