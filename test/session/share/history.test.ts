import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ShareBundle, ShareStep } from '#session/contract.ts';
import { restoreHistory, restoreStep } from '#session/share/history.ts';
import { refuseLinksAbove, restoreBase, restoreChanges } from '#session/share/restore.ts';
import type { Checkpoint } from '#workspace/contract.ts';
import { importRepository } from '#workspace/import/import.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import { emptyShare } from './crafted.ts';

afterAll(removeTemporary);

async function computer(): Promise<ExecutionEnvironment> {
	const environment = await createTemporary();
	onTestFinished(() => environment.cleanup());
	return environment;
}

const file = (text: string, mode = 0o100644) => ({ mode, base64: btoa(text) });
const step = (fields: Partial<ShareStep>): ShareStep => ({
	checkpoint: null,
	files: {},
	removed: [],
	empty: [],
	...fields
});
const listed = async (environment: ExecutionEnvironment): Promise<string> =>
	(await environment.exec('find . -mindepth 1 -not -path "./.git*" | sort')).stdout;

describe('the files of a share', () => {
	it('begin as they were before the session, in one commit, and become what it left', async () => {
		const environment = await computer();
		const bundle: ShareBundle = {
			...emptyShare,
			origin: { kind: 'folder', name: 'mine' },
			files: { same: file('same'), changed: file('new'), made: file('made'), 'bin/run': file('#!', 0o100755) },
			before: { changed: file('old'), made: null, gone: file('gone') },
			removed: ['gone']
		};
		await restoreBase(bundle, environment, importRepository);
		expect(await listed(environment)).toBe('./bin\n./bin/run\n./changed\n./gone\n./same\n');
		expect((await environment.exec('git log --format=%s; cat changed')).stdout).toBe('Imported\nold');
		await restoreChanges(bundle, environment);
		expect(await listed(environment)).toBe('./bin\n./bin/run\n./changed\n./made\n./same\n');
		expect((await environment.exec('cat changed; test -x bin/run && echo runs')).stdout).toBe('newruns\n');
	});

	it('are fetched from the commit that the share names', async () => {
		const asked = vi.fn(async () => ({ origin: emptyShare.origin, files: 0, bytes: 0, notices: ['Left out: x.'] }));
		const environment = await computer();
		const base = { url: 'https://github.com/a/b', commit: '0'.repeat(40) };
		const options = { serverUrl: 'https://s.example/' };
		expect(await restoreBase({ ...emptyShare, base }, environment, asked, options)).toEqual(['Left out: x.']);
		expect(asked.mock.calls).toEqual([[{ kind: 'git', url: base.url, ref: base.commit }, environment, options]]);
	});

	it('are not written or removed through a link to another place', async () => {
		const environment = await computer();
		await environment.exec('mkdir -p ../outside && touch ../outside/kept && ln -s ../outside link');
		const refused = {
			code: 'EACCES',
			path: 'link/kept',
			message: expect.stringContaining('This path leads through a symbolic link: link/kept')
		};
		await expect(refuseLinksAbove(environment, 'link/kept')).rejects.toMatchObject(refused);
		await expect(restoreChanges({ ...emptyShare, removed: ['link/kept'] }, environment)).rejects.toMatchObject(refused);
		await expect(restoreStep(step({ removed: ['link/kept'] }), environment)).rejects.toMatchObject({ code: 'EACCES' });
		await expect(restoreStep(step({ empty: ['link/made'] }), environment)).rejects.toMatchObject({ code: 'EACCES' });
		expect((await environment.exec('ls ../outside')).stdout).toBe('kept\n');
		// The link itself may go, and what is not there needs no removal.
		await restoreChanges({ ...emptyShare, removed: ['link', 'nowhere/x'] }, environment);
		expect(await listed(environment)).toBe('');
	});

	it('cannot be restored where a folder above cannot be looked at', async () => {
		const environment = await computer();
		const stat = vi.spyOn(environment, 'stat').mockRejectedValue(new Error('no disk'));
		await expect(refuseLinksAbove(environment, 'a/b')).rejects.toThrow('no disk');
		stat.mockRestore();
	});
});

describe('the history of a share', () => {
	it('leaves the empty directories of each step and no others', async () => {
		const environment = await computer();
		await environment.exec('git init -q . && mkdir -p old kept/deep .git/empty && touch a');
		await restoreStep(step({ files: { b: file('b') }, removed: ['a'], empty: ['kept/deep', 'new/deep'] }), environment);
		expect(await listed(environment)).toBe('./b\n./kept\n./kept/deep\n./new\n./new/deep\n');
		expect(await environment.fileExists('.git/empty')).toBe(true);
	});

	it('becomes checkpoints of files, which lead to their entries where the share has these', async () => {
		const environment = await computer();
		const checkpoint = (id: string, entryId: string | null): Checkpoint => ({
			id,
			tree: `theirs ${id}`,
			label: id,
			timestamp: 1,
			entryId
		});
		const entry = { id: 'e', parentId: null, timestamp: 0, type: 'label' as const, targetId: '', label: '' };
		const bundle: ShareBundle = {
			...emptyShare,
			entries: [entry],
			checkpoints: [
				checkpoint('start', null),
				checkpoint('one', 'e'),
				checkpoint('two', 'gone'),
				checkpoint('three', null)
			]
		};
		const history = [
			step({ checkpoint: 'one', files: { a: file('1') } }),
			step({ checkpoint: 'two', files: { a: file('2') } }),
			step({ checkpoint: 'unknown', files: { a: file('3') } }),
			step({ checkpoint: 'three', removed: ['a'], files: { b: file('4') } }),
			step({ files: { b: file('now') } })
		];
		const added: [Checkpoint, string[]][] = [];
		await restoreHistory(bundle, history, environment, {
			addCheckpoint: async (made, tree) => void added.push([made, [...tree.keys()]])
		});
		expect(added.map(([{ id, label, entryId }, paths]) => [id, label, entryId, paths])).toEqual([
			['one', 'one', 'e', ['a']],
			['two', 'two', null, ['a']],
			['three', 'three', null, ['b']]
		]);
		expect(new Set(added.map(([{ tree }]) => tree)).size).toBe(3);
		expect(added.some(([{ tree }]) => tree.startsWith('theirs'))).toBe(false);
		expect(await environment.readFile('b')).toBe('now');
	});
});
