import { describe, expect, it } from 'vitest';
import type { FileChange } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import type { TreeEntry } from '#environment/tree/entry.ts';
import { Journal, type JournalTree } from '#environment/tree/journal.ts';
import { TreeSnapshots } from '#environment/tree/snapshots.ts';

const ROOT = '/workspace';

const entryOf = (content: string | null, inode: number): TreeEntry => ({
	kind: 'file',
	mode: 0o644,
	size: content?.length ?? 1e12,
	inode: BigInt(inode),
	modifiedNs: 1n,
	changedNs: 1n
});

/** Files in memory; content `null` means too large to be read. */
function treeOf(files: Map<string, string | null>): JournalTree & { reads: string[] } {
	const reads: string[] = [];
	return {
		reads,
		walk: async () => new Map([...files].map(([path, content], index) => [path, entryOf(content, index + 1)])),
		stat: async () => undefined,
		read: async (path) => {
			reads.push(path);
			const content = files.get(path.slice(ROOT.length + 1));
			if (content === null) throw new EnvironmentError('EFBIG', 'too large', path);
			return content === undefined ? undefined : new TextEncoder().encode(content);
		}
	};
}

describe('the journal of a tree', () => {
	it('reads the next changed file only when its listeners have room', async () => {
		const files = new Map<string, string | null>();
		const tree = treeOf(files);
		const journal = new Journal(ROOT, tree);
		await journal.start();
		for (const name of ['a', 'b', 'c']) files.set(name, name);
		const doors: (() => void)[] = [];
		journal.subscribe(() => new Promise<void>((resolve) => doors.push(resolve)));
		const scan = journal.scan();
		for (const read of [1, 2, 3]) {
			await expect.poll(() => doors.length).toBe(read);
			expect(tree.reads).toHaveLength(read);
			doors[read - 1]?.();
		}
		await scan;
	});

	it('goes on after a file that is too large to be read, and after a listener that fails', async () => {
		const files = new Map<string, string | null>();
		const journal = new Journal(ROOT, treeOf(files));
		await journal.start();
		for (const name of ['a', 'b', 'c']) files.set(name, name === 'b' ? null : name);
		const heard: FileChange[] = [];
		journal.subscribe(() => Promise.reject(new Error('the fault of a listener')));
		journal.subscribe((change) => void heard.push(change));
		await journal.scan();
		expect(heard.map(({ path }) => path)).toEqual(['/workspace/a', '/workspace/c']);
	});
});

describe('snapshots of a tree with a limit of memory', () => {
	const contents = ['x'.repeat(60), 'y'.repeat(60), 'z'.repeat(60)];
	const filesOf = (): Map<string, string | null> => new Map(contents.map((content, index) => [`${index}`, content]));

	it('read a content again that is no longer held', async () => {
		const tree = treeOf(filesOf());
		const snapshots = new TreeSnapshots(ROOT, tree, 130);
		const { entries } = await snapshots.take();
		expect(tree.reads).toHaveLength(3);
		for (const [index, content] of contents.entries())
			expect(new TextDecoder().decode(await snapshots.read(entries.get(`${index}`)?.blob ?? ''))).toBe(content);
		expect(tree.reads).toHaveLength(4);
	});

	it('say that a content is gone instead of giving another', async () => {
		const files = filesOf();
		const snapshots = new TreeSnapshots(ROOT, treeOf(files), 130);
		const { entries } = await snapshots.take();
		for (const name of files.keys()) files.set(name, 'another content');
		const read = async (index: number): Promise<string> =>
			new TextDecoder().decode(await snapshots.read(entries.get(`${index}`)?.blob ?? ''));
		// Which two of them are kept depends on whose hash is ready last.
		const found = await Promise.allSettled(contents.map((_, index) => read(index)));
		const gone = found.filter(({ status }) => status === 'rejected');
		expect(gone).toHaveLength(1);
		for (const [index, each] of found.entries())
			if (each.status === 'fulfilled') expect(each.value).toBe(contents[index]);
			else expect(String(each.reason)).toContain('No snapshot taken here holds');
	});
});
