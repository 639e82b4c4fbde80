import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { mergedEntries, type SnapshotEntries } from '#environment/merged-entries.ts';

const paths = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 }).map((all) => all.sort());
const entriesOf = (all: string[], blob: string): SnapshotEntries =>
	all.map((path) => [path, { mode: 0o100644, blob: `${blob} ${path}` }]);

describe('a tree with changes', () => {
	it('is the tree with what arrived in it and what was removed not, in order, whichever way it was made', async () => {
		await fc.assert(
			fc.asyncProperty(paths, paths, paths, fc.boolean(), async (all, gone, fresh, isPlaced) => {
				const arrived = isPlaced ? fresh.filter((path) => all.includes(path)) : fresh;
				const present = new Map(entriesOf(all, 'old'));
				const merged = await mergedEntries(present, new Set(gone), entriesOf(arrived, 'new'));
				const stay = all.filter((path) => !gone.includes(path) && !arrived.includes(path));
				const wanted = [...entriesOf(stay, 'old'), ...entriesOf(arrived, 'new')].sort(([a], [b]) => (a < b ? -1 : 1));
				expect([...merged]).toEqual(wanted);
				// Holders of the earlier snapshot still have its entries.
				expect([...present]).toEqual(entriesOf(all, 'old'));
			})
		);
	});
});
