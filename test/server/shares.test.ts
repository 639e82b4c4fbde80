import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiskStore } from '#server/shares/disk-store.ts';
import type { ShareStore } from '#server/shares/store.ts';
import { createS3Store } from '#server/shares/s3-store.ts';
import { startS3, type Failure } from './s3/s3-server.ts';
import { askInTime as ask } from './ask-in-time.ts';
import { startSandglass, startUpstream } from './start.ts';

const clock = { now: 1_000 };
const stores: Record<string, () => Promise<{ store: ShareStore; files: () => string[] }>> = {
	async disk() {
		const dir = mkdtempSync(path.join(tmpdir(), 'sandglass-shares-'));
		onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
		return { store: createDiskStore(dir, () => clock.now), files: () => readdirSync(dir) };
	},
	async s3() {
		const { bucket, objects } = await startS3();
		return { store: createS3Store(bucket, () => clock.now), files: () => [...objects.keys()] };
	}
};

describe.each(Object.entries(stores))('share store: %s', (_name, create) => {
	const record = { expiresAt: 2_000, deleteHash: 'h' };
	it('keeps bytes until they expire, and sweeps them', async () => {
		clock.now = 1_000;
		const { store, files } = await create();
		await store.create('a', record, Readable.from([Buffer.from([0, 255]), Buffer.from([10])]));
		const share = await store.open('a');
		expect(share).toMatchObject({ record, bytes: 3 });
		expect([...(await buffer(share!.body()))]).toEqual([0, 255, 10]);
		await expect(store.create('a', record, Readable.from(['x']))).rejects.toThrow();
		clock.now = 2_000;
		expect(await store.open('a')).toBeUndefined();
		expect(await store.sweep()).toBe(1);
		expect(files()).toEqual([]);
		await store.delete('a');
	});
	it('deletes one, and sweeps only those that have expired', async () => {
		clock.now = 1_000;
		const { store } = await create();
		for (const id of ['a', 'b', 'c', 'd', 'e'])
			await store.create(id, { expiresAt: id < 'd' ? 2_000 : 3_000, deleteHash: 'h' }, Readable.from(['x']));
		await store.delete('a');
		expect(await store.open('a')).toBeUndefined();
		clock.now = 2_500;
		expect(await store.sweep()).toBe(2);
		expect(await store.sweep()).toBe(0);
		expect(await store.open('d')).toMatchObject({ bytes: 1 });
	});
	it('lets one of two writers of the same id win, and the first one keeps its expiry', async () => {
		clock.now = 1_000;
		const { store } = await create();
		await store.create('a', { expiresAt: 9_000, deleteHash: 'first' }, Readable.from(['1']));
		const late = store.create('a', { expiresAt: 2_000, deleteHash: 'second' }, Readable.from(['2']));
		await expect(late).rejects.toThrow();
		clock.now = 5_000;
		await store.sweep();
		const share = await store.open('a');
		expect(share?.record.deleteHash).toBe('first');
		expect((await buffer(share!.body())).toString()).toBe('1');
	});
	it('leaves nothing of an upload that broke off', async () => {
		const { store, files } = await create();
		const broken = Readable.from(
			(async function* () {
				yield Buffer.from('half');
				throw new Error('gone');
			})()
		);
		await expect(store.create('b', record, broken)).rejects.toThrow('gone');
		expect(await store.open('b')).toBeUndefined();
		expect(files()).toEqual([]);
	});
});

const failures: [string, Failure, boolean, boolean][] = [
	['goes away between the two writes', 'cut', false, false],
	['keeps the share and goes away before it says so', 'cut after', false, true],
	['keeps the share and says that it failed', '503 after', true, true]
];
it.each(failures)('leaves no half share on an S3 store that %s', async (_how, failure, acknowledged, kept) => {
	clock.now = 1_000;
	let times = 0;
	const { bucket, objects } = await startS3((method, key) =>
		method === 'PUT' && key === 'shares/a' && ++times === 1 ? failure : undefined
	);
	const store = createS3Store(bucket, () => clock.now);
	const record = { expiresAt: 2_000, deleteHash: 'h' };
	const created = store.create('a', record, Readable.from(['all of it']));
	if (acknowledged) await created;
	else await expect(created).rejects.toMatchObject({ status: 502, code: 'shares_unavailable' });
	const share = await store.open('a');
	expect(share && (await buffer(share.body())).toString()).toBe(kept ? 'all of it' : undefined);
	clock.now = 2_000;
	expect(await store.sweep()).toBe(kept ? 1 : 0);
	expect([...objects.keys()]).toEqual([]);
});

