import { describe, expect } from 'vitest';
import { codeOf, entriesOf, type EnvironmentOf, type ItWith } from './checks.ts';

export function describeOverlay(environmentOf: EnvironmentOf, itWith: ItWith): void {
	describe('an overlay', () => {
		itWith('overlay', 'keeps writes and commands to itself until it is merged', async () => {
			const base = environmentOf();
			await base.load(entriesOf({ 'a.txt': 'a\n', 'gone.txt': 'g\n' }));
			const overlay = await base.overlay();
			try {
				expect(await overlay.readFile('a.txt')).toBe('a\n');
				expect(overlay.workingDirectory()).toMatch(/^\//);
				await overlay.writeFile('a.txt', 'changed\n');
				await overlay.exec('echo new > d.txt; rm gone.txt');
				expect((await overlay.exec('cat a.txt d.txt')).stdout).toBe('changed\nnew\n');
				expect(await base.readFile('a.txt')).toBe('a\n');
				expect(await base.fileExists('d.txt')).toBe(false);
				expect(await base.fileExists('gone.txt')).toBe(true);
				const changes = [
					{ path: 'a.txt', kind: 'modified' },
					{ path: 'd.txt', kind: 'added' },
					{ path: 'gone.txt', kind: 'removed' }
				];
				expect(await overlay.changes()).toEqual(changes);
				expect(await overlay.merge()).toEqual({ merged: changes, conflicts: [] });
				expect(await base.readFile('a.txt')).toBe('changed\n');
				expect(await base.readFile('d.txt')).toBe('new\n');
				expect(await base.fileExists('gone.txt')).toBe(false);
				expect(await overlay.changes()).toEqual([]);
			} finally {
				await overlay.cleanup();
			}
		});

		itWith('overlay', 'leaves a path both sides changed as the base has it, and says so', async () => {
			const base = environmentOf();
			await base.load(entriesOf({ 'both.txt': '0', 'same.txt': '0', 'mine.txt': '0' }));
			const overlay = await base.overlay();
			try {
				await overlay.writeFile('both.txt', 'overlay');
				await base.writeFile('both.txt', 'base');
				await overlay.writeFile('same.txt', 'equal');
				await base.writeFile('same.txt', 'equal');
				await overlay.writeFile('mine.txt', 'overlay');
				const { merged, conflicts } = await overlay.merge();
				expect(conflicts).toEqual([{ path: 'both.txt', kind: 'modified' }]);
				expect(merged).toContainEqual({ path: 'mine.txt', kind: 'modified' });
				expect(await base.readFile('both.txt')).toBe('base');
				expect(await base.readFile('same.txt')).toBe('equal');
				expect(await base.readFile('mine.txt')).toBe('overlay');
			} finally {
				await overlay.cleanup();
			}
		});

		itWith('overlay', 'merges some paths, over the base’s where told so, and drops others', async () => {
			const base = environmentOf();
			await base.load(entriesOf({ 'a.txt': '0', 'b.txt': '0', 'c.txt': '0' }));
			const overlay = await base.overlay();
			try {
				await overlay.exec('echo overlay | tee a.txt b.txt c.txt new.txt');
				await base.writeFile('a.txt', 'base');
				await base.writeFile('b.txt', 'base');
				const paths = async () => (await overlay.changes()).map(({ path }) => path);
				expect((await overlay.conflicts()).map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
				const { common } = overlay;
				await overlay.merge({ paths: ['c.txt'] });
				expect(await base.readFile('c.txt')).toBe('overlay\n');
				expect(overlay.common.id).not.toBe(common.id);
				expect(await paths()).toEqual(['a.txt', 'b.txt', 'new.txt']);
				await overlay.drop(['b.txt', 'new.txt']);
				expect(await overlay.readFile('b.txt')).toBe('base');
				expect(await overlay.fileExists('new.txt')).toBe(false);
				expect(await paths()).toEqual(['a.txt']);
				expect((await overlay.merge({ paths: ['a.txt'], overwrite: true })).conflicts).toEqual([]);
				expect(await base.readFile('a.txt')).toBe('overlay\n');
				expect(await paths()).toEqual([]);
			} finally {
				await overlay.cleanup();
			}
		});

		itWith('overlay', 'that is brought back knows what both had when they were last the same', async () => {
			const base = environmentOf();
			await base.load(entriesOf({ 'a.txt': '0' }));
			const common = await base.snapshot();
			await base.writeFile('a.txt', 'base');
			const overlay = await base.overlay(common);
			try {
				await overlay.writeFile('a.txt', 'overlay');
				expect(await overlay.conflicts()).toEqual([{ path: 'a.txt', kind: 'modified' }]);
			} finally {
				await overlay.cleanup();
			}
		});

		itWith('overlay', 'is thrown away by cleanup, the base lives on', async () => {
			const base = environmentOf();
			await base.writeFile('a.txt', 'a');
			const overlay = await base.overlay();
			await overlay.writeFile('a.txt', 'b');
			await overlay.cleanup();
			expect(await codeOf(overlay.readFile('a.txt'))).toBe('ECLOSED');
			expect(await base.readFile('a.txt')).toBe('a');
		});
	});
}
