import { describe, expect, it } from 'vitest';
import { entriesOf, type ItWith } from '../environment/checks.ts';
import { detail, PNG, type HarnessOf } from './harness.ts';

/** J.5, J.6 and J.7 of the specification. */
export function describeSearchTools(harnessOf: HarnessOf, itWith: ItWith): void {
	const load = (files: Record<string, string>): Promise<void> => harnessOf().environment.load(entriesOf(files));
	const call = (name: string, args: Record<string, unknown>) => harnessOf().call(name, args);

	describe('grep', () => {
		it('shows file, line and text of a match in one file [J.5-1.1]', async () => {
			await load({ 'file.txt': 'a\nb\nhello world\n' });
			expect((await call('grep', { pattern: 'hello', path: 'file.txt' })).content).toBe('file.txt:3: hello world');
		});

		it('searches a directory [J.5-1.2]', async () => {
			await load({ 'd/a.txt': 'a test\n', 'd/b.txt': 'test b\n', 'd/c.txt': 'nothing\n' });
			const result = await call('grep', { pattern: 'test', path: 'd' });
			expect(result.content.split('\n').sort()).toEqual(['d/a.txt:1: a test', 'd/b.txt:1: test b']);
			expect(result.details).toMatchObject({ pattern: 'test', fileCount: 2, matchCount: 2 });
		});

		it('searches hidden files too, but not those of git', async () => {
			await load({ '.github/ci.yml': 'needle\n', '.git/notes': 'needle\n', 'a.txt': 'needle\n' });
			for (const glob of [undefined, '**'])
				expect(
					(await call('grep', { pattern: 'needle', ...(glob ? { glob } : {}) })).content.split('\n').sort()
				).toEqual(['.github/ci.yml:1: needle', 'a.txt:1: needle']);
		});

		it('says when nothing matches [J.5-1.3]', async () => {
			await load({ 'f.txt': 'text\n' });
			expect(await call('grep', { pattern: 'nonexistent', path: 'f.txt' })).toMatchObject({
				content: 'No matches found',
				isError: false
			});
		});

		it('stops at a limit, with context [J.5-2.1]', async () => {
			await load({ 'f.txt': Array.from({ length: 10 }, (_, n) => `before ${n}\nx ${n}\nafter ${n}\n`).join('') });
			const { content, details } = await call('grep', { pattern: '^x', limit: 1, context: 1, path: 'f.txt' });
			expect(details).toMatchObject({ matchCount: 1, truncated: true });
			expect(content).toMatch(/^f\.txt-1- before 0\nf\.txt:2: x 0\nf\.txt-3- after 0\n\n\[1 matches limit reached/);
		});

		it('takes regular expressions [J.5-2.2]', async () => {
			await load({ 'f.txt': 'foo.bar(baz)\nfooxbar(baz)\n' });
			expect((await call('grep', { pattern: 'foo\\.bar\\(' })).content).toBe('f.txt:1: foo.bar(baz)');
		});

		it('takes plain text [J.5-2.3]', async () => {
			await load({ 'f.txt': 'foo.bar(baz)\nfooxbar(baz)\n' });
			expect((await call('grep', { pattern: 'foo.bar(', literal: true })).content).toBe('f.txt:1: foo.bar(baz)');
		});

		it('says what is wrong with a pattern', async () => {
			const result = await call('grep', { pattern: '(' });
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('EINVAL') });
		});

		it('ignores case when asked to [J.5-2.4]', async () => {
			await load({ 'f.txt': 'Hello World\n' });
			expect((await call('grep', { pattern: 'hello' })).content).toBe('No matches found');
			expect((await call('grep', { pattern: 'hello', ignoreCase: true })).content).toBe('f.txt:1: Hello World');
		});

		it('cuts after 50 KB [J.5-3.1]', async () => {
			await load({ 'f.txt': `common ${'y'.repeat(450)}\n`.repeat(300) });
			const { content } = await call('grep', { pattern: 'common', limit: 1_000 });
			const [rows = '', notice] = content.split('\n\n');
			expect(notice).toBe('[50.0KB limit reached]');
			expect(rows.length).toBeLessThanOrEqual(51_200);
			expect(rows.length).toBeGreaterThan(51_200 - 500);
			expect(rows.split('\n').every((row, index) => row === `f.txt:${index + 1}: common ${'y'.repeat(450)}`)).toBe(
				true
			);
		});

		it('cuts long lines and the number of matches, each with its notice [S-35]', async () => {
			await load({ 'long.txt': `needle ${'z'.repeat(600)}\n`, 'many.txt': 'needle\n'.repeat(150) });
			const long = (await call('grep', { pattern: 'needle', path: 'long.txt' })).content;
			expect(long.split('\n')[0]).toBe(`long.txt:1: needle ${'z'.repeat(493)}... [truncated]`);
			expect(long).toContain('Some lines truncated to 500 chars');
			const many = (await call('grep', { pattern: 'needle', path: 'many.txt' })).content;
			expect(many.split('\n').filter((line) => line.startsWith('many.txt:'))).toHaveLength(100);
			expect(many).toContain('100 matches limit reached. Use limit=200 for more, or refine pattern');
			await load(Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}.find`, ''])));
			expect((await call('find', { pattern: '*.find', limit: 5 })).content).toContain('5 results limit reached');
		});

		it('finds 1,000 files unless it is asked for more, with a notice [S-35]', async () => {
			await load(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`many/${n}.find`, ''])));
			const found = async (args: object): Promise<[number, boolean]> => {
				const { content } = await call('find', { pattern: '*.find', ...args });
				const count = content.split('\n').filter((line) => line.endsWith('.find')).length;
				return [count, content.includes(`${count} results limit reached. Use limit=${2 * count} for more`)];
			};
			expect(await found({})).toEqual([1_000, true]);
			expect(await found({ limit: 1_001 })).toEqual([1_001, false]);
		});

		it('filters files by a glob [J.5-3.2]', async () => {
			await load({ 'a.ex': 'test\n', 'b.js': 'test\n', 'deep/c.ex': 'test\n' });
			const { content } = await call('grep', { pattern: 'test', glob: '*.ex' });
			expect(content.split('\n').sort()).toEqual(['a.ex:1: test', 'deep/c.ex:1: test']);
		});

		it('skips binary files [J.5-3.3]', async () => {
			const { environment } = harnessOf();
			await environment.writeFile('pic.png', new Uint8Array([...PNG, ...new TextEncoder().encode('test')]));
			await load({ 'text.txt': 'test\n' });
			expect((await call('grep', { pattern: 'test' })).content).toBe('text.txt:1: test');
		});

		it('refuses arguments of the wrong type [J.5-4.1]', async () => {
			for (const pattern of [null, 7]) {
				const result = await call('grep', { pattern, path: '.' });
				expect(result).toMatchObject({
					isError: true,
					content: expect.stringContaining('Invalid arguments for grep: pattern')
				});
			}
		});

		it('lists only files, or counts, for the profiles that ask so', async () => {
			await load({ 'a.ts': 'x\nx\n', 'b.ts': 'x\n' });
			expect((await call('grep_neutral', { pattern: 'x', output_mode: 'files_with_matches' })).content).toBe(
				'a.ts\nb.ts'
			);
			expect((await call('grep_neutral', { pattern: 'x', output_mode: 'count' })).content).toBe('a.ts:2\nb.ts:1');
			const limited = await call('grep_neutral', { pattern: 'x', max_results: 1 });
			expect(limited.content).toContain('[1 results limit reached');
		});
	});

	describe('find', () => {
		it('includes hidden files [J.6-1.1]', async () => {
			await load({ '.secret/hidden.txt': '', 'visible.txt': '' });
			const { content } = await call('find', { pattern: '*.txt' });
			expect(content.split('\n').sort()).toEqual(['.secret/hidden.txt', 'visible.txt']);
		});

		it('takes nested patterns [J.6-1.2]', async () => {
			await load({ 'a.ex': '', 'lib/b.ex': '', 'lib/deep/c.ex': '', 'lib/d.js': '' });
			const { content } = await call('find', { pattern: '**/*.ex' });
			expect(content.split('\n').sort()).toEqual(['a.ex', 'lib/b.ex', 'lib/deep/c.ex']);
		});

		it('says when nothing matches [J.6-1.3]', async () => {
			expect((await call('find', { pattern: '*.xyz' })).content).toMatch(/^No files found/);
		});

		it('leaves out what .gitignore names [J.6-2.1]', async () => {
			await load({ '.gitignore': 'ignored.txt\nbuild/\n', 'ignored.txt': '', 'kept.txt': '', 'build/out.txt': '' });
			expect((await call('find', { pattern: '*.txt' })).content).toBe('kept.txt');
		});

		it('stops at a limit [J.6-2.2]', async () => {
			await load(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`f${index}.txt`, ''])));
			const { content } = await call('find', { pattern: '*', limit: 5 });
			expect(content.split('\n\n')[0]?.split('\n')).toHaveLength(5);
		});

		itWith('symlinks', 'does not follow links to directories [J.6-2.3]', async () => {
			const { environment } = harnessOf();
			await load({ 'real/inside.txt': '' });
			await environment.symlink('real', 'linked');
			expect((await call('find', { pattern: '*.txt' })).content).toBe('real/inside.txt');
		});

		it('refuses arguments of the wrong type [J.6-3.1]', async () => {
			for (const pattern of [null, []]) {
				const result = await call('find', { pattern });
				expect(result).toMatchObject({
					isError: true,
					content: expect.stringContaining('Invalid arguments for find: pattern')
				});
			}
		});

		it('lists the newest first for the profiles that ask so', async () => {
			await load({ 'old.ts': '' });
			await harnessOf().environment.exec('sleep 0.05');
			await load({ 'src/new.ts': '' });
			expect((await call('glob', { pattern: '**/*.ts' })).content).toBe('src/new.ts\nold.ts');
			expect((await call('glob', { pattern: '**/*.ts', max_results: 1 })).content).toContain('[1 of 2 files shown.');
			expect((await call('glob', { pattern: '**/*.none' })).content).toBe('No files found');
		});
	});

	describe('ls', () => {
		it('shows hidden entries, and directories with a slash [J.7-1.1]', async () => {
			await load({ '.hidden-file': '', '.hidden-dir/f': '', 'plain.txt': '' });
			expect((await call('ls', {})).content).toBe('.hidden-dir/\n.hidden-file\nplain.txt');
		});

		it('says when a directory is empty [J.7-1.2]', async () => {
			await harnessOf().environment.makeDirectory('empty');
			expect((await call('ls', { path: 'empty' })).content).toBe('(empty directory)');
		});

		it('sorts without regard to case [J.7-1.3]', async () => {
			await load({ 'Zebra.txt': '', 'apple.txt': '', 'Banana.txt': '' });
			expect((await call('ls', { path: '.' })).content).toBe('apple.txt\nBanana.txt\nZebra.txt');
		});

		it('says when the path is a file [J.7-2.1]', async () => {
			await load({ 'f.txt': '' });
			expect(await call('ls', { path: 'f.txt' })).toMatchObject({ isError: true, content: 'Not a directory: f.txt' });
		});

		it('says when the path is not there [J.7-2.2]', async () => {
			expect(await call('ls', { path: 'nope' })).toMatchObject({ isError: true, content: 'Path not found: nope' });
		});

		it('stops at 500 entries and says how many are left [J.7-2.3]', async () => {
			await load(Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`big/f${index}`, ''])));
			const result = await call('ls', { path: 'big' });
			const [list, notice] = result.content.split('\n\n');
			expect(list?.split('\n')).toHaveLength(500);
			expect(notice).toContain('100 more');
			expect(detail(result, 'entryCount')).toBe(600);
		});

		it('stops after 50 KB of names [S-35]', async () => {
			const name = (index: number): string => `many/${'n'.repeat(180)}${index}`;
			await load(Object.fromEntries(Array.from({ length: 320 }, (_, index) => [name(index), ''])));
			const result = await call('ls', { path: 'many' });
			const [list = '', notice] = result.content.split('\n\n');
			expect(list.length).toBeLessThanOrEqual(51_200);
			expect(list.length).toBeGreaterThan(51_000);
			expect(notice).toContain('50.0KB limit reached');
			expect(result.details).toMatchObject({ entryCount: 320, truncated: true });
			const found = await call('find', { pattern: 'n*', path: 'many' });
			expect(found.content.length).toBeLessThan(51_300);
			expect(found.content).toContain('50.0KB limit reached');
		});

		it('refuses arguments of the wrong type [J.7-3.1]', async () => {
			const result = await call('ls', { path: 42 });
			expect(result).toMatchObject({
				isError: true,
				content: expect.stringContaining('Invalid arguments for ls: path')
			});
		});

		it('lists to a depth for the profiles that ask so', async () => {
			await load({ 'src/a.ts': '12345', 'src/deep/b.ts': '', 'z.txt': '1' });
			const { content } = await call('list_directory', { path: '.', depth: 2, ignore: ['z.*'] });
			expect(content.split('\n').sort()).toEqual(['[DIR] src', '[DIR] src/deep', 'src/a.ts (5 bytes)']);
		});
	});
}
