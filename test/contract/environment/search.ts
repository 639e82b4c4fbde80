import { describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { entriesOf, type EnvironmentOf } from './checks.ts';

export function describeSearch(environmentOf: EnvironmentOf): void {
	describe('search', () => {
		const files = {
			'src/a.ts': 'const needle = 1;\nother\nneedle again\n',
			'src/b.js': 'nothing here\nNEEDLE in capitals\n',
			'src/deep/c.ts': 'foo.bar(baz)\n',
			'ignored/d.ts': 'needle\n',
			'notes.md': 'one needle, two needle\n',
			'.hidden.ts': 'nothing\n',
			'.gitignore': 'ignored/\n'
		};

		it('finds lines with path and number', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf(files));
			const lines = (await environment.grep('needle', '.')).trim().split('\n').sort();
			expect(lines.map((line) => line.replace(/^\.\//, ''))).toEqual([
				'notes.md:1:one needle, two needle',
				'src/a.ts:1:const needle = 1;',
				'src/a.ts:3:needle again'
			]);
			expect(await environment.grep('absent-text', '.')).toBe('');
		});

		it('searches one file', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf(files));
			expect((await environment.grep('again', 'src/a.ts')).trim()).toMatch(/^(src\/a\.ts:)?3:needle again$/);
		});

		it('takes the options ripgrep has', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf(files));
			const search = async (...args: Parameters<ExecutionEnvironment['grep']>): Promise<string[]> =>
				(await environment.grep(...args))
					.trim()
					.split('\n')
					.map((line) => line.replace(/^\.\//, ''))
					.sort();
			expect(await search('needle', '.', { output: 'files' })).toEqual(['notes.md', 'src/a.ts']);
			expect(await search('needle', '.', { output: 'count' })).toEqual(['notes.md:1', 'src/a.ts:2']);
			expect(await search('needle', '.', { output: 'files', globs: ['*.md'] })).toEqual(['notes.md']);
			expect(await search('needle', '.', { output: 'files', caseInsensitive: true })).toContain('src/b.js');
			expect(await search('foo.bar(', '.', { literal: true, output: 'files' })).toEqual(['src/deep/c.ts']);
			expect(await search('foo\\.bar\\(', '.', { output: 'files' })).toEqual(['src/deep/c.ts']);
			expect(await search('two \\w+', '.', { onlyMatching: true })).toEqual(['notes.md:1:two needle']);
			expect(await search('needle', '.', { output: 'files', type: 'ts' })).toEqual(['src/a.ts']);
			expect(await environment.grep('other', 'src', { before: 1, after: 1 })).toMatch(
				/a\.ts-1-const needle = 1;\n.*a\.ts:2:other\n.*a\.ts-3-needle again/
			);
			expect((await environment.grep('needle', '.', { maxLines: 1 })).trim().split('\n')).toHaveLength(1);
			expect(await environment.grep('other\nneedle', 'src', { multiline: true })).toMatch(/other/);
		});

		it('skips binary files', async () => {
			const environment = environmentOf();
			await environment.writeFile(
				'pic.png',
				new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, ...[...'needle'].map((c) => c.charCodeAt(0))])
			);
			await environment.writeFile('text.txt', 'needle\n');
			expect(await environment.grep('needle', '.', { output: 'files' })).toMatch(/^(\.\/)?text\.txt\n$/);
		});

		it('finds files by pattern, newest first, hidden but not ignored', async () => {
			const environment = environmentOf();
			await environment.load(entriesOf(files));
			await environment.exec('sleep 0.05');
			await environment.writeFile('src/deep/newest.ts', '');
			const root = environment.workingDirectory();
			const found = await environment.glob('**/*.ts', '.');
			expect(found[0]).toBe(`${root}/src/deep/newest.ts`);
			expect([...found].sort()).toEqual([
				`${root}/.hidden.ts`,
				`${root}/src/a.ts`,
				`${root}/src/deep/c.ts`,
				`${root}/src/deep/newest.ts`
			]);
			expect(await environment.glob('*.md', '.')).toEqual([`${root}/notes.md`]);
			expect(await environment.glob('*.ts', 'src')).toEqual([`${root}/src/a.ts`]);
			expect(await environment.glob('**/*.none', '.')).toEqual([]);
			expect(await environment.glob('**/*.{js,md}', '.')).toHaveLength(2);
		});
	});
}
