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
