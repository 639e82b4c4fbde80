import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createS3Store } from '#server/shares/s3-store.ts';
import { startS3 } from '../s3/s3-server.ts';

const ids = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(22));
const [id = ''] = ids;
const record = { expiresAt: 2_000, deleteHash: 'h' };

describe('shares on an S3 store', () => {
	it('has one object with its record and one with its expiry, by two requests', async () => {
		const { bucket, objects, seen } = await startS3();
		await createS3Store(bucket).create(id, record, Readable.from(['bytes']));
		expect(seen).toEqual([`PUT expiry/000000000002000-${id}`, `PUT shares/${id}`]);
		expect([...objects.keys()]).toEqual([`expiry/000000000002000-${id}`, `shares/${id}`]);
		expect(objects.get(`shares/${id}`)?.metadata).toEqual({
			'content-type': 'application/octet-stream',
			'x-amz-meta-writer': expect.stringMatching(/^[\da-f-]{36}$/),
			'x-amz-meta-expires-at': '2000',
			'x-amz-meta-delete-hash': 'h'
		});
	});

	it('sweeps what has expired, page by page', async () => {
		const { bucket, objects, seen } = await startS3();
		const clock = { now: 1_000 };
		const store = createS3Store(bucket, () => clock.now);
		for (const [index, each] of ids.entries())
			await store.create(each, { ...record, expiresAt: 2_000 + index }, Readable.from(['x']));
		// Sorted before the others, and never removed.
		objects.set('expiry/!not-a-time', { bytes: Buffer.alloc(0), metadata: {} });
		seen.length = 0;
		clock.now = 2_003;
		expect(await store.sweep()).toBe(4);
		expect([...objects.keys()]).toEqual([`expiry/000000000002004-${ids[4]}`, `shares/${ids[4]}`, 'expiry/!not-a-time']);
		expect(seen.filter((request) => request === 'GET list')).toHaveLength(3);
	});

	it('reads the record of a share without its bytes, and these when they are asked for', async () => {
		const { bucket, seen } = await startS3();
		const store = createS3Store(bucket, () => 1_000);
		await store.create(id, record, Readable.from(['bytes']));
		seen.length = 0;
		const share = await store.open(id);
		expect(share).toMatchObject({ record, bytes: 5 });
		expect(seen).toEqual([`HEAD shares/${id}`]);
		expect(String(await share?.body().toArray())).toBe('bytes');
		expect(seen).toEqual([`HEAD shares/${id}`, `GET shares/${id}`]);
	});

	it.each([
		['that is there', undefined],
		['that another server removes meanwhile', '412' as const]
	])('does not overwrite a share %s', async (_which, failure) => {
		const { bucket } = await startS3((method, key) =>
			method === 'PUT' && key.startsWith('shares/') ? failure : undefined
		);
		const store = createS3Store(bucket, () => 1_000);
		if (!failure) await store.create(id, record, Readable.from(['x']));
		await expect(store.create(id, record, Readable.from(['y']))).rejects.toThrow(
			'A share with this id already exists.'
		);
	});

	it('says that the store fails, and to the log what it answered', async () => {
		const { bucket } = await startS3();
		const store = createS3Store({ ...bucket, secretAccessKey: 'wrong' });
		await expect(store.open(id)).rejects.toMatchObject({
			status: 502,
			code: 'shares_unavailable',
			message: 'The share store does not respond correctly. Try again later.',
			cause: 'HEAD was answered 403'
		});
	});
});
