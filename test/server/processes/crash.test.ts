import { readdirSync, statSync, utimesSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { createS3Store } from '#server/shares/s3-store.ts';
import { startS3 } from '../s3/s3-server.ts';
import { ask } from '../start.ts';
import { serve, temporaryFolder } from './serve.ts';

it('leaves no half share when it is killed in the middle of an upload, and sweeps what the dead writer left', async () => {
	const folder = temporaryFolder();
	const env = { SHARES_DIR: folder };
	const first = await serve(env);
	const whole = await ask(`${first.url}/api/shares`, { method: 'PUT', body: 'whole' });
	const { id } = JSON.parse(whole.text);
	const upload = http.request(`${first.url}/api/shares`, { method: 'PUT', headers: { 'content-length': 2 ** 20 } });
	upload.on('error', () => undefined); // its server is killed
	upload.write(Buffer.alloc(2 ** 19));
	const half = () => readdirSync(folder).filter((name) => name.endsWith('.part'));
	await vi.waitFor(() => expect(statSync(path.join(folder, half()[0] ?? '')).size).toBeGreaterThan(2 ** 18), 10_000);
	await first.kill('SIGKILL');

	const [left = ''] = half();
	const second = await serve(env);
	expect((await ask(`${second.url}/api/shares/${id}`)).text).toBe('whole');
	expect(readdirSync(folder).filter((name) => name.endsWith('.share'))).toEqual([`${id}.share`]);
	await second.kill('SIGKILL');

	const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
	utimesSync(path.join(folder, left), hoursAgo, hoursAgo);
	await serve(env);
	await vi.waitFor(() => expect(readdirSync(folder)).toEqual([`${id}.share`]), 10_000);
}, 60_000);

it('leaves no half share on S3 when it is killed between its two writes, and sweeps what it did write', async () => {
	let kill: () => Promise<void> | undefined = () => undefined;
	const { bucket, objects } = await startS3((method, key) => {
		if (method !== 'PUT' || !key.startsWith('shares/')) return undefined;
		void kill();
		return 'cut';
	});
	const server = await serve({
		S3_ENDPOINT: bucket.endpoint,
		S3_BUCKET: bucket.bucket,
		S3_ACCESS_KEY_ID: bucket.accessKeyId,
		S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
		S3_REGION: bucket.region
	});
	kill = () => server.kill('SIGKILL');
	await expect(ask(`${server.url}/api/shares`, { method: 'PUT', body: 'a share' })).rejects.toThrow();
	expect([...objects].map(([key, { bytes }]) => [key.split('/')[0], bytes.byteLength])).toEqual([['expiry', 0]]);
	const years = 3 * 365 * 86_400_000;
	expect(await createS3Store(bucket, () => Date.now() + years).sweep()).toBe(0); // there was no share
	expect(objects.size).toBe(0);
}, 60_000);
