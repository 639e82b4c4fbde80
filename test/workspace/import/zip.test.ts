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
					'repo/.DS_Store': text('x'),
					'repo/b/.DS_Store': text('x'),
					'repo/my.DS_Store': text('x'),
					'repo/.DS_Store.txt': text('x'),
					'repo/empty/': text('')
				})
			)
		).toEqual(['.DS_Store.txt', 'a.txt', 'b/c.txt', 'my.DS_Store']);
	});

	it('loses what macOS puts in beside its files too', async () => {
		expect(await paths(zipSync({ '.DS_Store': text('x'), 'a.txt': text('a') }))).toEqual(['a.txt']);
	});

	it('is unpacked only where it is chosen: damage elsewhere does not matter', async () => {
		const data = zipSync({ 'good/a': text('a'), 'bad/b': text('hello'.repeat(100)) });
		// The second file's content follows its name; a header contains the time, so its bytes vary.
		const content = Buffer.from(data).indexOf('bad/b') + 'bad/b'.length;
		data.fill(0xff, content, content + 4);
		const read = async (folders: string[]) => {
			for await (const { path } of readZip(data, { folders })) return path;
			return null;
		};
		expect(await read(['good'])).toBe('good/a');
		await expect(read(['bad'])).rejects.toMatchObject({ code: 'damaged' });
	});

	it('keeps folders where there are several', async () => {
		expect(await paths(zipSync({ 'one/a': text('a'), 'two/b': text('b') }))).toEqual(['one/a', 'two/b']);
		expect(await paths(zipSync({ 'one/a': text('a'), one2: text('b') }))).toEqual(['one/a', 'one2']);
		expect(await paths(zipSync({ top: text('a'), 'one/b': text('b') }))).toEqual(['one/b', 'top']);
	});

	it('that is none says so', async () => {
		for (const none of ['hello, this is text', 'P', 'PJ', 'QK', ''])
			await expect(paths(text(none))).rejects.toMatchObject({ code: 'not_a_zip' });
	});

	it('gives each file its bytes, out of a blob too, and takes the paths of Windows', async () => {
		const data = new Blob([new Uint8Array(zipSync({ 'repo\\src\\a.txt': text('one'), 'repo/.//b.txt': text('two') }))]);
		const found: [string, number, string][] = [];
		for await (const { path, mode, bytes } of readZip(data)) found.push([path, mode, new TextDecoder().decode(bytes)]);
		expect(found.sort()).toEqual([
			['b.txt', 0o100644, 'two'],
			['src/a.txt', 0o100644, 'one']
		]);
	});

	it('of nothing but what is left out has no files', async () => {
		expect(await paths(zipSync({ '__MACOSX/x': text('x'), 'folder/': text('') }))).toEqual([]);
	});

	it('that a page cannot hold is refused unread', async () => {
		const huge = Object.assign(new Blob([]), { arrayBuffer: () => Promise.reject(new Error('was read')) });
		const sized = (size: number): Blob => Object.defineProperty(huge, 'size', { value: size, configurable: true });
		await expect(readZip(sized(1024 ** 3 + 1)).next()).rejects.toMatchObject({
			code: 'too_large',
			detail: '1073741825 bytes'
		});
		await expect(readZip(sized(1024 ** 3)).next()).rejects.toThrow('was read');
	});

	it('that is cut off is damaged', async () => {
		await expect(paths(zipSync({ a: text('hello'.repeat(100)) }).slice(0, 60))).rejects.toMatchObject({
			code: 'damaged'
		});
	});

	it('that climbs out is refused', async () => {
		await expect(paths(zipSync({ '../../evil': text('x') }))).rejects.toMatchObject({
			code: 'damaged',
			detail: expect.stringMatching(/^A path is refused, because .+: \.\.\/\.\.\/evil$/)
		});
	});

	it('that unpacks to more than fits is refused before it does', async () => {
		const bomb = zipSync({ a: new Uint8Array(1024 * 1024) });
		await expect(paths(bomb, bomb.length * 2)).rejects.toMatchObject({
			code: 'too_large',
			detail: '1048576 bytes unpacked'
		});
		await expect(paths(bomb, 1024 * 1024 - 1)).rejects.toMatchObject({ code: 'too_large' });
		expect(await paths(bomb, 1024 * 1024)).toEqual(['a']);
	});
});
