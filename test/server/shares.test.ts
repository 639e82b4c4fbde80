import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiskStore } from '../../server/shares/disk-store.ts';
import type { ShareStore } from '../../server/shares/store.ts';
import { ask, startSandglass } from './start.ts';

const clock = { now: 1_000 };
const stores: Record<string, () => { store: ShareStore; files: () => string[] }> = {
	disk() {
		const dir = mkdtempSync(path.join(tmpdir(), 'sandglass-shares-'));
		onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
		return { store: createDiskStore(dir, () => clock.now), files: () => readdirSync(dir) };
	}
};

describe.each(Object.entries(stores))('share store: %s', (_name, create) => {
	const record = { expiresAt: 2_000, deleteHash: 'h' };
	it('keeps bytes until they expire, and sweeps them', async () => {
		clock.now = 1_000;
		const { store, files } = create();
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
	it('leaves nothing of an upload that broke off', async () => {
		const { store, files } = create();
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
