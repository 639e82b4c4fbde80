import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readlinkSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDiskStore } from '#server/shares/disk-store.ts';

const HOUR_MS = 3_600_000;
const record = { expiresAt: Number.MAX_SAFE_INTEGER, deleteHash: 'h' };

function emptyFolder(): string {
	const folder = mkdtempSync(path.join(tmpdir(), 'sandglass-shares-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

describe('shares on a disk', () => {
	it('are read as they were stored, until they expire or are deleted', async () => {
		const clock = { now: 0 };
		const store = createDiskStore(emptyFolder(), () => clock.now);
		const own = { expiresAt: 1_000, deleteHash: 'a'.repeat(64) };
		await store.create('a', own, Readable.from(['some ', 'bytes']));
		clock.now = 999;
		const share = await store.open('a');
		expect(share).toMatchObject({ record: own, bytes: 10 });
		expect(String(Buffer.concat((await share?.body().toArray()) ?? []))).toBe('some bytes');
		expect(await store.sweep()).toBe(0);
		expect(await store.open('b')).toBeUndefined();
		clock.now = 1_000;
		expect(await store.open('a')).toBeUndefined();
		expect(await store.sweep()).toBe(1);
		expect(await store.sweep()).toBe(0);
		await store.create('a', { ...own, expiresAt: 2_000 }, Readable.from(['x']));
		await store.delete('a');
		expect(await store.open('a')).toBeUndefined();
		await expect(store.delete('a')).resolves.toBeUndefined();
	});

	it('are never overwritten, and nothing is left of what failed', async () => {
		const folder = emptyFolder();
		const store = createDiskStore(folder);
		await store.create('a', record, Readable.from(['first']));
		await expect(store.create('a', record, Readable.from(['second']))).rejects.toMatchObject({ code: 'EEXIST' });
		// A hundred times: whether the body fails before its file is there is up to the disk.
		for (let upload = 0; upload < 100; upload += 1) {
			const cut = new Readable({ read: () => void cut.destroy(new Error('The client disconnected.')) });
			await expect(store.create('b', record, cut)).rejects.toThrow('The client disconnected.');
		}
		expect(readdirSync(folder)).toEqual(['a.share']);
		expect((await store.open('a'))?.bytes).toBe(5);
	});

	it('can be read by the server alone', async () => {
		const folder = path.join(emptyFolder(), 'made', 'here');
		await createDiskStore(folder).create('a', record, Readable.from(['x']));
		expect(statSync(path.join(folder, 'a.share')).mode & 0o777).toBe(0o600);
	});

	it('sweeps what a crashed writer left an hour ago, and no upload that still arrives', async () => {
		const folder = emptyFolder();
		const clock = { now: 0 };
		const store = createDiskStore(folder, () => clock.now);
		const writtenAt = 1_800_000_000;
		writeFileSync(path.join(folder, 'crashed.part'), 'half');
		utimesSync(path.join(folder, 'crashed.part'), writtenAt, writtenAt);
		clock.now = writtenAt * 1000 + HOUR_MS;
		expect(await store.sweep()).toBe(0);
		expect(readdirSync(folder)).toEqual(['crashed.part']);
		clock.now += 1;
		expect(await store.sweep()).toBe(0);
		expect(readdirSync(folder)).toEqual([]);
	});

	it('sweeps on where an upload is completed while it looks', async () => {
		const folder = emptyFolder();
		const store = createDiskStore(folder, () => 2);
		// Listed, but gone when it is checked.
		symlinkSync(path.join(folder, 'completed'), path.join(folder, '0.part'));
		await store.create('a', { ...record, expiresAt: 1 }, Readable.from(['x']));
		expect(await store.sweep()).toBe(1);
		expect(readdirSync(folder)).toEqual(['0.part']);
	});

	it('leaves files of others in its folder alone', async () => {
		const folder = emptyFolder();
		writeFileSync(path.join(folder, 'part.txt'), '');
		utimesSync(path.join(folder, 'part.txt'), 1, 1);
		writeFileSync(path.join(folder, '.part.kept'), '');
		utimesSync(path.join(folder, '.part.kept'), 1, 1);
		expect(await createDiskStore(folder).sweep()).toBe(0);
		expect(readdirSync(folder)).toEqual(['.part.kept', 'part.txt']);
	});

	it('has nothing to sweep before the first share', async () => {
		expect(await createDiskStore(path.join(emptyFolder(), 'missing')).sweep()).toBe(0);
	});

	it('takes a folder that cannot be read for no empty one', async () => {
		const folder = path.join(emptyFolder(), 'file');
		writeFileSync(folder, '');
		const store = createDiskStore(folder);
		await expect(store.open('a')).rejects.toMatchObject({ code: 'ENOTDIR' });
		await expect(store.sweep()).rejects.toMatchObject({ code: 'ENOTDIR' });
	});

	it('keeps no file open', async () => {
		const folder = emptyFolder();
		mkdirSync(folder, { recursive: true });
		const store = createDiskStore(folder);
		await store.create('a', record, Readable.from(['x']));
		for (let count = 0; count < 3; count += 1) await store.open('a');
		const open = readdirSync('/proc/self/fd').map((fd) => {
			try {
				return readlinkSync(`/proc/self/fd/${fd}`);
			} catch {
				return ''; // the descriptor of the listing itself
			}
		});
		expect(open.filter((file) => file.startsWith(folder))).toEqual([]);
	});
});
