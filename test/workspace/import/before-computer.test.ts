import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { importRepository } from '#workspace/import/import.ts';
import { askForSample } from '#workspace/import/sample.ts';

const files: Record<string, string> = {
	'manifest.json': JSON.stringify({ name: 'tiny', files: ['a.txt', 'b/c.txt'] }),
	'a.txt': 'a\n',
	'b/c.txt': 'c\n'
};

function sample() {
	const asked: string[] = [];
	const fetcher = (url: URL | RequestInfo): Promise<Response> => {
		const name = new URL(String(url)).pathname.replace('/sample/', '');
		asked.push(name);
		return Promise.resolve(new Response(files[name]));
	};
	return { asked, options: { fetch: fetcher as typeof fetch, serverUrl: 'http://here/' } };
}

async function emptyComputer(): Promise<ExecutionEnvironment> {
	const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const environment = new LocalExecutionEnvironment({ workingDirectory: folder });
	await environment.initialize();
	return environment;
}

it('asks for what it imports while the computer still starts', async () => {
	const { asked, options } = sample();
	let arrive!: (environment: ExecutionEnvironment) => void;
	const starting = new Promise<ExecutionEnvironment>((resolve) => (arrive = resolve));
	const importing = importRepository({ kind: 'sample', name: 'tiny' }, starting, options);
	await vi.waitFor(() => expect(asked).toEqual(['manifest.json', 'a.txt', 'b/c.txt']));
	const environment = await emptyComputer();
	arrive(environment);
	expect(await importing).toMatchObject({ origin: { kind: 'sample', name: 'tiny' }, files: 2, bytes: 4 });
	expect((await environment.exec('git ls-files && cat b/c.txt')).stdout).toBe('a.txt\nb/c.txt\nc\n');
});

it('fails as the computer does, and as what it asked for', async () => {
	const { options } = sample();
	const source = { kind: 'sample', name: 'tiny' } as const;
	await expect(importRepository(source, Promise.reject(new Error('no frame')), options)).rejects.toThrow('no frame');
	const offline = { ...options, fetch: () => Promise.reject(new TypeError('offline')) };
	await expect(importRepository(source, emptyComputer(), offline)).rejects.toMatchObject({ code: 'no_network' });
});

it('takes what was asked for before it was wanted, once, and asks again after a failure', async () => {
	const { asked, options } = sample();
	vi.stubGlobal('fetch', options.fetch);
	onTestFinished(() => void vi.unstubAllGlobals());
	askForSample('tiny', options.serverUrl);
	askForSample('tiny', options.serverUrl);
	expect(await importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options)).toMatchObject({
		files: 2
	});
	expect(asked).toHaveLength(3);
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
	askForSample('tiny', options.serverUrl);
	const failing = importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options);
	await expect(failing).rejects.toMatchObject({ code: 'no_network' });
	expect(await importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options)).toMatchObject({
		files: 2
	});
	expect(asked).toHaveLength(6);
});

it('asks again in advance once that failed, and takes nothing that another server was asked for', async () => {
	const { asked, options } = sample();
	onTestFinished(() => void vi.unstubAllGlobals());
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
	askForSample('tiny', options.serverUrl);
	vi.stubGlobal('fetch', options.fetch);
	await vi.waitFor(() => {
		askForSample('tiny', options.serverUrl);
		expect(asked).toHaveLength(3);
	});
	const elsewhere = { ...options, serverUrl: 'http://there/' };
	await importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), elsewhere);
	expect(asked).toHaveLength(6);
	await importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options);
	expect(asked).toHaveLength(6);
});

describe('a sample that is not whole', () => {
	const from = (answers: Record<string, Response>) => {
		const fetcher = (url: URL | RequestInfo): Promise<Response> =>
			Promise.resolve(answers[new URL(String(url)).pathname] ?? new Response('', { status: 404 }));
		const options = { fetch: fetcher as typeof fetch, serverUrl: 'http://here/app/' };
		return importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options);
	};
	const manifest = (names: string[]) => Response.json({ name: 'tiny', files: names });

	it('says which file the server did not give', async () => {
		await expect(from({})).rejects.toMatchObject({ code: 'server_error', detail: 'manifest.json: 404' });
		const one = { '/app/sample/manifest.json': manifest(['a.txt']) };
		await expect(from(one)).rejects.toMatchObject({ code: 'server_error', detail: 'a.txt: 404' });
	});

	it('says that it is empty', async () => {
		await expect(from({ '/app/sample/manifest.json': manifest([]) })).rejects.toMatchObject({ code: 'empty' });
	});

	it('says what the network said', async () => {
		const options = { fetch: () => Promise.reject(new TypeError('offline')), serverUrl: 'http://here/' };
		const importing = importRepository({ kind: 'sample', name: 'tiny' }, emptyComputer(), options);
		await expect(importing).rejects.toMatchObject({ code: 'no_network', detail: 'TypeError: offline' });
	});
});
