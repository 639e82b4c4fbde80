import { describe, expect, it, vi } from 'vitest';
import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { TimeSlice } from '#environment/time-slice.ts';
import { ChangedFiles } from '#workspace/changed-files.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';
import { ignoreRules, TreeIgnoreRules } from '#environment/ignore-rules.ts';
import { SharedRun } from '#workspace/shared-run.ts';
import { lineCounts } from '#workspace/text.ts';
import { diffLargeTrees, diffTrees } from '#workspace/tree-diff.ts';
import { Updates } from '#workspace/updates.ts';

const FILES = 4_000;
const encoder = new TextEncoder();
const tree = (blob: (index: number) => string, from = 0): Tree =>
	new Map(Array.from({ length: FILES }, (_, index) => [`d/${index + from}`, { mode: 0o100644, blob: blob(index) }]));

describe('a tree of very many files', () => {
	it('is compared in stretches between which other work is done', async () => {
		const pauses = vi.spyOn(TimeSlice.prototype, 'yieldThread');
		// A separate clock: the machine's does not measure the amount of work.
		let now = 0;
		const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 3));
		const changed = new ChangedFiles(() => Promise.resolve(new TextEncoder().encode('a\nb\n')));
		const read = vi.fn(() => Promise.resolve(new TextEncoder().encode('skipped/\n')));
		const after = new Map([...tree(() => 'b', 10), ['.gitignore', { mode: 0o100644, blob: 'rules' }] as const]);
		const rules = new TreeIgnoreRules(read);
		const files = await changed.between(
			tree(() => 'a'),
			after,
			await rules.of(after)
		);
		clock.mockRestore();
		expect(files).toHaveLength(FILES + 11);
		expect(files.filter(({ kind }) => kind === 'removed').map(({ path }) => path)).toHaveLength(10);
		expect(files.find(({ path }) => path === `d/${FILES}`)).toMatchObject({ kind: 'added', added: 2, removed: 0 });
		// 4,000 entries are 125 checks of the clock per pass, with a pause at every third.
		expect(pauses.mock.calls.length).toBeGreaterThan(100);
		pauses.mockRestore();
		await rules.of(new Map(after));
		expect(read).toHaveBeenCalledTimes(1);
	});

	it('is looked at again only where it has changed', async () => {
		const read = vi.fn(() => Promise.resolve(encoder.encode('a\n')));
		const changed = new ChangedFiles(read);
		const isIgnored = vi.fn((path: string) => path === 'd/7');
		const nothing: Tree = new Map();
		const now = tree(() => 'b');
		const first = await changed.between(nothing, now, isIgnored);
		expect([first.length, read.mock.calls.length, isIgnored.mock.calls.length]).toEqual([FILES - 1, FILES - 1, FILES]);
		const later = new Map([...now, ['d/3', { mode: 0o100644, blob: 'c' }]]);
		const second = await changed.between(nothing, later, isIgnored);
		expect([read.mock.calls.length, isIgnored.mock.calls.length]).toEqual([FILES, FILES + 1]);
		expect(second.filter((file, index) => file !== first[index]).map(({ path }) => path)).toEqual(['d/3']);
		// An ignored file in the first tree is shown, and no longer once that tree does not have it.
		const shown = async (before: Tree) => (await changed.between(before, now, isIgnored)).map(({ path }) => path);
		expect(await shown(new Map([['d/7', { mode: 0o100644, blob: 'old' }]]))).toContain('d/7');
		expect(await shown(nothing)).not.toContain('d/7');
	});

	it('gives what a comparison in one go gives', async () => {
		const before: Tree = new Map([...tree((index) => String(index % 7)), ['x', { mode: 0o40000, blob: '' }]]);
		const after: Tree = new Map([...tree((index) => String(index % 5), 3), ['x', { mode: 0o100644, blob: '1' }]]);
		expect(await diffLargeTrees(before, after, () => true)).toEqual(diffTrees(before, after));
		expect(await diffLargeTrees(before, after, ({ kind }) => kind === 'removed')).toHaveLength(3);
	});

	it('ignores what is below an ignored folder, and counts the lines of what is new or gone', () => {
		const isIgnored = ignoreRules(new Map([['.gitignore', '/out\n*.log\n!kept.log\n']]));
		const paths = ['out/a/b', 'out/kept.log', 'a/out/b', 'a/x.log', 'a/kept.log', '.git/config', 'a.git/config'];
		expect(paths.filter(isIgnored)).toEqual(['out/a/b', 'out/kept.log', 'a/x.log', '.git/config']);
		const counts = (before: string, after: string) => {
			const { added, removed, binary } = lineCounts(encoder.encode(before), encoder.encode(after));
			return binary ? 'binary' : `+${added} -${removed}`;
		};
		expect([
			counts('', 'a\nb'),
			counts('', 'a\n'),
			counts('a\n\n', ''),
			counts('', '\n'),
			counts('', ''),
			counts('a\nb\n', 'a\nc'),
			counts('', 'a\0\n'),
			counts('\0', '')
		]).toEqual(['+2 -0', '+1 -0', '+0 -2', '+1 -0', '+0 -0', '+1 -1', 'binary', 'binary']);
	});
});

it('never looks twice at once; who asks meanwhile shares the next look', async () => {
	const ends: ((value: number) => void)[] = [];
	const run = new SharedRun(() => new Promise<number>((resolve) => ends.push(resolve)));
	const first = run.next();
	await vi.waitFor(() => expect(ends).toHaveLength(1));
	const [second, third] = [run.next(), run.next()];
	ends[0]?.(1);
	expect(await first).toBe(1);
	await vi.waitFor(() => expect(ends).toHaveLength(2));
	ends[1]?.(2);
	expect(await Promise.all([second, third])).toEqual([2, 2]);
});

it('tells of further changes only when the work that the last ones caused is done', async () => {
	vi.useFakeTimers();
	try {
		let change = (): void => {};
		const environment = {
			onChange: (listener: (change: FileChange) => void) => {
				change = () => listener({ seq: 1, path: '/a', kind: 'write', mode: 0 });
				return () => {};
			}
		} as unknown as ExecutionEnvironment;
		const updates = new Updates(environment);
		let end = (): void => {};
		let notices = 0;
		updates.listen(() => {
			notices++;
			updates.hold(new Promise<void>((resolve) => (end = resolve)));
		});
		change();
		await vi.advanceTimersByTimeAsync(100);
		expect(notices).toBe(1);
		change();
		await vi.advanceTimersByTimeAsync(5_000);
		expect(notices).toBe(1);
		end();
		// It pauses as long as it was waited for.
		await vi.advanceTimersByTimeAsync(4_000);
		expect(notices).toBe(1);
		await vi.advanceTimersByTimeAsync(1_000);
		expect(notices).toBe(2);
	} finally {
		vi.useRealTimers();
	}
});
