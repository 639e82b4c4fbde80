import { readdirSync, statSync, utimesSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
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
	await vi.waitFor(() => expect(statSync(path.join(folder, half()[0] ?? '')).size).toBeGreaterThan(2 ** 18));
	await first.kill('SIGKILL');

	const [left = ''] = half();
	const second = await serve(env);
	expect((await ask(`${second.url}/api/shares/${id}`)).text).toBe('whole');
	expect(readdirSync(folder).filter((name) => name.endsWith('.share'))).toEqual([`${id}.share`]);
	await second.kill('SIGKILL');

	const hoursAgo = new Date(Date.now() - 2 * 3_600_000);
	utimesSync(path.join(folder, left), hoursAgo, hoursAgo);
	await serve(env);
	await vi.waitFor(() => expect(readdirSync(folder)).toEqual([`${id}.share`]));
});
