import { afterEach, expect, it, vi } from 'vitest';
import type { DirEntry, ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { FileTree } from '#page/workbench/files/file-tree.svelte.ts';

const COUNT = 3_000;
let tell: (change: FileChange) => void = () => {};
const entries: DirEntry[] = [
	...Array.from({ length: COUNT }, (_, index): DirEntry => ({
		path: `f${index}`,
		kind: 'file',
		size: 1,
		mode: 0o644,
		modifiedMs: 0
	})),
	{ path: 'src', kind: 'directory', size: 0, mode: 0o755, modifiedMs: 0 }
];
const listDirectory = vi.fn((path: string) => Promise.resolve(path === '.' ? [...entries] : []));
const environment = {
	workingDirectory: () => '/workspace',
	onChange: (listener: typeof tell) => {
		tell = listener;
		return () => (tell = () => {});
	},
	listDirectory
} as unknown as ExecutionEnvironment;
const tree = new FileTree(environment);
afterEach(() => tree.leave());

it('shows the first of a folder with very many entries, more when asked, and any that is opened', async () => {
	await tree.start();
	expect(tree.rows).toHaveLength(501);
	expect(tree.rows[0]).toMatchObject({ path: 'src', kind: 'directory' });
	const more = tree.rows.at(-1);
	expect(more).toMatchObject({ kind: 'more', name: String(COUNT - 499) });
	if (more) tree.showMore(more);
	expect(tree.rows).toHaveLength(1_001);
	await tree.reveal('f999');
	tell({ seq: 1, path: '/workspace/f999', kind: 'write', mode: 0o100644 });
	await vi.waitFor(() => expect(tree.rows.map(({ path }) => path)).toContain('f999'));
	expect(tree.rows).toHaveLength(1_002);
	// The opened entry is one of them, in addition to those shown.
	expect(tree.rows.at(-1)).toMatchObject({ kind: 'more', name: String(COUNT - 1_000) });
});

it('reveals what lies in a folder that no listing has yet', async () => {
	await tree.start();
	entries.push({ path: 'renamed', kind: 'directory', size: 0, mode: 0o755, modifiedMs: 0 });
	await tree.reveal('renamed/');
	expect(tree.rows.find(({ path }) => path === 'renamed')).toMatchObject({ kind: 'directory', expanded: true });
});
