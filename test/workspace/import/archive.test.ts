import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { archiveUrl, openArchive } from '#workspace/import/archive.ts';
import { ImportError } from '#workspace/import/errors.ts';
import { ImportTracker } from '#workspace/import/progress.ts';
import type { ImportProgress } from '#workspace/contract.ts';

const address = { url: 'https://git.example/a/b', name: 'a/b' };

/** One file in a tar, as sent by hosts: below a folder with the repository's name. */
function tarball(): Uint8Array<ArrayBuffer> {
	const block = Buffer.alloc(512);
	block.write('b-main/readme', 0);
	block.write('0000644\0', 100);
	block.write('00000000002\0', 124);
	block.write('ustar\0', 257);
	block.write('0', 156);
	// The checksum is computed with its own field as spaces.
	block.fill(0x20, 148, 156);
	block.write(
		`${block
			.reduce((total, byte) => total + byte, 0)
			.toString(8)
			.padStart(6, '0')}\0 `,
		148
	);
	const content = Buffer.alloc(512);
	content.write('hi');
	return new Uint8Array(gzipSync(Buffer.concat([block, content, Buffer.alloc(1_024)])));
}

function open(
	answer: () => Response | Promise<Response>,
	options: { token?: string; ref?: string; signal?: AbortSignal } = {}
) {
	const reports: ImportProgress[] = [];
	const fetch = vi.fn(async (_url: URL, _init: RequestInit) => answer());
	const tracker = new ImportTracker((progress) => reports.push(progress), options.signal);
	const archive = openArchive(address, {
		ref: options.ref,
		token: options.token,
		serverUrl: 'https://sandglass.example/',
		fetch: fetch as unknown as typeof globalThis.fetch,
		tracker,
		onCommit: () => undefined
	});
	return { archive, fetch, reports, tracker };
}

const failure = async (answer: () => Response | Promise<Response>, signal?: AbortSignal) => {
	const error: unknown = await open(answer, signal ? { signal } : {}).archive.catch((reason: unknown) => reason);
	return error instanceof ImportError ? { code: error.code, detail: error.detail } : error;
};

it('asks the server for a ref of the repository, and for its default branch without one', () => {
	const url = (ref?: string) => archiveUrl(address.url, ref, 'https://sandglass.example/').href;
	expect(url('fix/it')).toBe(
		'https://sandglass.example/api/archive?url=https%3A%2F%2Fgit.example%2Fa%2Fb&ref=fix%2Fit'
	);
	expect(url()).toBe('https://sandglass.example/api/archive?url=https%3A%2F%2Fgit.example%2Fa%2Fb');
});

it('unpacks what arrives and reports how much of it has', async () => {
	const bytes = tarball();
	const { archive, fetch, reports, tracker } = open(
		() => new Response(bytes, { headers: { 'Content-Length': String(bytes.length) } }),
		{ token: 'secret', ref: 'main' }
	);
	const entries = [];
	for await (const entry of (await archive) ?? []) entries.push([entry.path, new TextDecoder().decode(entry.bytes)]);
	expect(entries).toEqual([['readme', 'hi']]);
	expect(reports[0]).toMatchObject({ phase: 'downloading', totalBytes: bytes.length, receivedBytes: 0 });
	expect(fetch.mock.calls[0]?.[0].searchParams.get('ref')).toBe('main');
	expect(fetch.mock.calls[0]?.[1].headers).toEqual({ Authorization: 'Bearer secret' });
	tracker.phase('done');
	expect(reports.at(-1)).toMatchObject({ phase: 'done', receivedBytes: bytes.length });
});

it('asks with the signal of the user who may cancel', async () => {
	const { signal } = new AbortController();
	const { archive, fetch } = open(() => new Response(tarball()), { signal });
	await archive;
	expect(fetch.mock.calls[0]?.[1].signal).toBe(signal);
});

it('sends no token where there is none, and takes no length that is not said', async () => {
	const { archive, fetch, reports } = open(() => new Response(tarball()));
	await archive;
	expect(fetch.mock.calls[0]?.[1].headers).toEqual({});
	expect(reports[0]).not.toHaveProperty('totalBytes');
});

it('is none where the host offers no archives: the repository is cloned then', async () => {
	const answer = () => new Response('{}', { status: 404, headers: { 'X-Sandglass-Error': 'no_archive' } });
	expect(await open(answer).archive).toBeNull();
});

describe('a refusal', () => {
	it.each([
		[401, 'private'],
		[403, 'private'],
		[404, 'not_found'],
		[400, 'invalid_url'],
		[413, 'too_large'],
		[502, 'no_network'],
		[504, 'no_network'],
		[500, 'server_error'],
		[429, 'server_error']
	])('with %i is %s, with what was answered', async (status, code) => {
		expect(await failure(() => new Response('because', { status }))).toEqual({ code, detail: `${status} because` });
		const long = await failure(() => new Response('x'.repeat(400), { status }));
		expect(long).toEqual({ code, detail: `${status} ${'x'.repeat(300)}` });
	});

	it('whose body breaks off is said by its status', async () => {
		const body = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) });
		expect(await failure(() => new Response(body, { status: 500 }))).toEqual({ code: 'server_error', detail: '500 ' });
	});

	it('of the network is said as one, and a cancelled import as that', async () => {
		const away = () => Promise.reject(new TypeError('fetch failed'));
		expect(await failure(away)).toEqual({ code: 'no_network', detail: 'TypeError: fetch failed' });
		expect(await failure(away, AbortSignal.abort())).toMatchObject({ code: 'cancelled' });
	});

	it('is damaged where what arrives is no archive', async () => {
		const read = async () => {
			for await (const _ of (await open(() => new Response('no archive')).archive) ?? []);
		};
		await expect(read()).rejects.toMatchObject({ code: 'damaged' });
	});
});
