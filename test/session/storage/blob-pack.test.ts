import { describe, expect, it, vi } from 'vitest';
import { blobId, fromHex } from '#environment/blob-id.ts';
import { BlobPack } from '#session/storage/blob-pack.ts';
import { MemoryFile } from '#session/storage/memory-file.ts';

const HEADER_BYTES = 28;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array | null): string | null => content && new TextDecoder().decode(content);
const blobOf = async (content: string | Uint8Array) => {
	const data = typeof content === 'string' ? bytes(content) : content;
	return { id: await blobId(data), bytes: data };
};
const idOf = (content: string) => blobId(bytes(content));

/** A record in the format of the file. */
function record(id: string, content: Uint8Array, length = content.length): Uint8Array {
	const header = new Uint8Array(HEADER_BYTES);
	header.set(bytes('SGB1'));
	new DataView(header.buffer).setUint32(4, length);
	header.set(fromHex(id), 8);
	return new Uint8Array(Buffer.concat([header, content, bytes('\n')]));
}
const whole = async (content: string) => record(await idOf(content), bytes(content));

/** A file that fails a test in which it is read endlessly. */
class WatchedFile extends MemoryFile {
	#reads = 0;

	override async read(offset: number, length: number): Promise<Uint8Array> {
		if (++this.#reads > 500) throw new Error('The file is read again and again.');
		return super.read(offset, length);
	}
}
async function fileOf(...parts: Uint8Array[]): Promise<MemoryFile> {
	const file = new WatchedFile();
	for (const part of parts) await file.append(part);
	return file;
}
/** A pack with these contents, and the sizes of later writes to it. */
async function packOf(...contents: (string | Uint8Array)[]) {
	const file = new WatchedFile();
	const pack = await BlobPack.open(file);
	await pack.add(await Promise.all(contents.map(blobOf)));
	const append = vi.spyOn(file, 'append');
	return { file, pack, written: () => append.mock.calls.map(([part]) => part.length) };
}

describe('a pack of contents', () => {
	it('gives back what was added after others were read', async () => {
		const { pack } = await packOf('one');
		expect(text(await pack.read(await idOf('one')))).toBe('one');
		await pack.add([await blobOf('two')]);
		expect(text(await pack.read(await idOf('two')))).toBe('two');
	});

	it('has each content once, in one write, and gives it back, also after it was opened again', async () => {
		const file = new MemoryFile();
		const pack = await BlobPack.open(file);
		const append = vi.spyOn(file, 'append');
		const [one, two] = await Promise.all(['one', 'the second'].map(blobOf));
		if (!one || !two) throw new Error('There are two.');
		await pack.add([one, two, one]);
		await pack.add([two]);
		await pack.add([]);
		expect(append.mock.calls.map(([part]) => [...part])).toEqual([
			[...(await whole('one')), ...(await whole('the second'))]
		]);
		const keepEnd = vi.fn();
		for (const each of [pack, await BlobPack.open(file, keepEnd)]) {
			expect([each.count, each.has(one.id), each.has(await idOf('none'))]).toEqual([2, true, false]);
			expect([text(await each.read(one.id)), text(await each.read(two.id))]).toEqual(['one', 'the second']);
			expect(await each.read(await idOf('none'))).toBeNull();
			await each.add([one, two]);
		}
		expect(append).toHaveBeenCalledTimes(1);
		expect(keepEnd).not.toHaveBeenCalled();
	});

	it('looks among all contents for one whose id was damaged, once another shows the damage', async () => {
		const [wrong, right] = [await idOf('wrong'), await idOf('right')];
		const pack = await BlobPack.open(await fileOf(record(wrong, bytes('right')), await whole('other')));
		expect(await pack.read(wrong)).toBeNull();
		expect(text(await pack.read(right))).toBe('right');
		expect(text(await pack.read(right))).toBe('right');
		expect(text(await pack.read(await idOf('other')))).toBe('other');
	});

	it('finds contents whose ids were swapped', async () => {
		const [one, two] = [await idOf('one'), await idOf('two')];
		const pack = await BlobPack.open(await fileOf(record(one, bytes('two')), record(two, bytes('one'))));
		expect([text(await pack.read(one)), text(await pack.read(two))]).toEqual(['one', 'two']);
	});

	it('reads nothing for a content that it does not have', async () => {
		const { file, pack } = await packOf('one', 'two');
		const read = vi.spyOn(file, 'read');
		expect(await pack.read(await idOf('three'))).toBeNull();
		expect(read).not.toHaveBeenCalled();
	});

	it('has a content again that was damaged, and not one that is whole', async () => {
		const damaged = record(await idOf('one'), bytes('uno'));
		const file = await fileOf(damaged, await whole('two'));
		const pack = await BlobPack.open(file);
		const append = vi.spyOn(file, 'append');
		await pack.add(await Promise.all(['one', 'two'].map(blobOf)));
		expect(append.mock.calls.map(([part]) => [...part])).toEqual([[...(await whole('one'))]]);
		expect(text(await pack.read(await idOf('one')))).toBe('one');
		expect(text(await (await BlobPack.open(file)).read(await idOf('one')))).toBe('one');
	});

	it('skips what does not begin as a record does', async () => {
		const other = await whole('one');
		other[3] = 0x32;
		const pack = await BlobPack.open(await fileOf(other, await whole('two')));
		expect([pack.count, pack.has(await idOf('one')), text(await pack.read(await idOf('two')))]).toEqual([
			1,
			false,
			'two'
		]);
	});

	it('is flushed and closed with its file', async () => {
		const { file, pack } = await packOf('one');
		const [flush, close] = [vi.spyOn(file, 'flush'), vi.spyOn(file, 'close')];
		await pack.flush();
		await pack.close();
		expect([flush.mock.calls.length, close.mock.calls.length]).toEqual([1, 1]);
	});
});

describe('a damaged pack', () => {
	it('loses its torn end, which is given away, and goes on from there', async () => {
		const torn = (await whole('two')).slice(0, -1);
		for (const keepEnd of [vi.fn(async () => undefined), undefined]) {
			const file = await fileOf(await whole('one'), torn);
			const pack = await BlobPack.open(file, keepEnd);
			if (keepEnd) expect(keepEnd.mock.calls).toEqual([[torn]]);
			expect([pack.count, file.size()]).toEqual([1, (await whole('one')).length]);
			await pack.add([await blobOf('two')]);
			expect((await BlobPack.open(file)).count).toBe(2);
		}
	});

	it('has the contents that a damaged length would skip, and not the one that it belongs to', async () => {
		const skipped = await whole('skipped');
		const damaged = record(await idOf('one'), bytes('one'), 'one\n'.length + skipped.length - 1);
		const pack = await BlobPack.open(await fileOf(damaged, skipped, bytes('torn')));
		expect([pack.count, pack.has(await idOf('one'))]).toEqual([1, false]);
		expect(text(await pack.read(await idOf('skipped')))).toBe('skipped');
	});

	it('takes nothing for a content that only looks like one, within a content or between two', async () => {
		const inner = await whole('inner');
		const outer = record(await blobId(inner), inner);
		const looksAlike = record(await idOf('x'), bytes('y'));
		const file = await fileOf(outer, bytes('?'), looksAlike, bytes('?'), await whole('last'));
		const pack = await BlobPack.open(file);
		expect([pack.count, pack.has(await idOf('inner')), pack.has(await idOf('x'))]).toEqual([2, false, false]);
		expect(text(await pack.read(await idOf('last')))).toBe('last');
	});

	it('has what follows a long damage, wherever that ends', async () => {
		for (const length of [999_997, 999_999, 1_000_000]) {
			const pack = await BlobPack.open(await fileOf(new Uint8Array(length), await whole('behind')));
			expect(text(await pack.read(await idOf('behind')))).toBe('behind');
		}
	});
});

describe('contents that are copied', () => {
	it('are in the other pack at once and after it was opened again, neighbours in one write', async () => {
		const { pack: from } = await packOf('a', 'bb', 'ccc', 'not asked for', 'dddd', 'eeeee');
		const { file, pack: to, written } = await packOf('there', 'eeeee');
		const wanted = ['bb', 'ccc', 'dddd', 'eeeee', 'in neither'];
		await from.copy(new Set(await Promise.all(wanted.map(idOf))), to);
		expect(written()).toEqual([2 * (HEADER_BYTES + 1) + 5, HEADER_BYTES + 4 + 1]);
		for (const pack of [to, await BlobPack.open(file)]) {
			expect(pack.count).toBe(5);
			for (const content of ['there', 'bb', 'ccc', 'dddd', 'eeeee'])
				expect(text(await pack.read(await idOf(content)))).toBe(content);
			expect(pack.has(await idOf('a'))).toBe(false);
		}
		await from.copy(new Set(), to);
		expect(written()).toHaveLength(2);
	});

	it('are held in memory in parts of some megabytes', async () => {
		const contents = Array.from({ length: 7 }, (_, at) => new Uint8Array(1_000_000).fill(at));
		const { pack: from } = await packOf(...contents);
		const { pack: to, written } = await packOf();
		const ids = await Promise.all(contents.map((content) => blobId(content)));
		await from.copy(new Set(ids), to);
		const each = 1_000_000 + HEADER_BYTES + 1;
		expect(written()).toEqual([4 * each, 3 * each]);
		for (const [at, id] of ids.entries()) expect((await to.read(id))?.[0]).toBe(at);
	});
});
