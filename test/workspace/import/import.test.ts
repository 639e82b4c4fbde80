import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EnvironmentError } from '#environment/errors.ts';
import type { ImportFile, ImportProgress, ImportSource } from '#workspace/contract.ts';
import { importRepository } from '#workspace/import/import.ts';
import { temporaryEnvironment } from '#test/agent/fake-session.ts';
import { startGitServer } from '#test/git-server.ts';
import { archiveOf } from './hostile-trees.ts';

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** Files of a folder, and whether their source was closed. */
function folder(...files: ImportFile[]) {
	const closed = vi.fn();
	async function* each(): AsyncGenerator<ImportFile> {
		try {
			yield* files;
			// There may always be more.
			yield { path: 'last', bytes: text('') };
		} finally {
			closed();
		}
	}
	return { source: { kind: 'folder', name: 'mine', files: each() } satisfies ImportSource, closed };
}
const filesOf = (files: Record<string, string | Uint8Array>): ImportSource => ({ kind: 'files', name: 'made', files });

describe('an import', () => {
	it('has the files with their contents and modes, in one commit', async () => {
		const environment = await temporaryEnvironment();
		const phases: string[] = [];
		const result = await importRepository(
			folder({ path: 'src/a.txt', bytes: text('a\n') }, { path: 'run', bytes: text('#!\n'), mode: 0o755 }).source,
			environment,
			{ onProgress: ({ phase }: ImportProgress) => phases.push(phase) }
		);
		expect(result).toEqual({ origin: { kind: 'folder', name: 'mine' }, files: 3, bytes: 5, notices: [] });
		expect((await environment.exec('git ls-files -s | cut -c1-6,50-; git log --format=%s; git status -s')).stdout).toBe(
			'100644\tlast\n100755\trun\n100644\tsrc/a.txt\nImported\n'
		);
		expect(phases[0]).toBe('connecting');
		expect(phases.slice(-2)).toEqual(['baseline', 'done']);
		expect((await environment.exec('git branch --show-current')).stdout).toBe('main\n');
	});

	it('takes files as text and as bytes', async () => {
		const environment = await temporaryEnvironment();
		const source = filesOf({ 'a.txt': 'ü', 'b.bin': new Uint8Array([0, 255]) });
		expect(await importRepository(source, environment)).toMatchObject({
			origin: { kind: 'files', name: 'made' },
			files: 2,
			bytes: 4
		});
		expect(await environment.readFile('a.txt')).toBe('ü');
		expect([...(await environment.readBytes('b.bin'))]).toEqual([0, 255]);
	});

	it('takes a megabyte without being asked, and all where no part is chosen', async () => {
		const data = zipSync({ 'a.txt': new Uint8Array(1024 * 1024) });
		const source: ImportSource = { kind: 'zip', name: 'all', data, folders: undefined };
		const result = await importRepository(source, await temporaryEnvironment());
		expect(result).toMatchObject({ origin: { name: 'all' }, bytes: 1024 * 1024, notices: [] });
	});

	it('works on a computer without git, and says what is missing', async () => {
		const environment = await temporaryEnvironment();
		vi.spyOn(environment, 'exec').mockResolvedValue({
			stdout: '',
			stderr: '',
			exitCode: 127,
			durationMs: 0,
			timedOut: false
		});
		const { files, notices } = await importRepository(filesOf({ a: '1' }), environment);
		expect(files).toBe(1);
		expect(notices).toEqual([expect.stringMatching(/no git on this computer.+Changes and checkpoints work/)]);
	});

	it('waits for what has to be there before programs run, once, and fails as that does', async () => {
		const environment = await temporaryEnvironment();
		const exec = vi.spyOn(environment, 'exec');
		const ready = vi.fn(async () => expect(exec).not.toHaveBeenCalled());
		await importRepository(filesOf({ a: '1' }), environment, { beforePrograms: ready });
		expect(ready).toHaveBeenCalledTimes(1);
		expect(exec).toHaveBeenCalled();
		const failing = importRepository(filesOf({ a: '1' }), await temporaryEnvironment(), {
			beforePrograms: () => Promise.reject(new Error('no programs'))
		});
		await expect(failing).rejects.toThrow('no programs');
	});
});

