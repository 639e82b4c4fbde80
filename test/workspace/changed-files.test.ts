import { expect, it, vi } from 'vitest';
import { Mode } from '#environment/mode.ts';
import { ChangedFiles } from '#workspace/changed-files.ts';
import { ContentLost, MemoryCheckpointStore, type Tree } from '#workspace/checkpoint-store.ts';

/** Blobs are their own ids. */
const tree = (files: Record<string, string>): Tree =>
	new Map(Object.entries(files).map(([path, blob]) => [path, { mode: Mode.file, blob }]));
const isIgnored = (path: string): boolean => path.startsWith('ignored/');

function changedFiles() {
	const readBlob = vi.fn(async (id: string) => new TextEncoder().encode(id));
	return { changed: new ChangedFiles(readBlob), readBlob };
}

it('reads contents again only where a side has changed since', async () => {
	const { changed, readBlob } = changedFiles();
	const before = tree({ a: 'a\n', b: 'b\n', gone: 'x\n' });
	const first = await changed.between(before, tree({ a: 'A\n', b: 'B\n', new: 'n\n' }), isIgnored);
	expect(first).toMatchObject([
		{ path: 'a', kind: 'modified', added: 1, removed: 1 },
		{ path: 'b', kind: 'modified', added: 1, removed: 1 },
		{ path: 'gone', kind: 'removed', added: 0, removed: 1 },
		{ path: 'new', kind: 'added', added: 1, removed: 0 }
	]);
	readBlob.mockClear();
	const now = tree({ a: 'A\n', b: 'B\nB\n', new: 'n\n' });
	const second = await changed.between(before, now, isIgnored);
	expect(readBlob.mock.calls.flat().sort()).toEqual(['B\nB\n', 'b\n']);
	expect(second[1]).toMatchObject({ path: 'b', added: 2, removed: 1 });
	// A page uses these to detect that a difference is unchanged.
	expect(second.map(({ version }, index) => version === first[index]?.version)).toEqual([true, false, true, true]);
	now.set('a', { mode: Mode.executable, blob: 'A\n' });
	expect((await changed.between(before, now, isIgnored))[0]?.version).not.toBe(second[0]?.version);
});

it('leaves out git’s own files and ignored new ones, by the rules of now', async () => {
	const { changed } = changedFiles();
	const before = tree({ '.git/HEAD': '1', 'ignored/imported': '1' });
	const now = tree({ '.git/HEAD': '2', 'ignored/imported': '2', 'ignored/made': '1', made: '1' });
	const paths = async (rules: typeof isIgnored) => (await changed.between(before, now, rules)).map(({ path }) => path);
	expect(await paths(isIgnored)).toEqual(['ignored/imported', 'made']);
	expect(await paths(() => false)).toEqual(['ignored/imported', 'ignored/made', 'made']);
	expect(await paths((path) => path === 'made')).toEqual(['ignored/imported', 'ignored/made']);
	// An ignored file in the import counts as new if changes are counted from other files.
	expect(await changed.between(before, now, isIgnored)).toHaveLength(2);
	expect(await changed.between(new Map(), now, isIgnored)).toMatchObject([{ path: '.git/HEAD' }, { path: 'made' }]);
});

it('lists all of many changes, and reads few of them at once', async () => {
	const { changed, readBlob } = changedFiles();
	let [reading, most] = [0, 0];
	readBlob.mockImplementation(async (id) => {
		most = Math.max(most, ++reading);
		await Promise.resolve();
		reading--;
		return new TextEncoder().encode(id);
	});
	const many = tree(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`${at}`, `${at}\n`])));
	expect(await changed.between(new Map(), many, isIgnored)).toHaveLength(100);
	expect(most).toBe(32);
});

it('lists a file whose content is lost without its lines, and fails with what else prevents reading', async () => {
	const { changed, readBlob } = changedFiles();
	const lost = new ContentLost();
	expect(String(lost)).toMatch(/^ContentLost: The content of a file in this checkpoint is damaged/);
	readBlob.mockRejectedValue(lost);
	expect(await changed.between(tree({ a: 'a' }), tree({ a: 'b' }), isIgnored)).toMatchObject([
		{ path: 'a', kind: 'modified', added: 0, removed: 0, binary: true }
	]);
	readBlob.mockRejectedValue(new Error('no disk'));
	await expect(changed.between(tree({ a: 'a' }), tree({ a: 'c' }), isIgnored)).rejects.toThrow('no disk');
});

it('has no tree in memory that no checkpoint has', async () => {
	const store = new MemoryCheckpointStore(async () => new Uint8Array());
	const checkpoint = { id: '1', tree: 'one', label: '', timestamp: 0, entryId: null };
	await store.addCheckpoint(checkpoint, tree({ a: 'a' }));
	expect(await store.readTree('one')).toEqual(tree({ a: 'a' }));
	await expect(store.readTree('two')).rejects.toThrow('There is no tree two.');
	store.checkpoints().pop();
	expect(store.checkpoints()).toEqual([checkpoint]);
});
