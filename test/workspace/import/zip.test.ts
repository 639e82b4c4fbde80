import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readZip } from '#workspace/import/zip.ts';

const text = (value: string) => new TextEncoder().encode(value);

async function paths(data: Uint8Array, maxBytes?: number): Promise<string[]> {
	const result: string[] = [];
	for await (const entry of readZip(data, { maxBytes })) result.push(entry.path);
	return result.sort();
}

describe('a zip', () => {
	it('loses the one folder around everything, and what macOS puts in', async () => {
		expect(
			await paths(
				zipSync({
					'repo/a.txt': text('a'),
					'repo/b/c.txt': text('c'),
					'__MACOSX/repo/._a.txt': text('x'),
					'repo/.DS_Store': text('x')
				})
			)
		).toEqual(['a.txt', 'b/c.txt']);
	});

	it('keeps folders where there are several', async () => {
		expect(await paths(zipSync({ 'one/a': text('a'), 'two/b': text('b') }))).toEqual(['one/a', 'two/b']);
	});

	it('that is none says so', async () => {
		await expect(paths(text('hello, this is text'))).rejects.toMatchObject({ code: 'not_a_zip' });
	});

	it('that is cut off is damaged', async () => {
		await expect(paths(zipSync({ a: text('hello'.repeat(100)) }).slice(0, 60))).rejects.toMatchObject({
			code: 'damaged'
		});
	});

	it('that climbs out is refused', async () => {
		await expect(paths(zipSync({ '../../evil': text('x') }))).rejects.toMatchObject({ code: 'damaged' });
	});

	it('that unpacks to more than fits is refused before it does', async () => {
		const bomb = zipSync({ a: new Uint8Array(1024 * 1024) });
		await expect(paths(bomb, bomb.length * 2)).rejects.toMatchObject({ code: 'too_large' });
	});
});
