import { describe, expect, it } from 'vitest';
import type { ItWith } from '../environment/checks.ts';
import type { ToolResult } from '#agent/tool.ts';
import type { EnvironmentSuite } from '../environment.ts';
import { PNG, type HarnessOf } from './harness.ts';

const numbered = (count: number, width = 0): string =>
	Array.from({ length: count }, (_, index) => `line ${index + 1}${'x'.repeat(width)}\n`).join('');

/** J.3 and J.4 of the specification, and the path fallbacks of J.11-3. */
export function describeReadAndWrite(harnessOf: HarnessOf, itWith: ItWith, suite: EnvironmentSuite): void {
	/** Calls a tool as a user to whom file modes apply. */
	const callAsUser = (name: string, args: Record<string, unknown>): Promise<ToolResult> => {
		const { environment, call } = harnessOf();
		const work = (): Promise<ToolResult> => call(name, args);
		return suite.asOrdinaryUser?.(environment, work) ?? work();
	};

	describe('read', () => {
		const read = async (content: string | Uint8Array, args: Record<string, unknown> = {}, path = 'f.txt') => {
			const { environment, call } = harnessOf();
			await environment.writeFile(path, content);
			return call('read', { path, ...args });
		};

		it('returns a file whole [J.3-1.1]', async () => {
			const result = await read('one\ntwo\nthree\n');
			expect(result).toMatchObject({ content: 'one\ntwo\nthree\n', isError: false, details: { truncated: false } });
			expect(result.details).not.toHaveProperty('truncatedBy');
		});

		it('says when the file is not there [J.3-1.2]', async () => {
			const result = await harnessOf().call('read', { path: 'nope.txt' });
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('ENOENT') });
			expect(result.content).toContain('nope.txt');
		});

		it('returns nothing of an empty file [J.3-1.3]', async () => {
			expect(await read('')).toMatchObject({ content: '', isError: false });
		});

		it('begins at an offset [J.3-2.1]', async () => {
			const { content } = await read(numbered(100), { offset: 51 });
			expect(content).toBe(numbered(100).split('\n').slice(50, 100).join('\n'));
		});

		it('stops at a limit and says how to go on [J.3-2.2]', async () => {
			const { content } = await read(numbered(100), { limit: 10 });
			expect(content).toBe(`${numbered(10)}\n[90 more lines in file. Use offset=11 to continue.]`);
		});

		it('takes offset and limit together [J.3-2.3]', async () => {
			const { content } = await read(numbered(100), { offset: 41, limit: 20 });
			expect(content.split('\n\n')[0]?.split('\n')).toEqual(numbered(100).split('\n').slice(40, 60));
		});

		it('begins at line 1 with offset 1 [J.3-2.4]', async () => {
			expect((await read('a\nb\n', { offset: 1 })).content).toBe('a\nb\n');
		});

		it('refuses an offset beyond the end [J.3-2.5]', async () => {
			const result = await read('a\nb\nc\n', { offset: 100 });
			expect(result).toMatchObject({ isError: true, content: 'Offset 100 is beyond end of file (3 lines total)' });
		});

		it('pages after 2,000 lines, with the figures for the page [J.3-3.1, J.3-5.1, J.8-4.1]', async () => {
			const result = await read(numbered(2_500));
			expect(result.content).toBe(`${numbered(2_000)}\n[Showing lines 1-2000 of 2500. Use offset=2001 to continue.]`);
			expect(result.details).toMatchObject({
				truncated: true,
				truncatedBy: 'lines',
				totalLines: 2_500,
				outputLines: 2_000
			});
			const next = await harnessOf().call('read', { path: 'f.txt', offset: 2_001 });
			expect(next.content).toBe(numbered(2_500).trimEnd().split('\n').slice(2_000).join('\n'));
		});

		it('pages after 50 KB [J.3-3.2]', async () => {
			const { content, details } = await read(numbered(500, 200));
			expect(content).toMatch(/\[Showing lines 1-\d+ of 500 \(50\.0KB limit\)\. Use offset=\d+ to continue\.\]$/);
			expect(details).toMatchObject({ truncated: true, truncatedBy: 'bytes' });
			const shown = content.split('\n\n[')[0] ?? '';
			expect(numbered(500, 200).startsWith(`${shown}\n`)).toBe(true);
			expect(content).toContain(`Use offset=${shown.split('\n').length + 1} to`);
			expect(shown.length).toBeLessThanOrEqual(51_200);
			expect(shown.length).toBeGreaterThan(51_200 - 300);
		});

		it('says what to do about a line that is too long [J.3-3.3]', async () => {
			const { content, details } = await read('y'.repeat(60_000));
			expect(content).toBe("[Line 1 is 58.6KB, exceeds 50.0KB limit. Use bash: sed -n '1p' f.txt | head -c 51200]");
			expect(details).toMatchObject({ firstLineExceedsLimit: true });
			const spaced = await read('y'.repeat(60_000), {}, "it's long.txt");
			expect(spaced.content).toContain(`sed -n '1p' 'it'\\''s long.txt' | head -c 51200`);
		});

		it('knows a picture by its bytes [J.3-4.1]', async () => {
			const result = await read(PNG, {}, 'picture.txt');
			expect(result.images).toEqual([
				{ type: 'image', mediaType: 'image/png', data: btoa(String.fromCharCode(...PNG)) }
			]);
			expect(result.content).toContain('image/png');
		});

		it('refuses a picture whose base64 form is over 5 MB where nothing can make it smaller', async () => {
			const large = (bytes: number): Uint8Array => {
				const picture = new Uint8Array(bytes);
				picture.set(PNG);
				return picture;
			};
			const result = await read(large(4_000_000), {}, 'large.png');
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('Make a smaller copy') });
			const most = await read(large(3_900_000), {}, 'large.png');
			expect(most.images?.[0]?.data.length).toBeLessThan(5 * 1024 * 1024);
		});

		it('knows text by its bytes [J.3-4.2]', async () => {
			const result = await read('just text\n', {}, 'text.png');
			expect(result.content).toBe('just text\n');
			expect(result.images).toBeUndefined();
		});

		it('refuses other binary files and says what to do', async () => {
			const result = await read(new Uint8Array([1, 0, 2, 255]), {}, 'data.bin');
			expect(result).toMatchObject({
				isError: true,
				content: expect.stringMatching(/binary file \(4 bytes\).*with a command/)
			});
		});

		it('reads only the last line [J.3-5.2]', async () => {
			expect((await read(numbered(100), { offset: 100 })).content).toBe('line 100');
		});

		itWith('symlinks', 'follows a link [J.3-5.3]', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('real.txt', 'real content\n');
			await environment.symlink('real.txt', 'link.txt');
			expect((await call('read', { path: 'link.txt' })).content).toBe('real content\n');
		});

		itWith('permissions', 'says when the file may not be read [J.3-5.4]', async () => {
			const { environment } = harnessOf();
			await environment.writeFile('secret.txt', 'x');
			await environment.setMode('secret.txt', 0);
			expect(await callAsUser('read', { path: 'secret.txt' })).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^EACCES: Permission denied/)
			});
		});

		it('takes names with spaces and any letters [J.3-6.1]', async () => {
			const name = '截图 2026-02-11 下午3.42.10.png';
			expect((await read('shot\n', {}, name)).content).toBe('shot\n');
		});

		it('expands the tilde [J.3-6.2]', async () => {
			const { environment, call } = harnessOf();
			await environment.exec('echo home > "$HOME/test-read.txt"');
			expect((await call('read', { path: '~/test-read.txt' })).content).toBe('home\n');
			await environment.remove('~/test-read.txt');
		});

		it('refuses arguments of the wrong type [J.3-6.3]', async () => {
			for (const path of [null, 42, {}]) {
				const result = await harnessOf().call('read', { path });
				expect(result).toMatchObject({
					isError: true,
					content: expect.stringContaining('Invalid arguments for read: path')
				});
			}
		});

		it('finds a name written with decomposed accents [J.11-3.1]', async () => {
			await harnessOf().environment.writeFile('caf\u0065\u0301.txt', 'nfd\n');
			expect((await harnessOf().call('read', { path: 'caf\u00e9.txt' })).content).toBe('nfd\n');
		});

		it('finds a name with a curly apostrophe [J.11-3.2]', async () => {
			await harnessOf().environment.writeFile('Capture d\u2019ecran.txt', 'curly\n');
			expect((await harnessOf().call('read', { path: "Capture d'ecran.txt" })).content).toBe('curly\n');
			await harnessOf().environment.writeFile('Capture d\u2019e\u0301cran.txt', 'both\n');
			expect((await harnessOf().call('read', { path: "Capture d'\u00e9cran.txt" })).content).toBe('both\n');
		});

		it('finds a name with a narrow space before AM or PM [J.11-3.3]', async () => {
			await harnessOf().environment.writeFile('Shot at 3.42.10\u202fPM.txt', 'narrow\n');
			expect((await harnessOf().call('read', { path: 'Shot at 3.42.10 PM.txt' })).content).toBe('narrow\n');
		});

		it('finds a name with ordinary spaces by a path typed with others', async () => {
			await harnessOf().environment.writeFile('my notes 1.txt', 'spaces\n');
			expect((await harnessOf().call('read', { path: 'my\u00a0notes\u202f1.txt' })).content).toBe('spaces\n');
		});

		it('says what is wrong with a path that is too long [J.11-3.6]', async () => {
			const path = `${'d'.repeat(200)}/`.repeat(25) + 'f.txt';
			for (const [tool, args] of [
				['write', { path, content: 'x' }],
				['read', { path }]
			] as const) {
				const result = await harnessOf().call(tool, args);
				expect(result.isError).toBe(true);
				expect(result.content).toMatch(/^EINVAL: .*too long/i);
				// The path itself would fill the model's context window.
				expect(result.content.length).toBeLessThan(500);
			}
			expect((await harnessOf().call('shell', { command: 'ls' })).content).not.toContain('ddd');
		});

		it('reads several files at once and tells which failed', async () => {
			const { environment, call } = harnessOf();
			await environment.writeFile('src/a.ts', 'aaa\n');
			await environment.writeFile('src/b.ts', 'bbb\n');
			const result = await call('read_many_files', { paths: ['src/*.ts', 'nope.ts'] });
			expect(result.isError).toBe(false);
			expect(result.content).toContain('aaa');
			expect(result.content).toContain('bbb');
			expect(result.content).toMatch(/nope\.ts ---\n\[Could not be read/);
		});
	});

	describe('write', () => {
		const write = (path: unknown, content: unknown) => harnessOf().call('write', { path, content });

		it('makes a file [J.4-1.1]', async () => {
			const result = await write('new.txt', 'hello world');
			expect(result.content).toBe('Successfully wrote 11 bytes to new.txt');
			expect(result.details).toMatchObject({ path: 'new.txt', bytes: 11, created: true, added: 1, removed: 0 });
			expect(await harnessOf().environment.readFile('new.txt')).toBe('hello world');
		});

		it('overwrites a file [J.4-1.2]', async () => {
			await harnessOf().environment.writeFile('f.txt', 'old');
			const { details } = await write('f.txt', 'new');
			expect(details).toMatchObject({ added: 1, removed: 1, diff: expect.stringContaining('-old\n') });
			expect(await harnessOf().environment.readFile('f.txt')).toBe('new');
		});

		it('makes directories [J.4-1.3]', async () => {
			await write('nested/deep/dir/test.txt', 'hello');
			expect(await harnessOf().environment.readFile('nested/deep/dir/test.txt')).toBe('hello');
		});

		it('writes nothing when the content is the same [A-6]', async () => {
			const { environment, proposals } = harnessOf();
			await environment.writeFile('same.txt', 'same');
			const before = await environment.stat('same.txt');
			expect((await write('same.txt', 'same')).content).toContain('nothing was written');
			expect((await environment.stat('same.txt')).modifiedMs).toBe(before.modifiedMs);
			expect(proposals).toEqual([]);
			await write('made.txt', 'made');
			await write('same.txt', 'other');
			expect(await environment.readFile('same.txt')).toBe('other');
			expect(await environment.readFile('made.txt')).toBe('made');
		});

		it('makes an empty file [J.4-2.1]', async () => {
			expect((await write('empty.txt', '')).isError).toBe(false);
			expect((await harnessOf().environment.stat('empty.txt')).size).toBe(0);
		});

		it('writes any letters [J.4-2.2]', async () => {
			expect((await write('u.txt', '你好 🌍')).content).toContain('11 bytes');
			expect(await harnessOf().environment.readFile('u.txt')).toBe('你好 🌍');
		});

		itWith('permissions', 'says when the directory may not be written to [J.4-3.1]', async () => {
			const { environment } = harnessOf();
			await environment.makeDirectory('locked');
			await environment.setMode('locked', 0o555);
			expect(await callAsUser('write', { path: 'locked/a.txt', content: 'test' })).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^EACCES: Permission denied/)
			});
		});

		it('refuses a path that climbs out [J.4-3.2]', async () => {
			const result = await write(`${'../'.repeat(20)}etc/crontab`, 'malicious');
			expect(result).toMatchObject({ isError: true, content: expect.stringContaining('EACCES') });
			// A path that every user can write to, so that only the tool's own limit refuses it.
			const open = await write(`${'../'.repeat(20)}var/tmp/sandglass-write-${crypto.randomUUID()}`, 'malicious');
			expect(open).toMatchObject({ isError: true, content: expect.stringMatching(/^EACCES: /) });
		});

		it('expands the tilde [J.4-3.3]', async () => {
			const { environment } = harnessOf();
			expect((await write('~/output/result.txt', 'data')).isError).toBe(false);
			expect((await environment.exec('cat "$HOME/output/result.txt"; ls -A')).stdout).toBe('data');
			await environment.remove('~/output', { recursive: true });
		});

		it('refuses arguments of the wrong type [J.4-3.4]', async () => {
			const result = await write(123, null);
			expect(result.isError).toBe(true);
			expect(result.content).toMatch(/Invalid arguments for write: path: .*; content: /);
		});
	});
}
