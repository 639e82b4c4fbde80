import { describe, expect, it } from 'vitest';
import type { LoadEntry } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import { codeOf, entriesOf, type EnvironmentOf, type ItWith } from './checks.ts';
import { describeHostileLoads } from './hostile-loads.ts';

/** @param hostileLoads number of random imports of hostile content */
export function describeFiles(environmentOf: EnvironmentOf, itWith: ItWith, hostileLoads: number): void {
	describe('files', () => {
		it('writes and reads text and bytes, relative and absolute', async () => {
			await environmentOf().writeFile('deep/er/a.txt', 'café 🌍\n');
			expect(await environmentOf().readFile(`${environmentOf().workingDirectory()}/deep/er/a.txt`)).toBe('café 🌍\n');
			const bytes = new Uint8Array([0, 255, 10, 13, 128]);
			await environmentOf().writeFile('b.bin', bytes);
			expect([...(await environmentOf().readBytes('b.bin'))]).toEqual([...bytes]);
			await environmentOf().writeFile('empty', '');
			expect(await environmentOf().readFile('empty')).toBe('');
		});

		it('reads a range of lines, counted from 1, with their line ends', async () => {
			await environmentOf().writeFile('lines.txt', 'one\ntwo\r\nthree\nfour');
			expect(await environmentOf().readFile('lines.txt', { offset: 2, limit: 2 })).toBe('two\r\nthree\n');
			expect(await environmentOf().readFile('lines.txt', { offset: 4 })).toBe('four');
			expect(await environmentOf().readFile('lines.txt', { limit: 1 })).toBe('one\n');
			expect(await environmentOf().readFile('lines.txt', { offset: 9 })).toBe('');
		});

		it('replaces a file and keeps its mode', async () => {
			await environmentOf().writeFile('run.sh', 'echo 1');
			await environmentOf().setMode('run.sh', 0o755);
			await environmentOf().writeFile('run.sh', 'echo 22');
			expect(await environmentOf().readFile('run.sh')).toBe('echo 22');
			expect((await environmentOf().stat('run.sh')).mode & 0o111).not.toBe(0);
		});

		it('tells kind, size, mode and time', async () => {
			const before = Date.now() - 2_000;
			await environmentOf().writeFile('a.txt', 'hello');
			await environmentOf().makeDirectory('d/e');
			const file = await environmentOf().stat('a.txt');
			expect(file).toMatchObject({ kind: 'file', size: 5 });
			expect(file.modifiedMs).toBeGreaterThan(before);
			expect((await environmentOf().stat('d')).kind).toBe('directory');
			expect(await environmentOf().fileExists('a.txt')).toBe(true);
			expect(await environmentOf().fileExists('d')).toBe(true);
			expect(await environmentOf().fileExists('nope')).toBe(false);
		});

		it('lists by depth, sorted by path', async () => {
			await environmentOf().writeFile('b/c/d.txt', '1');
			await environmentOf().writeFile('a.txt', '22');
			await environmentOf().writeFile('.hidden', '');
			const paths = async (depth: number): Promise<string[]> =>
				(await environmentOf().listDirectory('.', depth)).map((entry) => entry.path);
			expect(await paths(1)).toEqual(['.hidden', 'a.txt', 'b']);
			expect(await paths(2)).toEqual(['.hidden', 'a.txt', 'b', 'b/c']);
			expect(await paths(3)).toEqual(['.hidden', 'a.txt', 'b', 'b/c', 'b/c/d.txt']);
			const entries = await environmentOf().listDirectory('b/c', 1);
			expect(entries).toEqual([expect.objectContaining({ path: 'd.txt', kind: 'file', size: 1 })]);
		});

		it('removes, renames and makes directories', async () => {
			await environmentOf().writeFile('a/b.txt', 'x');
			await environmentOf().rename('a/b.txt', 'a/c.txt');
			expect(await environmentOf().fileExists('a/b.txt')).toBe(false);
			expect(await environmentOf().readFile('a/c.txt')).toBe('x');
			expect(await codeOf(environmentOf().remove('a'))).toBe('ENOTEMPTY');
			await environmentOf().remove('a', { recursive: true });
			expect(await environmentOf().fileExists('a')).toBe(false);
			await environmentOf().makeDirectory('x/y/z');
			await environmentOf().makeDirectory('x/y/z');
			await environmentOf().remove('x/y/z');
			expect(await environmentOf().listDirectory('x/y', 1)).toEqual([]);
		});

		itWith('symlinks', 'makes and reads symbolic links, and follows them where it reads', async () => {
			await environmentOf().writeFile('target.txt', 'seen');
			await environmentOf().symlink('target.txt', 'link.txt');
			expect(await environmentOf().readLink('link.txt')).toBe('target.txt');
			expect((await environmentOf().stat('link.txt')).kind).toBe('symlink');
			expect(await environmentOf().readFile('link.txt')).toBe('seen');
			expect(await codeOf(environmentOf().readLink('target.txt'))).toBe('EINVAL');
		});

		itWith('modes', 'sets permission bits', async () => {
			await environmentOf().writeFile('a.sh', '#!/bin/sh\n');
			await environmentOf().setMode('a.sh', 0o755);
			expect((await environmentOf().stat('a.sh')).mode & 0o777).toBe(0o755);
		});

		it('loads many files at once', async () => {
			const files = Object.fromEntries(
				Array.from({ length: 300 }, (_, index) => [`src/d${index % 7}/f${index}.txt`, `file ${index}\n`])
			);
			await environmentOf().load(entriesOf(files));
			expect(await environmentOf().readFile('src/d6/f13.txt')).toBe('file 13\n');
			const listed = await environmentOf().listDirectory('src', 2);
			expect(listed.filter((entry) => entry.kind === 'file')).toHaveLength(300);
		});

		itWith('symlinks', 'loads executables and links with their git modes', async () => {
			const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
			await environmentOf().load(
				(async function* (): AsyncGenerator<LoadEntry> {
					yield { path: 'run.sh', mode: 0o100755, bytes: bytes('#!/bin/sh\n') };
					yield { path: 'bin/link', mode: 0o120000, bytes: bytes('../run.sh') };
				})()
			);
			expect((await environmentOf().stat('run.sh')).mode & 0o100).toBe(0o100);
			expect(await environmentOf().readLink('bin/link')).toBe('../run.sh');
		});

		itWith('symlinks', 'loads a file in the place of a link, and leaves what that led to as it was', async () => {
			await environmentOf().writeFile('kept.txt', 'kept');
			await environmentOf().symlink('kept.txt', 'link.txt');
			await environmentOf().makeDirectory('d');
			await environmentOf().symlink('nowhere', 'd/lost.txt');
			await environmentOf().load(entriesOf({ 'link.txt': 'one', 'd/lost.txt': 'other' }));
			expect((await environmentOf().stat('link.txt')).kind).toBe('file');
			const read = (path: string) => environmentOf().readFile(path);
			expect([await read('link.txt'), await read('kept.txt'), await read('d/lost.txt')]).toEqual([
				'one',
				'kept',
				'other'
			]);
			expect(await environmentOf().fileExists('d/nowhere')).toBe(false);
		});
	});
	describeHostileLoads(environmentOf, itWith, hostileLoads);
	describe('errors', () => {
		it('rejects with a code for each thing that can be wrong with a path', async () => {
			await environmentOf().writeFile('file', 'x');
			await environmentOf().makeDirectory('dir');
			expect(await codeOf(environmentOf().readFile('nope'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().readBytes('nope'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().stat('nope/deeper'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().remove('nope'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().rename('nope', 'x'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().listDirectory('nope', 1))).toBe('ENOENT');
			expect(await codeOf(environmentOf().readFile('dir'))).toBe('EISDIR');
			expect(await codeOf(environmentOf().writeFile('dir', 'x'))).toBe('EISDIR');
			expect(await codeOf(environmentOf().listDirectory('file', 1))).toBe('ENOTDIR');
			expect(await codeOf(environmentOf().readFile('file/below'))).toBe('ENOTDIR');
			expect(await codeOf(environmentOf().writeFile('file/below', 'x'))).toBe('ENOTDIR');
			expect(await codeOf(environmentOf().makeDirectory('file'))).toBe('EEXIST');
			expect(await codeOf(environmentOf().grep('x', 'nope'))).toBe('ENOENT');
			expect(await codeOf(environmentOf().grep('(', '.'))).toBe('EINVAL');
			expect(await codeOf(environmentOf().readFile('a\0b'))).toBe('EINVAL');
		});

		it('names the path in the error', async () => {
			const error: unknown = await environmentOf()
				.readFile('no/such.txt')
				.then(
					() => undefined,
					(reason: unknown) => reason
				);
			expect(isEnvironmentError(error) && error.path).toMatch(/no\/such\.txt$/);
		});

		it('refuses a path that climbs out', async () => {
			const out = `${'../'.repeat(24)}etc/passwd`;
			expect(await codeOf(environmentOf().readFile(out))).toBe('EACCES');
			expect(await codeOf(environmentOf().writeFile(out, 'x'))).toBe('EACCES');
			expect(await codeOf(environmentOf().writeFile('/etc/sandglass-test', 'x'))).toBe('EACCES');
			expect(await codeOf(environmentOf().remove('/etc', { recursive: true }))).toBe('EACCES');
			expect(await codeOf(environmentOf().makeDirectory('/etc/sandglass-test'))).toBe('EACCES');
			await environmentOf().writeFile('mine', 'x');
			expect(await codeOf(environmentOf().rename('mine', '/etc/mine'))).toBe('EACCES');
		});

		itWith('symlinks', 'refuses a path that climbs out through a link', async () => {
			await environmentOf().symlink('/etc', 'out');
			await environmentOf().symlink('/etc/passwd', 'secret');
			expect(await codeOf(environmentOf().readFile('out/passwd'))).toBe('EACCES');
			expect(await codeOf(environmentOf().readFile('secret'))).toBe('EACCES');
			expect(await codeOf(environmentOf().writeFile('out/x', 'x'))).toBe('EACCES');
			expect(await codeOf(environmentOf().writeFile('secret', 'x'))).toBe('EACCES');
		});

		itWith('symlinks', 'refuses a circle of links', async () => {
			await environmentOf().symlink('b', 'a');
			await environmentOf().symlink('a', 'b');
			expect(await codeOf(environmentOf().readFile('a'))).toBe('ELOOP');
		});
	});
}
