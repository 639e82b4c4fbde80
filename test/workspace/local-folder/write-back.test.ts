import { describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { Mode } from '#environment/mode.ts';
import type { PathDifference } from '#workspace/contract.ts';
import { planWriteBack, writeBack } from '#workspace/local-folder/write-back.ts';
import { folderWith } from './disk.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const contents = new Map<string, string>();

/** A path that was imported with one text and has another now; `null` if the file does not exist. */
async function difference(
	path: string,
	before: string | null,
	after: string | null,
	mode: number = Mode.file
): Promise<PathDifference> {
	const side = async (text: string | null) => {
		if (text === null) return null;
		const blob = await blobId(bytes(text));
		contents.set(blob, text);
		return { blob, mode };
	};
	return { path, before: await side(before), after: await side(after) };
}

const readBlob = (id: string) => Promise.resolve(bytes(contents.get(id) ?? ''));

const DISK = { same: 'old', gone: 'old', done: 'new', edited: 'theirs', 'd/inner': 'x' };
const changes = () =>
	Promise.all([
		difference('same', 'old', 'new'),
		difference('gone', 'old', null),
		difference('done', 'old', 'new'),
		difference('removed-too', 'old', null),
		difference('edited', 'old', 'ours'),
		difference('made/file', null, 'new'),
		difference('d', null, 'a file where a folder is'),
		difference('link', null, 'target', Mode.symlink)
	]);

describe('writing back to a folder', () => {
	it('is planned by what the disk has now', async () => {
		const folder = await folderWith(DISK);
		const plan = await planWriteBack(folder.handle, await changes());
		const paths = Object.fromEntries(
			Object.entries(plan).map(([kind, each]) => [kind, (each as PathDifference[]).map(({ path }) => path)])
		);
		expect(paths).toEqual({
			write: ['same', 'made/file'],
			remove: ['gone'],
			already: ['done', 'removed-too'],
			conflicts: ['edited', 'd'],
			links: ['link']
		});
		expect(folder.files).toEqual(DISK);
	});

	it('changes nothing that was changed on disk, and counts it', async () => {
		const folder = await folderWith(DISK);
		expect(await writeBack(folder.handle, await changes(), new Set(), readBlob)).toEqual({
			written: 2,
			removed: 1,
			left: 2
		});
		expect(folder.files).toEqual({ same: 'new', done: 'new', edited: 'theirs', 'd/inner': 'x', 'made/file': 'new' });
	});

	it('overwrites what the user chose, and nothing else', async () => {
		const folder = await folderWith(DISK);
		const written = await writeBack(folder.handle, await changes(), new Set(['edited']), readBlob);
		expect(written).toEqual({ written: 3, removed: 1, left: 1 });
		expect(folder.files['edited']).toBe('ours');
		expect(folder.files['d/inner']).toBe('x');
	});

	it('removes what the user chose although it changed on disk', async () => {
		const folder = await folderWith({ a: 'theirs', b: 'theirs' });
		const all = await Promise.all([difference('a', 'old', null), difference('b', 'old', null)]);
		expect(await writeBack(folder.handle, all, new Set(['a']), readBlob)).toEqual({ written: 0, removed: 1, left: 1 });
		expect(folder.files).toEqual({ b: 'theirs' });
	});

	it('does not miss what another program removed meanwhile', async () => {
		const folder = await folderWith({ a: 'old', b: 'old' });
		const all = await Promise.all([difference('a', 'old', null), difference('b', 'old', null)]);
		const { removeEntry } = folder;
		folder.removeEntry = async (name) => {
			await removeEntry.call(folder, name);
			folder.inside.delete('b');
		};
		expect(await writeBack(folder.handle, all, new Set(), readBlob)).toEqual({ written: 0, removed: 1, left: 0 });
		expect(folder.files).toEqual({});
	});

	it('puts a file where a folder was, and a folder where a file was', async () => {
		const folder = await folderWith({ 'a/x': 'old', b: 'old' });
		const all = await Promise.all([
			difference('a', null, 'file now'),
			difference('a/x', 'old', null),
			difference('b/y', null, 'deep now'),
			difference('b', 'old', null)
		]);
		const first = await writeBack(folder.handle, all, new Set(['a', 'b/y']), readBlob);
		expect(first).toEqual({ written: 2, removed: 2, left: 0 });
		expect(folder.files).toEqual({ a: 'file now', 'b/y': 'deep now' });
	});
});