it('stores, hands out and deletes a share, the latter for its maker only', async () => {
	const server = await startSandglass();
	const made = await ask(`${server.url}/api/shares?expires=60`, { method: 'PUT', body: 'secret bytes' });
	expect(made.status).toBe(201);
	const { id, deleteToken, expiresAt } = JSON.parse(made.text);
	expect(expiresAt).toBeGreaterThan(Date.now());
	const address = `${server.url}/api/shares/${id}`;
	const got = await ask(address);
	expect(got.text).toBe('secret bytes');
	expect(got.headers['content-type']).toBe('application/octet-stream');
	expect((await ask(address, { method: 'DELETE' })).status).toBe(403);
	expect((await ask(address, { method: 'DELETE', headers: { 'x-delete-token': 'guess' } })).status).toBe(403);
	expect((await ask(address, { method: 'DELETE', headers: { 'x-delete-token': deleteToken } })).status).toBe(204);
	expect((await ask(address)).status).toBe(404);
	expect((await ask(`${server.url}/api/shares/..%2f..%2fetc`)).status).toBe(404);
	expect(JSON.stringify(server.logged)).not.toContain(id);
});

it('refuses a share that is too large or lasts too long', async () => {
	const server = await startSandglass();
	const large = new Uint8Array(32 * 2 ** 20 + 1);
	const answer = await fetch(`${server.url}/api/shares`, { method: 'PUT', body: large }).catch(() => undefined);
	if (answer) expect(answer.status).toBe(413);
	expect(readdirSync(server.dir).includes('shares') ? readdirSync(path.join(server.dir, 'shares')) : []).toEqual([]);
	for (const expires of ['0', '-1', 'x', '1e12'])
		expect((await ask(`${server.url}/api/shares?expires=${expires}`, { method: 'PUT', body: 'x' })).status).toBe(400);
});

it('keeps shares on S3 when its variables are set, and says when S3 does not answer', async () => {
	const { bucket, objects } = await startS3();
	const settings = {
		S3_ENDPOINT: bucket.endpoint,
		S3_BUCKET: bucket.bucket,
		S3_ACCESS_KEY_ID: bucket.accessKeyId,
		S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
		S3_REGION: bucket.region
	};
	const [one, other] = [await startSandglass(settings), await startSandglass(settings)];
	const { id } = JSON.parse((await ask(`${one.url}/api/shares`, { method: 'PUT', body: 'bytes' })).text);
	expect((await ask(`${other.url}/api/shares/${id}`)).text).toBe('bytes');
	expect(objects.size).toBe(2);

	const stranger = await startSandglass({ ...settings, S3_SECRET_ACCESS_KEY: 'not-the-secret' });
	const refused = await ask(`${stranger.url}/api/shares/${id}`);
	expect(refused.status).toBe(502);
	expect(JSON.parse(refused.text).error.type).toBe('shares_unavailable');
	expect(JSON.stringify([refused, stranger.logged])).not.toContain('not-the-secret');
});

it('follows no redirect of the store, so a share and its signature go nowhere else', async () => {
	const elsewhere: unknown[] = [];
	const other = await startUpstream((request, response) => {
		elsewhere.push(request.method, request.headers);
		response.end();
	});
	const store = await startUpstream((request, response) => {
		request.resume();
		request.on('end', () => response.writeHead(307, { location: `${other.url}${request.url}` }).end());
	});
	const server = await startSandglass({
		S3_ENDPOINT: store.url,
		S3_BUCKET: 'sandglass',
		S3_ACCESS_KEY_ID: 'test-access',
		S3_SECRET_ACCESS_KEY: 'test-secret'
	});
	const answer = await ask(`${server.url}/api/shares`, { method: 'PUT', body: 'bytes' });
	expect([answer.status, answer.headers['x-sandglass-error']]).toEqual([502, 'shares_unavailable']);
	expect(elsewhere).toEqual([]);
});

it.each([
	['count', { count: 2, bytes: 1_000 }, 'x'],
	['size', { count: 100, bytes: 2_500 }, 'x'.repeat(1_000)]
])('ends the uploads of a client at its quota by %s', async (_by, shareQuota, body) => {
	const server = await startSandglass({ SANDGLASS_TRUST_PROXY: '1' }, { shareQuota });
	const upload = (from: string) =>
		ask(`${server.url}/api/shares`, { method: 'PUT', body, headers: { 'x-forwarded-for': from } });
	expect([(await upload('1.1.1.1')).status, (await upload('1.1.1.1')).status]).toEqual([201, 201]);
	const third = await upload('1.1.1.1');
	expect(third.status).toBe(429);
	expect(third.headers['x-sandglass-error']).toBe('share_quota');
	expect((await upload('2.2.2.2')).status).toBe(201);
});
