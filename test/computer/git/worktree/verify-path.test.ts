import { describe, expect, it } from 'vitest';
import type { ObjectStore } from '#computer/git/objects/store.ts';
import { isWorktreePath, requireWorktreePath, worktreeFiles } from '#computer/git/worktree/verify-path.ts';
import { Mode } from '#environment/mode.ts';

describe('a path of a working tree', () => {
	it.each(['a', 'a/b.txt', '.gitignore', '.github/x', 'a.git/b', '.gitmodules', 'git~1x', 'a\\b', '...'])(
		'%j may be written',
		(path) => {
			expect(isWorktreePath(path)).toBe(true);
			expect(() => requireWorktreePath(path)).not.toThrow();
		}
	);

	it.each([
		'',
		'/a',
		'../a',
		'a/../b',
		'a//b',
		'./a',
		'.git',
		'a/.GIT/hooks',
		'GIT~1/x',
		'.git ./x',
		'.git:x',
		'a\\..\\b',
		'.g\u200cit'
	])('%j may not', (path) => {
		expect(isWorktreePath(path)).toBe(false);
		expect(() => requireWorktreePath(path)).toThrow(`error: invalid path '${path}'`);
	});

	it('is no link by a name of .gitmodules, in any of the forms that a file system takes for it', () => {
		for (const path of [
			'.gitmodules',
			'a/.GitModules',
			'gitmod~1',
			'GITMOD~12',
			'.gitmodules .',
			'.gitmodules:x',
			'.gitmodules. :$DATA'
		]) {
			expect(isWorktreePath(path, Mode.symlink), path).toBe(false);
			expect(isWorktreePath(path, Mode.file), path).toBe(true);
			expect(() => requireWorktreePath(path, Mode.symlink)).toThrow('invalid path');
		}
		for (const path of ['modules', 'x.gitmodules', '.gitmodulesx', '.gitmodules.x', 'gitmod~', 'gitmod~x', 'xgitmod~1'])
			expect(isWorktreePath(path, Mode.symlink), path).toBe(true);
	});
});

describe('the files of a tree', () => {
	/** Files of a tree with these entries; an entry with entries is a subtree. */
	type Entries = [name: string, entry: number | Entries][];
	function filesOf(entries: Entries): string[] {
		const trees: Entries[] = [entries];
		const tree = (id: string) =>
			(trees[Number(id)] ?? []).map(([name, entry]) =>
				typeof entry === 'number'
					? { name, mode: entry, id: name }
					: { name, mode: 0o040000, id: String(trees.push(entry) - 1) }
			);
		return [...worktreeFiles({ tree } as unknown as ObjectStore, '0')].map(
			([path, { mode }]) => `${path} ${mode.toString(8)}`
		);
	}

	it('are all that it has, below one another', () => {
		const deep: Entries = [
			['a', [['b', [['c', Mode.executable]]]]],
			['a.b', Mode.symlink],
			['b', Mode.file]
		];
		expect(filesOf(deep)).toEqual(['a/b/c 100755', 'a.b 120000', 'b 100644']);
	});

	it.each<[string, Entries]>([
		['.git/config', [['.git', [['config', Mode.file]]]]],
		['d/.gitmodules', [['d', [['.gitmodules', Mode.symlink]]]]],
		[
			'a/b',
			[
				['a', Mode.symlink],
				['a', [['b', Mode.file]]]
			]
		],
		[
			'd/a/b/c',
			[
				[
					'd',
					[
						['a', [['b', [['c', Mode.file]]]]],
						['a', Mode.symlink]
					]
				]
			]
		]
	])('are none where one of them, %s, would be written elsewhere', (path, entries) => {
		expect(() => filesOf(entries)).toThrow(
			expect.objectContaining({ message: `error: invalid path '${path}'`, code: 128 })
		);
	});
});
