import { describe, expect, it } from 'vitest';
import type { ItWith } from '../environment/checks.ts';
import { detail, PNG, type HarnessOf } from './harness.ts';

/** J.1 of the specification, in any environment. */
export function describeEdit(harnessOf: HarnessOf, itWith: ItWith): void {
	describe('edit', () => {
		const edited = async (
			content: string | Uint8Array,
			oldText: string,
			newText: string
		): Promise<{ text: string; content: string; isError: boolean; details: unknown }> => {
			const { environment, call } = harnessOf();
			await environment.writeFile('f.txt', content);
			const result = await call('edit', { path: 'f.txt', edits: [{ oldText, newText }] });
			return {
				text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await environment.readBytes('f.txt')),
				content: result.content,
				isError: result.isError,
				details: result.details
			};
		};

		it('replaces an exact match and returns a diff [J.1-1.1, TOOLRES-003, A-9]', async () => {
			const { text, content, details } = await edited('Hello, world!', 'world', 'testing');
			expect(text).toBe('Hello, testing!');
			expect(content).toContain('Successfully replaced');
			expect(content).not.toContain('@@');
			expect(details).toMatchObject({ path: 'f.txt', added: 1, removed: 1 });
			expect(details).toHaveProperty('diff', expect.stringContaining('-Hello, world!'));
			expect(details).toHaveProperty('diff', expect.stringContaining('+Hello, testing!'));
		});

		it('says when the text is not there and leaves the file alone [J.1-1.2]', async () => {
			const { text, content, isError } = await edited('Hello, world!', 'nonexistent', 'x');
			expect(isError).toBe(true);
			expect(content).toContain('Could not find the exact text in f.txt');
			expect(text).toBe('Hello, world!');
		});

		it('refuses a text that occurs more than once [J.1-1.3]', async () => {
			const { text, content, isError } = await edited('foo bar foo baz foo', 'foo', 'qux');
			expect(isError).toBe(true);
			expect(content).toContain('Found 3 occurrences of the text in f.txt');
			expect(text).toBe('foo bar foo baz foo');
		});

		it('tolerates missing trailing spaces [J.1-2.1]', async () => {
			expect((await edited('a\nline one   \nz\n', 'line one\n', 'replaced\n')).text).toBe('a\nreplaced\nz\n');
		});

		it('tolerates curly single quotes [J.1-2.2]', async () => {
			expect((await edited('x = \u2018hello\u2019', "'hello'", "'world'")).text).toBe("x = 'world'");
		});

		it('tolerates curly double quotes [J.1-2.3]', async () => {
			expect((await edited('x = \u201cHello\u201d', '"Hello"', '"World"')).text).toBe('x = "World"');
		});

		it('tolerates Unicode dashes [J.1-2.4]', async () => {
			expect((await edited('1\u20132 and a\u2014b', '1-2 and a-b', 'none')).text).toBe('none');
		});

		it('tolerates no-break spaces [J.1-2.5]', async () => {
			expect((await edited('a\u00a0b', 'a b', 'c')).text).toBe('c');
		});

		it('takes the exact match first and evens nothing out elsewhere [J.1-2.6]', async () => {
			const before = 'keep \u201cthis\u201d   \nplain text\nkeep\u00a0that\t\n';
			const exact = await edited(before, 'plain text', 'changed');
			expect(exact.text).toBe(before.replace('plain text', 'changed'));
			expect(exact).toMatchObject({ content: 'Successfully replaced text in f.txt.', details: { fuzzy: false } });
			const fuzzy = await edited(before, 'keep "this"\n', 'kept\n');
			expect(fuzzy).toMatchObject({ content: expect.stringContaining('evening out'), details: { fuzzy: true } });
		});

		it('changes only the matched region of a fuzzy match, line by line', async () => {
			const before = 'one \u2018a\u2019  \ntwo   \nthree \u2018b\u2019  \nfour \u2014\n';
			const { text } = await edited(before, "one 'a'\ntwo\nthree 'b'\n", "one 'a'\n2\nthree 'b'\n");
			expect(text).toBe('one \u2018a\u2019  \n2\nthree \u2018b\u2019  \nfour \u2014\n');
		});

		it('says so when fuzzy matching finds nothing either [J.1-2.7]', async () => {
			const { content, text, isError } = await edited('some text\n', 'completely different', 'x');
			expect(isError).toBe(true);
			expect(content).toContain('Could not find');
			expect(text).toBe('some text\n');
		});

		it('counts occurrences in fuzzy space [J.1-2.8]', async () => {
			const { content, text } = await edited('hello   \nhello\n', 'hello', 'x');
			expect(content).toContain('Found 2 occurrences');
			expect(text).toBe('hello   \nhello\n');
		});

		it('finds a text with line feeds in a file with CRLF [J.1-3.1]', async () => {
			expect(await edited('a\r\nb\r\nc\r\n', 'a\nb', 'x')).toMatchObject({ isError: false, text: 'x\r\nc\r\n' });
		});

		it('keeps CRLF, also in the new lines [J.1-3.2]', async () => {
			expect((await edited('a\r\nb\r\nc\r\n', 'b\n', 'b1\nb2\n')).text).toBe('a\r\nb1\r\nb2\r\nc\r\n');
		});

		it('keeps line feeds [J.1-3.3]', async () => {
			expect((await edited('a\nb\nc\n', 'b\r\n', 'x\r\n')).text).toBe('a\nx\nc\n');
		});

		it('counts occurrences whatever the line ends [J.1-3.4]', async () => {
			const { content } = await edited('hello\r\nworld\n--\nhello\nworld\n', 'hello\nworld', 'x');
			expect(content).toContain('Found 2 occurrences');
		});

		it('keeps a byte order mark and CRLF together [J.1-3.5]', async () => {
			expect((await edited('\ufeffa\r\nb\r\n', 'a\nb', 'c\nd')).text).toBe('\ufeffc\r\nd\r\n');
		});

		it('keeps mixed line ends and a missing last one where it does not edit', async () => {
			expect((await edited('a\r\nb\nc\r\nd', 'b', 'x')).text).toBe('a\r\nx\nc\r\nd');
		});

		it('fills an empty file, makes a missing one, refuses an empty old text elsewhere [J.1-4.1, A-3]', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('empty.txt', '');
			const fill = await call('edit', { path: 'empty.txt', edits: [{ oldText: '', newText: 'content' }] });
			expect(fill.isError).toBe(false);
			expect(await environment.readFile('empty.txt')).toBe('content');
			await call('edit_file', { file_path: 'new/made.txt', old_string: '', new_string: 'made' });
			expect(await environment.readFile('new/made.txt')).toBe('made');
			const again = await call('edit_file', { file_path: 'new/made.txt', old_string: '', new_string: 'other' });
			expect(again.isError).toBe(true);
			expect(await environment.readFile('new/made.txt')).toBe('made');
			await call('edit_file', { file_path: 'new/made.txt', old_string: 'ad', new_string: '' });
			expect(await environment.readFile('new/made.txt')).toBe('me');
		});

		// Its duration is measured in test/bench. Here, a search in time of the product of both lengths, for an old
		// text that nearly matches at every line of the file, would not finish within the time limit.
		itWith(
			'speed',
			'edits a file of 10 MB by a long old text that nearly matches everywhere [J.1-4.2]',
			async () => {
				const { environment, call } = harnessOf();
				const line = 'the quick brown fox \u2014 jumps over the lazy dog\n';
				const half = line.repeat(Math.ceil((5 * 1024 * 1024) / line.length));
				await environment.writeFile('big.txt', `${half}needle here\n${half}`);
				const before = line.repeat(20_000);
				const edits = [{ oldText: `${before}needle here\n`, newText: `${before}found\n` }];
				const { content, details, isError } = await call('edit', { path: 'big.txt', edits });
				expect({ content, isError }).toEqual({ content: 'Successfully replaced text in big.txt.', isError: false });
				expect(details).toMatchObject({ added: 1, removed: 1, replacements: 1, fuzzy: false });
				// Compared first: a difference of 10 MB should not be printed.
				expect((await environment.readFile('big.txt')) === `${half}found\n${half}`).toBe(true);
			},
			30_000
		);

		it('says when nothing would change [J.1-4.3]', async () => {
			const { content, isError } = await edited('hello', 'hello', 'hello');
			expect(isError).toBe(true);
			expect(content).toContain('No changes made to f.txt');
		});

		it('loses neither of two edits made at once [J.1-4.4]', async () => {
			const { environment, call } = harnessOf();
			const names = Array.from({ length: 12 }, (_, index) => `word${String.fromCharCode(97 + index)}`);
			await environment.writeFile('both.txt', `${names.join('\n')}\n`);
			const results = await Promise.all(
				names.map((name) => call('edit', { path: 'both.txt', edits: [{ oldText: name, newText: name.toUpperCase() }] }))
			);
			expect(results.map(({ isError }) => isError)).toEqual(names.map(() => false));
			expect(await environment.readFile('both.txt')).toBe(`${names.join('\n').toUpperCase()}\n`);
		});

		it('refuses a binary file and leaves its bytes [J.1-4.5]', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('pic.png', PNG);
			const result = await call('edit', { path: 'pic.png', edits: [{ oldText: 'PNG', newText: 'GIF' }] });
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('binary') });
			expect([...(await environment.readBytes('pic.png'))]).toEqual([...PNG]);
		});

		it('refuses a path that climbs out [J.1-4.6]', async () => {
			const { call } = harnessOf();
			const path = `${'../'.repeat(20)}etc/passwd`;
			const result = await call('edit', { path, edits: [{ oldText: 'root', newText: 'hacked' }] });
			expect(result.isError).toBe(true);
			expect(result.content).toContain('EACCES');
			// A path that every user can write to, so that only the tool's own limit refuses it.
			const open = `${'../'.repeat(20)}var/tmp/sandglass-edit-${crypto.randomUUID()}`;
			const made = await call('edit_file', { file_path: open, old_string: '', new_string: 'hacked' });
			expect(made).toMatchObject({ isError: true, content: expect.stringMatching(/^EACCES: /) });
		});

		it('says when the path is a directory [J.1-4.7]', async () => {
			const { environment, call } = harnessOf();
			await environment.makeDirectory('dir');
			const result = await call('edit', { path: 'dir', edits: [{ oldText: 'x', newText: 'y' }] });
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('Is a directory') });
		});

		it('expands the tilde [J.1-5.1]', async () => {
			const { environment, call } = harnessOf();
			await environment.exec('mkdir -p "$HOME/test_dir" && printf a > "$HOME/test_dir/hello.txt"');
			const result = await call('edit', { path: '~/test_dir/hello.txt', edits: [{ oldText: 'a', newText: 'b' }] });
			expect(result.isError).toBe(false);
			expect((await environment.exec('cat "$HOME/test_dir/hello.txt"; ls -A')).stdout).toBe('b');
			await environment.remove('~/test_dir', { recursive: true });
		});

		it('refuses arguments of the wrong type [J.1-5.2]', async () => {
			const { call } = harnessOf();
			for (const path of [null, 123, undefined, ['a']]) {
				const result = await call('edit', { path, edits: [{ oldText: 'x', newText: 'y' }] });
				expect(result).toMatchObject({
					isError: true,
					content: expect.stringMatching(/Invalid arguments for edit: path/)
				});
			}
		});

		it('numbers the diff by the lines of the file [J.1-5.3]', async () => {
			const lines = Array.from({ length: 500 }, (_, index) => (index === 337 ? 'target' : `line ${index + 1}`));
			const { details } = await edited(`${lines.join('\n')}\n`, 'target', 'replaced');
			expect(details).toHaveProperty('diff', expect.stringContaining('@@ -334,9 +334,9 @@'));
			expect(details).toHaveProperty('firstChangedLine', 338);
		});

		it('says when the file is not there', async () => {
			const result = await harnessOf().call('edit', { path: 'nope.txt', edits: [{ oldText: 'x', newText: 'y' }] });
			expect(result).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^File not found: nope\.txt\. Search for/)
			});
		});

		it('takes the flat form, several edits at once, and all or none of them', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('f.txt', 'one\ntwo\nthree\n');
			await call('edit', { path: 'f.txt', oldText: 'two', newText: '2' });
			expect(await environment.readFile('f.txt')).toBe('one\n2\nthree\n');
			const edits = [
				{ oldText: 'three', newText: '3' },
				{ oldText: 'one', newText: '1' }
			];
			expect(detail(await call('edit', { path: 'f.txt', edits }), 'replacements')).toBe(2);
			expect(await environment.readFile('f.txt')).toBe('1\n2\n3\n');
			const half = await call('edit', {
				path: 'f.txt',
				edits: [
					{ oldText: '1', newText: 'x' },
					{ oldText: 'absent', newText: 'y' }
				]
			});
			expect(half).toMatchObject({ isError: true, content: expect.stringContaining('edit 2 of 2') });
			expect(await environment.readFile('f.txt')).toBe('1\n2\n3\n');
		});

		it('replaces every occurrence when asked to', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('f.txt', 'foo bar foo');
			await call('edit_file', { file_path: 'f.txt', old_string: 'foo', new_string: 'x', replace_all: true });
			expect(await environment.readFile('f.txt')).toBe('x bar x');
		});
	});
}
