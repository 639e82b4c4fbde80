import { randomBytes } from 'node:crypto';
import { unzipSync } from 'fflate';
import { expect, it } from 'vitest';
import { inTime } from '#test/in-time.ts';
import { zipOf } from '#workspace/zip.ts';

/** Zip of these contents by path. */
async function zipped(files: Record<string, Uint8Array>): Promise<Uint8Array> {
	const tree = new Map(Object.keys(files).map((path) => [path, { mode: 0o100644, blob: path }]));
	return inTime(
		zipOf(tree, async ({ blob }) => files[blob]!),
		'the zip'
	);
}

/** Paths whose contents differ; comparing large ones byte by byte as values takes seconds. */
function different(expected: Record<string, Uint8Array>, archive: Uint8Array): string[] {
	const found = unzipSync(archive);
	const paths = new Set([...Object.keys(expected), ...Object.keys(found)]);
	const none = new Uint8Array(1);
	return [...paths].filter((path) => Buffer.compare(expected[path] ?? none, found[path] ?? none) !== 0);
}

it('has every file as it was, small or large, however little it can be compressed', async () => {
	const files = {
		'empty.txt': new Uint8Array(),
		'src/random.bin': new Uint8Array(randomBytes(400_000)),
		'src/a.txt': new TextEncoder().encode('one\n'),
		'ü/small.bin': new Uint8Array(randomBytes(50_000)),
		'zeros.bin': new Uint8Array(1_000_000),
		'z.txt': new TextEncoder().encode('last\n')
	};
	const archive = await zipped(files);
	expect(different(files, archive)).toEqual([]);
	expect(archive.length).toBeLessThan(460_000);
});

it('is one of many small files too', async () => {
	const files = Object.fromEntries(
		Array.from({ length: 1_000 }, (_, at) => [`folder/${at}.bin`, new Uint8Array(randomBytes(100))])
	);
	expect(different(files, await zipped(files))).toEqual([]);
});

it('is not made where a file cannot be read, or has a path that no zip can hold', async () => {
	const tree = new Map([['a.txt', { mode: 0o100644, blob: '1' }]]);
	const lost = new Error('The content is lost.');
	await expect(zipOf(tree, () => Promise.reject(lost))).rejects.toBe(lost);
	await expect(zipped({ ['x'.repeat(70_000)]: new Uint8Array(1) })).rejects.toThrow('filename too long');
});

it('leaves the thread to other work while it compresses', async () => {
	const files = Object.fromEntries(
		Array.from({ length: 40 }, (_, at) => [`${at}`, new Uint8Array(randomBytes(200_000))])
	);
	const order: string[] = [];
	const other = new Promise<void>((resolve) =>
		setTimeout(() => {
			order.push('other work');
			resolve();
		})
	);
	await zipped(files);
	order.push('zip');
	await other;
	expect(order).toEqual(['other work', 'zip']);
});
