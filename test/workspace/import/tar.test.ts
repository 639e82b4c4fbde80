import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from '#test/fast-check.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeTar, type TarMember } from '#environment/archive/tar-format.ts';
import { BLOCK, checksumOf } from '#environment/archive/tar-header.ts';
import type { LoadEntry } from '#environment/contract.ts';
import { readTar } from '#workspace/import/tar.ts';

let folder = '';
const longName = `${'long'.repeat(40)}/${'name'.repeat(30)}.txt`;

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), 'tar-'));
	const root = path.join(folder, 'repo-main');
	mkdirSync(path.join(root, path.dirname(longName)), { recursive: true });
	writeFileSync(path.join(root, 'a.txt'), 'one\n');
	writeFileSync(path.join(root, 'empty'), '');
	writeFileSync(path.join(root, 'ünï.bin'), Buffer.from([0, 1, 2, 255]));
	writeFileSync(path.join(root, 'run.sh'), '#!/bin/sh\n');
	chmodSync(path.join(root, 'run.sh'), 0o755);
	writeFileSync(path.join(root, longName), 'deep');
	symlinkSync('a.txt', path.join(root, 'link'));
	symlinkSync(longName, path.join(root, 'long-link'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function archive(format: string): Uint8Array {
	return execFileSync('tar', [`--format=${format}`, '-cf', '-', 'repo-main'], { cwd: folder });
}

function streamOf(bytes: Uint8Array, chunk = 1000): ReadableStream<Uint8Array> {
	return new ReadableStream({
		start(controller) {
			for (let at = 0; at < bytes.length; at += chunk) controller.enqueue(bytes.slice(at, at + chunk));
			controller.close();
		}
	});
}

async function all(stream: ReadableStream<Uint8Array>): Promise<LoadEntry[]> {
	const entries: LoadEntry[] = [];
	for await (const entry of readTar(stream)) entries.push(entry);
	return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const MEMBER: TarMember = {
	name: 'repo/a.txt',
	kind: 'file',
	mode: 0o644,
	modifiedMs: 0,
	target: '',
	bytes: new Uint8Array([1])
};

async function commitsOf(bytes: Uint8Array): Promise<string[]> {
	const commits = new Set<string>();
	for await (const _ of readTar(streamOf(bytes), (commit) => commits.add(commit)));
	return [...commits];
}

describe('a tar as it arrives', () => {
	it.each(['pax', 'gnu'])('gives every file of a %s archive with mode and bytes', async (format) => {
		for (const chunk of [1, 511, 100_000]) {
			const entries = await all(streamOf(archive(format), chunk));
			expect(entries.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes).toString('latin1')])).toEqual(
				[
					['a.txt', 0o100644, 'one\n'],
					['empty', 0o100644, ''],
					['link', 0o120000, 'a.txt'],
					['long-link', 0o120000, longName],
					[longName, 0o100644, 'deep'],
					['run.sh', 0o100755, '#!/bin/sh\n'],
					['ünï.bin', 0o100644, '\x00\x01\x02\xff']
				].sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
			);
		}
	});

	it('says that it is damaged when it ends early or a byte of a header is wrong', async () => {
		const whole = archive('pax');
		// In a body, inside a header, between two entries, and before the zero block that ends an archive.
		const end = whole.findLastIndex((byte) => byte !== 0);
		for (const length of [0, 100, 512, 600, 1024, 1100, end + 1, Math.ceil((end + 1) / 512) * 512])
			await expect(all(streamOf(whole.slice(0, length)))).rejects.toMatchObject({
				code: 'damaged',
				detail: expect.stringContaining('tar ended early')
			});
		const flipped = whole.slice();
		flipped[3] = (flipped[3] ?? 0) ^ 1;
		await expect(all(streamOf(flipped))).rejects.toThrow('damaged');
	});

	it('never gives a path that climbs out', async () => {
		const tar = execFileSync(
			'tar',
			['-P', '--transform=s,repo-main/a.txt,repo-main/../../evil,', '-cf', '-', 'repo-main/a.txt'],
			{ cwd: folder }
		);
		expect(await all(streamOf(tar))).toEqual([]);
	});

	it.each([
		['../a.txt', null],
		['repo/..', null],
		['.git/config', null],
		['repo/.git/config', null],
		['repo/a/.GIT/config', null],
		['repo/C:\\a.txt', null],
		['repo/a\\..\\..\\b', null],
		['a.txt', null],
		['./repo/a.txt', 'a.txt'],
		['repo//b/./a.txt', 'b/a.txt']
	])('gives %j as %j', async (name, path) => {
		const entries = await all(streamOf(writeTar([{ ...MEMBER, name }])));
		expect(entries.map((entry) => entry.path)).toEqual(path === null ? [] : [path]);
	});

	it('gives each file bytes of its own, which keep no chunk of the stream', async () => {
		const [entry] = await all(streamOf(writeTar([MEMBER])));
		expect(entry?.bytes.buffer.byteLength).toBe(1);
	});

	it('refuses a file that is larger than anything that fits, before it arrives', async () => {
		const block = writeTar([MEMBER]).slice(0, BLOCK);
		// The number in base 256, as GNU writes numbers with more than eleven octal digits.
		const size = Buffer.alloc(12);
		size.writeUInt8(0x80, 0);
		size.writeBigUInt64BE(8n ** 11n, 4);
		block.set(size, 124);
		block.set(Buffer.from(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `), 148);
		await expect(all(streamOf(block))).rejects.toMatchObject({ code: 'too_large', detail: 'tar entry' });
	});

	it('names the commit that the archive is of, where it has one', async () => {
		const commit = '0123456789'.repeat(4);
		const tar = execFileSync('tar', ['--format=pax', `--pax-option=comment=${commit}`, '-cf', '-', 'repo-main'], {
			cwd: folder
		});
		expect(await commitsOf(tar)).toEqual([commit]);
		expect(await all(streamOf(tar))).toHaveLength(7);
		expect(await commitsOf(archive('pax'))).toEqual([]);
	});

	it('cancels the download once no more is read', async () => {
		const cancel = vi.fn();
		const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(archive('gnu')), cancel });
		for await (const _ of readTar(stream)) break;
		expect(cancel).toHaveBeenCalledTimes(1);
	});

	it('ends with entries or a typed error on any bytes', async () => {
		await fc.assert(
			fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), fc.nat(2000), async (noise, at) => {
				const bytes = new Uint8Array(archive('gnu'));
				bytes.set(noise.subarray(0, Math.max(0, bytes.length - at)), at);
				await all(streamOf(bytes)).catch((error: Error) => expect(error.name).toBe('ImportError'));
			}),
			{ numRuns: 20 }
		);
	});

	it('comes out of gzip', async () => {
		const stream = streamOf(gzipSync(archive('pax'))) as ReadableStream<Uint8Array<ArrayBuffer>>;
		expect(await all(stream.pipeThrough(new DecompressionStream('gzip')))).toHaveLength(7);
	});
});
