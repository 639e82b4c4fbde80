import { describe, expect, it } from 'vitest';
import { entriesOf } from '../environment/checks.ts';
import { detail, type HarnessOf } from './harness.ts';

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

/** apply_patch: 000 Appendix A and 001 §6.2. */
export function describePatch(harnessOf: HarnessOf): void {
	describe('apply_patch', () => {
		const apply = (text: string) => harnessOf().call('apply_patch', { patch: text });
		const load = (files: Record<string, string>): Promise<void> => harnessOf().environment.load(entriesOf(files));
		const read = (path: string): Promise<string> => harnessOf().environment.readFile(path);

		it('adds, updates, moves and deletes in one call [S-22, A-13]', async () => {
			await load({ 'a.txt': 'one\ntwo\nthree\n', 'gone.txt': 'x\n', 'old/name.txt': 'from\n' });
			const result = await apply(
				patch(
					'*** Add File: new/made.txt',
					'+hello',
					'+world',
					'*** Delete File: gone.txt',
					'*** Update File: a.txt',
					'@@',
					' one',
					'-two',
					'+2',
					' three',
					'*** Update File: old/name.txt',
					'*** Move to: other/name.txt',
					'@@',
					'-from',
					'+to'
				)
			);
			expect(result.content).toBe(
				'Success. Updated the following files:\nA new/made.txt\nD gone.txt\nM a.txt\nA other/name.txt\n'
			);
			expect(await read('new/made.txt')).toBe('hello\nworld\n');
			expect(await read('a.txt')).toBe('one\n2\nthree\n');
			expect(await read('other/name.txt')).toBe('to\n');
			expect(await harnessOf().environment.fileExists('gone.txt')).toBe(false);
			expect(await harnessOf().environment.fileExists('old/name.txt')).toBe(false);
			expect(
				harnessOf().proposals.map((change) => (change.kind === 'write' ? change.path.split('/').at(-1) : ''))
			).toEqual(['made.txt', 'gone.txt', 'a.txt', 'name.txt', 'name.txt']);
			expect(detail(result, 'files')).toMatchObject([
				{ path: 'new/made.txt', added: 2, removed: 0 },
				{ path: 'gone.txt', added: 0, removed: 1 },
				{ path: 'a.txt', added: 1, removed: 1, diff: expect.stringContaining('-two\n+2\n') },
				{},
				{}
			]);
		});

		it('keeps a moved file executable', async () => {
			const { environment } = harnessOf();
			await load({ 'run.sh': 'echo 1\n' });
			await environment.setMode('run.sh', 0o755);
			await apply(patch('*** Update File: run.sh', '*** Move to: bin/run.sh', '@@', '-echo 1', '+echo 2'));
			expect((await environment.stat('bin/run.sh')).mode & 0o100).toBe(0o100);
		});

		it('finds its place by the header, in the order of the file [S-22]', async () => {
			await load({ 'c.py': 'def a():\n    return 0\n\ndef b():\n    return 0\n\ndef c():\n    return 0\n' });
			await apply(
				patch(
					'*** Update File: c.py',
					'@@ def b():',
					'-    return 0',
					'+    return 1',
					'@@ def c():',
					'-    return 0',
					'+    return 2'
				)
			);
			expect(await read('c.py')).toBe('def a():\n    return 0\n\ndef b():\n    return 1\n\ndef c():\n    return 2\n');
			const wrong = await apply(
				patch('*** Update File: c.py', '@@', '-    return 2', '+    return 3', '@@', '-    return 1', '+    return 4')
			);
			expect(wrong).toMatchObject({
				isError: true,
				content: expect.stringContaining('put the hunks in the order of the file')
			});
			expect(await read('c.py')).toContain('return 2');
		});

		it('takes the first match, and with the end marker the last [S-22]', async () => {
			await load({ 'f.txt': 'x\ny\nx\ny\n' });
			await apply(patch('*** Update File: f.txt', '@@', '-x', '+first', ' y'));
			expect(await read('f.txt')).toBe('first\ny\nx\ny\n');
			await load({ 'f.txt': 'x\ny\nx\ny\n' });
			await apply(patch('*** Update File: f.txt', '@@', '-x', '+last', ' y', '*** End of File'));
			expect(await read('f.txt')).toBe('x\ny\nlast\ny\n');
		});

		it('tolerates spaces and typographic characters, and keeps what it does not change [S-22]', async () => {
			await load({ 'f.txt': '  keep \u201cthis\u201d  \r\nold\u2014line\r\nend' });
			await apply(patch('*** Update File: f.txt', '@@', ' keep "this"', '-old-line', '+new line', ' end'));
			expect(await read('f.txt')).toBe('  keep \u201cthis\u201d  \r\nnew line\r\nend');
		});

		it('writes nothing at all when one file cannot be changed [A-13]', async () => {
			await load({ 'a.txt': 'one\n' });
			const result = await apply(
				patch(
					'*** Add File: made.txt',
					'+x',
					'*** Update File: a.txt',
					'@@',
					'-one',
					'+1',
					'*** Update File: missing.txt',
					'@@',
					'-a',
					'+b'
				)
			);
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('missing.txt') });
			expect(await read('a.txt')).toBe('one\n');
			expect(await harnessOf().environment.fileExists('made.txt')).toBe(false);
			expect(harnessOf().proposals).toEqual([]);
		});

		it('names file, hunk and closest place when lines are not found', async () => {
			await load({ 'f.txt': 'alpha\nbeta\ngamma\ndelta\n' });
			const { content } = await apply(patch('*** Update File: f.txt', '@@', ' beta', '-GAMMA!', '+x', ' delta'));
			expect(content).toMatch(/hunk 1 of 1 in f\.txt/);
			expect(content).toMatch(/closest place is line 2, where 2 of 3 lines match/);
		});

		it.each([
			['no begin', 'nothing', /first line must be/],
			['no end', '*** Begin Patch\n*** Delete File: a', /last line must be/],
			['nothing in it', patch(), /changes no file/],
			['an unknown header', patch('*** Frobnicate File: a'), /no file header/],
			['an empty hunk', patch('*** Update File: a', '@@'), /empty hunk/],
			['an added line without +', patch('*** Add File: a', 'text'), /must begin with "\+"/]
		])('says what is wrong with %s', async (_, text, message) => {
			await load({ a: 'x\n' });
			expect(await apply(text)).toMatchObject({ isError: true, content: expect.stringMatching(message) });
		});

		it('accepts a here-document around the patch and a hunk without its header', async () => {
			await load({ 'f.txt': 'a\nb\n' });
			const result = await apply(`apply_patch <<'EOF'\n${patch('*** Update File: f.txt', '-b', '+c')}\nEOF`);
			expect(result.isError).toBe(false);
			expect(await read('f.txt')).toBe('a\nc\n');
		});

		it('refuses a path that climbs out', async () => {
			const result = await apply(patch(`*** Add File: ${'../'.repeat(20)}etc/sandglass`, '+x'));
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('EACCES') });
		});
	});
}
