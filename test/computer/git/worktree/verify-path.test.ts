import { describe, expect, it } from 'vitest';
import { isWorktreePath, requireWorktreePath } from '#computer/git/worktree/verify-path.ts';
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
