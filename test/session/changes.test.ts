import { describe, expect, it } from 'vitest';
import type { ExecutionEnvironment, FileChange } from '#environment/contract.ts';
import { Mode } from '#environment/mode.ts';
import { readTree, StoredChanges } from '#session/changes.ts';
import { temporaryEnvironment } from '#test/agent/fake-session.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
type Change = Partial<FileChange> & Pick<FileChange, 'kind' | 'path'>;

/** Stored results of changes, one after the other, with the computer's files at these paths meanwhile. */
function storing(files: Record<string, string> = {}) {
	const environment = {
		fileExists: async (path: string) => path in files,
		stat: async () => ({ kind: 'file', mode: 0o640, size: 1, modifiedMs: 0 }),
		readBytes: async (path: string) => bytes(files[path] ?? '')
	} as unknown as ExecutionEnvironment;
	const stored = new StoredChanges(environment);
	const of = (change: Change) => stored.of({ seq: 1, mode: Mode.file, ...change } as FileChange);
	return { of, files };
}

describe('a change of a file', () => {
	it('is stored as the journal has it', async () => {
		const { of } = storing();
		const path = '/workspace/a';
		expect(await of({ kind: 'write', path, mode: Mode.executable, bytes: bytes('x') })).toEqual([
			{ kind: 'write', path, mode: Mode.executable, bytes: bytes('x') }
		]);
		expect(await of({ kind: 'write', path })).toEqual([{ kind: 'write', path, mode: Mode.file, bytes: bytes('') }]);
		expect(await of({ kind: 'symlink', path, mode: Mode.symlink, bytes: bytes('b') })).toEqual([
			{ kind: 'write', path, mode: Mode.symlink, bytes: bytes('b') }
		]);
		expect(await of({ kind: 'mkdir', path })).toEqual([{ kind: 'mkdir', path }]);
		expect(await of({ kind: 'mode', path, mode: Mode.executable })).toEqual([
			{ kind: 'mode', path, mode: Mode.executable }
		]);
		expect(await of({ kind: 'remove', path })).toEqual([{ kind: 'remove', path }]);
		expect(await of({ kind: 'rename', path, to: '/workspace/b' })).toEqual([
			{ kind: 'rename', path, to: '/workspace/b' }
		]);
	});

	it('is not stored where the computer’s own folders are, and where a name only begins like theirs it is', async () => {
		const { of } = storing();
		for (const path of ['/tmp', '/tmp/a', '/usr/bin/x', '/proc/1', '/dev/null'])
			for (const kind of ['write', 'mkdir', 'remove', 'mode', 'symlink'] as const)
				expect(await of({ kind, path })).toEqual([]);
		for (const path of ['/tmpfile', '/workspace/tmp/a', '/home/user/dev'])
			expect(await of({ kind: 'remove', path })).toEqual([{ kind: 'remove', path }]);
	});
});

describe('a path that is moved', () => {
	it('out of a folder that is not stored is read where it arrives', async () => {
		const { of } = storing({ '/workspace/a': 'made in tmp', '/tmp/b': 'moved within tmp' });
		expect(await of({ kind: 'rename', path: '/tmp/a', to: '/workspace/a' })).toEqual([
			{ kind: 'write', path: '/workspace/a', mode: 0o100640, bytes: bytes('made in tmp') }
		]);
		expect(await of({ kind: 'rename', path: '/tmp/a', to: '/tmp/b' })).toEqual([]);
		expect(await of({ kind: 'rename', path: '/tmp/a' })).toEqual([]);
		expect(await of({ kind: 'rename', path: '/workspace/a', to: '/workspace/b' })).toHaveLength(1);
	});

	it('into a folder that is not stored is removed', async () => {
		const { of } = storing();
		const removed = [{ kind: 'remove', path: '/workspace/a' }];
		expect(await of({ kind: 'rename', path: '/workspace/a', to: '/tmp/a' })).toEqual(removed);
		expect(await of({ kind: 'rename', path: '/workspace/a' })).toEqual(removed);
	});

	it('on before it could be read is read where it is then, also below a moved folder', async () => {
		const { of, files } = storing();
		expect(await of({ kind: 'rename', path: '/tmp/a', to: '/workspace/d/a' })).toEqual([]);
		expect(await of({ kind: 'rename', path: '/tmp/b', to: '/workspace/db' })).toEqual([]);
		files['/workspace/e/a'] = 'content';
		// Path of the sibling file if its name were cut like that of a file in the folder.
		files['/workspace/eb'] = 'of another';
		expect(await of({ kind: 'rename', path: '/workspace/d', to: '/workspace/e' })).toEqual([
			{ kind: 'rename', path: '/workspace/d', to: '/workspace/e' },
			{ kind: 'write', path: '/workspace/e/a', mode: 0o100640, bytes: bytes('content') }
		]);
		// It is stored now: a further move needs nothing else.
		files['/workspace/f/a'] = 'content';
		expect(await of({ kind: 'rename', path: '/workspace/e', to: '/workspace/f' })).toHaveLength(1);
		files['/workspace/g'] = 'other';
		expect(await of({ kind: 'rename', path: '/workspace/db', to: '/workspace/g' })).toHaveLength(2);
	});

	it('and then written or made anew needs no reading', async () => {
		const { of, files } = storing();
		for (const kind of ['write', 'mkdir'] as const) {
			const path = `/workspace/${kind}`;
			await of({ kind: 'rename', path: '/tmp/a', to: path });
			await of({ kind, path });
			files[`${path}2`] = 'x';
			expect(await of({ kind: 'rename', path, to: `${path}2` })).toHaveLength(1);
		}
	});
});

it('reads all that is at a path: folders, files with their modes, links with their targets', async () => {
	const environment = await temporaryEnvironment();
	await environment.exec('mkdir -p d/deep && printf x > d/deep/run && chmod 750 d/deep/run && ln -s deep/run d/link');
	const root = `${environment.workingDirectory()}/d`;
	const found = await readTree(root, environment);
	expect(found.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
		{ kind: 'mkdir', path: root },
		{ kind: 'mkdir', path: `${root}/deep` },
		{ kind: 'write', path: `${root}/deep/run`, mode: 0o100750, bytes: bytes('x') },
		{ kind: 'write', path: `${root}/link`, mode: Mode.symlink, bytes: bytes('deep/run') }
	]);
	expect(await readTree(`${root}/link`, environment)).toMatchObject([{ mode: Mode.symlink }]);
	expect(await readTree(`${root}/none`, environment)).toEqual([]);
});