describe('an import from git', () => {
	/** A hosted repository with two commits, and a branch `next` at the second. */
	async function hosted() {
		const root = mkdtempSync(path.join(tmpdir(), 'import-'));
		onTestFinished(() => rmSync(root, { recursive: true }));
		const run = (args: string[], input = ''): string =>
			execFileSync('git', ['-c', 'user.name=H', '-c', 'user.email=h@example.org', ...args], {
				cwd: path.join(root, 'owner/it.git'),
				encoding: 'utf8',
				input
			}).trim();
		const git = (...args: string[]): string => run(args);
		mkdirSync(path.join(root, 'owner/it.git'), { recursive: true });
		git('init', '-q', '--bare', '-b', 'trunk');
		const blob = run(['hash-object', '-w', '--stdin'], 'hello\n');
		const tree = run(['mktree'], `100644 blob ${blob}\treadme\n`);
		const first = git('commit-tree', '-m', 'First', tree);
		const second = git('commit-tree', '-m', 'Second', '-p', first, tree);
		git('update-ref', 'refs/heads/trunk', first);
		git('update-ref', 'refs/heads/next', second);
		const server = await startGitServer(root);
		onTestFinished(() => server.close());
		return { server, url: `${server.url}/owner/it.git`, first, second };
	}
	const noArchive = () =>
		Promise.resolve(new Response('', { status: 404, headers: { 'X-Sandglass-Error': 'no_archive' } }));

	it('unpacks the host’s archive, and knows the commit that it is of', async () => {
		const { server, url, second } = await hosted();
		const environment = await temporaryEnvironment();
		const asked: RequestInit[] = [];
		const result = await importRepository({ kind: 'git', url, ref: 'next', token: 'secret' }, environment, {
			fetch: (_, init) => {
				asked.push(init ?? {});
				return fetch(`${server.url}/owner/it/archive/next.tar.gz`);
			},
			serverUrl: 'https://sandglass.example/'
		});
		expect(result).toEqual({
			origin: { kind: 'git', name: 'owner/it', url, ref: 'next', commit: second },
			files: 1,
			bytes: 6,
			notices: []
		});
		expect(asked[0]?.headers).toEqual({ Authorization: 'Bearer secret' });
		expect((await environment.exec('git log --format=%s; git branch --show-current; cat readme')).stdout).toBe(
			'Imported\nnext\nhello\n'
		);
	});

	it('clones where the host has no archives, with its history and once programs may run', async () => {
		const { url, first, second } = await hosted();
		const ready = vi.fn(async () => undefined);
		const environment = await temporaryEnvironment();
		const options = { fetch: noArchive, serverUrl: 'https://sandglass.example/', beforePrograms: ready };
		const result = await importRepository({ kind: 'git', url }, environment, options);
		expect(result.origin).toStrictEqual({ kind: 'git', name: 'owner/it', url, commit: first });
		expect([result.files, result.bytes, result.notices]).toEqual([1, 6, []]);
		expect(ready).toHaveBeenCalledTimes(1);
		expect((await environment.exec('git log --format=%s; git branch --show-current')).stdout).toBe('First\ntrunk\n');
		const branch = await importRepository(
			{ kind: 'git', url: `${url}/tree/next` },
			await temporaryEnvironment(),
			options
		);
		expect(branch.origin).toEqual({ kind: 'git', name: 'owner/it', url, ref: 'next', commit: second });
	});

	it('asks by the page’s own fetch, and knows no commit where the archive names none', async () => {
		const archive = archiveOf([{ path: 'readme', text: 'hello\n' }]);
		const asked = vi.fn(async () => new Response(new Uint8Array(archive)));
		vi.stubGlobal('fetch', asked);
		onTestFinished(() => void vi.unstubAllGlobals());
		const url = 'https://git.example/a/b';
		const source: ImportSource = { kind: 'git', url };
		const result = await importRepository(source, await temporaryEnvironment(), { serverUrl: 'https://here.example/' });
		expect(result.origin).toStrictEqual({ kind: 'git', name: 'a/b', url });
		expect(asked).toHaveBeenCalledWith(
			new URL(`https://here.example/api/archive?url=${encodeURIComponent(url)}`),
			expect.anything()
		);
	});

	it('takes a part only of an archive', async () => {
		const { url } = await hosted();
		const source: ImportSource = { kind: 'git', url, folders: ['src'] };
		const options = { fetch: noArchive, serverUrl: 'https://sandglass.example/' };
		await expect(importRepository(source, await temporaryEnvironment(), options)).rejects.toMatchObject({
			code: 'unsupported'
		});
	});
});

describe('an import that fails', () => {
	it('says that there was nothing', async () => {
		await expect(importRepository(filesOf({}), await temporaryEnvironment())).rejects.toMatchObject({ code: 'empty' });
	});

	it.each([
		['leads outside', { '../x': '1' }],
		['is file and folder at once', { a: '1', 'a/b': '2' }]
	])('is damaged where a path %s', async (_, files) => {
		await expect(importRepository(filesOf(files), await temporaryEnvironment())).rejects.toMatchObject({
			name: 'ImportError',
			code: 'damaged',
			detail: expect.stringContaining('a' in files ? 'a' : '../x')
		});
	});

	it.each([
		['ENOSPC', 'too_large'],
		['EFBIG', 'too_large'],
		['EINVAL', 'damaged'],
		['EACCES', 'damaged'],
		['ENOTDIR', 'damaged'],
		['EISDIR', 'damaged'],
		['EEXIST', 'damaged'],
		['ENOTEMPTY', 'damaged'],
		['ELOOP', 'damaged'],
		['EIO', 'EIO']
	] as const)('with %s of the computer is %s, and closes its source', async (cause, code) => {
		const environment = await temporaryEnvironment();
		vi.spyOn(environment, 'load').mockImplementation(async (entries) => {
			for await (const _ of entries) throw new EnvironmentError(cause, 'as the computer says');
		});
		const { source, closed } = folder({ path: 'a', bytes: text('a') });
		await expect(importRepository(source, environment)).rejects.toMatchObject({
			code,
			message: expect.any(String),
			...(code === 'EIO' ? {} : { detail: expect.stringContaining('as the computer says') })
		});
		await vi.waitFor(() => expect(closed).toHaveBeenCalled());
	});

	it('is cancelled where the user did that, whatever failed then', async () => {
		const environment = await temporaryEnvironment();
		const cancel = new AbortController();
		vi.spyOn(environment, 'load').mockImplementation(async () => {
			cancel.abort();
			throw new EnvironmentError('EIO', 'aborted');
		});
		const importing = importRepository(filesOf({ a: '1' }), environment, { signal: cancel.signal });
		await expect(importing).rejects.toMatchObject({ code: 'cancelled' });
	});
});
