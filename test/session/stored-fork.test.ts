import { describe, expect, it } from 'vitest';
import { Mode } from '#environment/mode.ts';
import type { StoredSession } from '#session/contract.ts';
import { StoredFork } from '#session/stored-fork.ts';

type Tree = Map<string, { mode: number; blob: string }>;
const tree = (files: Record<string, string>): Tree =>
	new Map(
		Object.entries(files).map(([path, blob]) => [path, { mode: blob === '' ? Mode.directory : Mode.file, blob }])
	);
const readBlob = async (blob: string): Promise<Uint8Array> => new TextEncoder().encode(blob);

/** A session in memory, and what was stored in it, in order. */
function session() {
	const [trees, pages, steps] = [new Map<string, Tree>(), new Map<string, unknown>(), [] as string[]];
	const stored = {
		keepTree: async (id: string, entries: Tree, blobs: readonly string[]) => {
			trees.set(id, entries);
			steps.push(`${id}: ${blobs.join(' ')}`);
		},
		readTree: async (id: string) => trees.get(id) ?? Promise.reject(new Error(`no tree ${id}`)),
		readBlob,
		readPageState: async (key: string) => pages.get(key),
		writePageState: async (key: string, value: unknown) => {
			pages.set(key, value);
			steps.push(`page ${JSON.stringify(value)}`);
		}
	} as unknown as StoredSession;
	return { fork: new StoredFork(stored), again: () => new StoredFork(stored), pages, steps };
}
const contents = (common: Tree, now: Tree, id = 'now') => ({
	common: { id: 'common', entries: common },
	now: { id, entries: now },
	readBlob
});

describe('an open fork', () => {
	it('is there again after a reload, with its files and their contents', async () => {
		const { fork, again } = session();
		const [common, now] = [tree({ a: '1', b: '2' }), tree({ a: '1', c: '3' })];
		await fork.keep(contents(common, now));
		const loaded = await again().load();
		expect(loaded?.common).toEqual({ id: 'common', entries: common });
		expect(loaded?.now).toEqual({ id: 'now', entries: now });
		expect(new TextDecoder().decode(await loaded?.readBlob('3'))).toBe('3');
	});

	it('is stored with the contents that the session does not have, each once, before anything refers to them', async () => {
		const { fork, steps } = session();
		const common = tree({ a: '1' });
		await fork.keep(contents(common, tree({ a: '1', b: '2', same: '2', dir: '' }), 'one'));
		await fork.keep(contents(common, tree({ a: '3', b: '2' }), 'two'));
		expect(steps).toEqual([
			'common: ',
			'one: 2',
			'page {"common":"common","now":"one"}',
			'common: ',
			'two: 3',
			'page {"common":"common","now":"two"}'
		]);
	});

	it('is none once it was ended, or where what is stored is none', async () => {
		const { fork, again, pages } = session();
		expect(await fork.load()).toBeNull();
		await fork.keep(contents(tree({}), tree({})));
		await fork.keep(null);
		expect(await again().load()).toBeNull();
		for (const strange of [{ common: 'common' }, { now: 'now' }, 'fork', { common: 1, now: 2 }]) {
			pages.set('fork', strange);
			expect(await fork.load()).toBeNull();
		}
		pages.set('fork', { common: 'gone', now: 'gone' });
		await expect(fork.load()).rejects.toThrow('no tree gone');
	});
});
