import { beforeEach, describe, expect, it } from 'vitest';
import { SyscallError } from '#computer/abi/client.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { loadEntries, withContents } from '#computer/volume/load.ts';
import type { Volume } from '#computer/volume/volume.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = (path: string, content = path, mode = 0o100644) => ({ path, mode, bytes: bytes(content) });
const link = (path: string, target: string) => file(path, target, 0o120000);

let volume: Volume;
beforeEach(() => void (volume = createVolume([])));

const load = (...entries: ReturnType<typeof file>[]) => loadEntries(volume, '/workspace', entries);
const read = (path: string) => new TextDecoder().decode(volume.readFile(`/workspace/${path}`));

/** Code and message of the refusal, or `done`. */
function outcome(run: () => unknown): string {
	try {
		run();
		return 'done';
	} catch (error) {
		if (error instanceof SyscallError) return `${error.code} ${error.message}`;
		throw error;
	}
}

describe('an import', () => {
	it('writes files with their directories, executable or not, and links', () => {
		load(
			file('a'),
			file('deep/er/b'),
			file('deep/er/run', '#!', 0o100755),
			link('to-a', 'a'),
			file('other/c', 'c', 0o100600)
		);
		expect([read('a'), read('deep/er/b'), read('to-a')]).toEqual(['a', 'deep/er/b', 'a']);
		const modes = ['a', 'deep/er/run', 'other/c'].map((path) => volume.stat(`/workspace/${path}`).mode & 0o777);
		expect(modes).toEqual([0o644, 0o755, 0o644]);
		expect(volume.readlink('/workspace/to-a')).toBe('a');
	});

	it('tells of an executable file once, with its mode', () => {
		const changes: unknown[] = [];
		volume.observers.add((change) => changes.push([change.kind, change.path, change.mode]));
		load(file('run', '#!', 0o100755));
		expect(changes).toEqual([['write', '/workspace/run', 0o100755]]);
	});

	it('replaces what is in its way: a file, a link, a directory by a link', () => {
		load(file('a', 'old', 0o100755), link('l', 'a'), file('d/x'));
		load(file('l', 'no link'));
		load(file('a', 'new'), link('d', 'a'));
		expect([read('a'), read('l'), read('d')]).toEqual(['new', 'no link', 'new']);
		expect(volume.stat('/workspace/a').mode & 0o777).toBe(0o644);
		expect(volume.readlink('/workspace/d')).toBe('a');
	});

	it.each([
		['../up', 'climbs out'],
		['/etc/passwd', 'absolute'],
		['a/../../up', 'climbs out'],
		['', 'empty'],
		['a\0', 'null character'],
		['C:\\a', 'drive']
	])('refuses the path %j', (path, why) => {
		expect(outcome(() => load(file('before'), file(path)))).toMatch(
			new RegExp(`^EINVAL cannot be imported, because .*${why}`)
		);
	});

	it.each([
		['of the same import', () => load(link('out', '/home/user'), file('out/x'))],
		[
			'that was there',
			() => {
				volume.symlink('/home/user', '/workspace/out');
				load(file('out/x'));
			}
		],
		['deeper', () => load(link('a/out', '/home/user'), file('a/out/b/x'))],
		['that stays in the project', () => load(file('d/y'), link('in', 'd'), file('in/x'))],
		[
			'that replaced a directory between two of its files',
			() => load(file('d/one'), link('d', '/home/user'), file('d/two'))
		]
	])('leads through no link %s', (_, run) => {
		expect(outcome(run)).toBe('EACCES cannot be imported, because it leads through a symbolic link');
		expect(volume.readdir('/home/user').map(String)).not.toContain('x');
	});

	it('refuses a path below a file', () => {
		load(file('a'));
		expect(outcome(() => load(file('a/b/c')))).toMatch(/^ENOTDIR/);
	});

	it('brings back any name that a program had given', () => {
		const restored = [file('a\\..\\b', 'kept')];
		expect(outcome(() => load(...restored))).toMatch(/^EINVAL/);
		loadEntries(volume, '/workspace', restored, { restored: true });
		expect(read('a\\..\\b')).toBe('kept');
	});

	it('of nothing looks at nothing', () => {
		expect(outcome(() => loadEntries(volume, '/no/such', []))).toBe('done');
		expect(outcome(() => loadEntries(volume, '/no/such', [file('a')]))).toMatch(/^ENOENT/);
	});
});

describe('contents of many files in one piece', () => {
	const parts = (sizes: number[], text: string) =>
		[
			...withContents(
				sizes.map((size, index) => ({ path: `${index}`, mode: 0o644, size })),
				bytes(text)
			)
		].map(({ path, mode, bytes: own }) => [path, mode, new TextDecoder().decode(own)]);

	it('are cut by their sizes', () => {
		expect(parts([2, 0, 3], 'abcde')).toEqual([
			['0', 0o644, 'ab'],
			['1', 0o644, ''],
			['2', 0o644, 'cde']
		]);
		expect(parts([], '')).toEqual([]);
	});

	it('are refused when they are longer or shorter than the sizes say', () => {
		for (const text of ['abcd', 'abcdef'])
			expect(outcome(() => parts([2, 3], text))).toBe('EINVAL load: the contents are not as long as the sizes say');
	});
});
