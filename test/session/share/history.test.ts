import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { Mode } from '#environment/mode.ts';
import type { ShareBundle, ShareStep } from '#session/contract.ts';
import { CarriedFiles } from '#session/share/carried-files.ts';
import { collectHistory, restoreHistory, restoreStep, type HistoricTree } from '#session/share/history.ts';
import { Redaction } from '#session/share/redaction.ts';
import { refuseLinksAbove, restoreBase, restoreChanges } from '#session/share/restore.ts';
import { treeHash } from '#session/share/sha256.ts';
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
		// The link itself may be removed, and missing files need no removal.
		await restoreChanges({ ...emptyShare, removed: ['link', 'nowhere/x'] }, environment);
		expect(await listed(environment)).toBe('');
	});

	it('need no removal below what is a file', async () => {
		const environment = await computer();
		await environment.writeFile('a', 'kept');
		await restoreChanges({ ...emptyShare, removed: ['a/b/c/d'] }, environment);
		expect(await environment.readFile('a')).toBe('kept');
	});

	it('cannot be restored where a folder above cannot be looked at', async () => {
		const environment = await computer();
		const stat = vi.spyOn(environment, 'stat');
		for (const failure of [new Error('no disk'), new EnvironmentError('EACCES', 'not permitted')]) {
			stat.mockRejectedValue(failure);
			await expect(refuseLinksAbove(environment, 'a/b')).rejects.toBe(failure);
		}
		stat.mockRestore();
	});
});

describe('the history of a share', () => {
	it('has what changed from checkpoint to checkpoint, and a hash of the files of each', async () => {
		const tree = (files: Record<string, string>): HistoricTree => ({
			files: new Map(Object.entries(files).map(([path, blob]) => [path, { mode: Mode.file, blob }])),
			empty: Object.keys(files).length > 1 ? ['folder'] : []
		});
		const trees = new Map([
			['t1', tree({ a: '1', b: '1' })],
			['t2', tree({ a: '2', c: '1' })]
		]);
		const now = tree({ a: '2' });
		const carried = new CarriedFiles(
			trees.get('t1')!.files,
			false,
			async (blob) => new TextEncoder().encode(blob),
			new Redaction(new Set())
		);
		const checkpoints = ['1', '2', 'lost'].map((id) => ({
			id,
			tree: `t${id}`,
			label: '',
			timestamp: 0,
			entryId: null
		}));
		const { steps, hashes } = await collectHistory(checkpoints, trees, now, carried);
		expect(steps).toEqual([
			step({ checkpoint: '2', files: { a: file('2'), c: file('1') }, removed: ['b'], empty: ['folder'] }),
			step({ checkpoint: 'lost', empty: ['folder'] }),
			step({ checkpoint: null, removed: ['c'] })
		]);
		const hashOf = async (id: string) => treeHash(trees.get(id)!.files);
		expect([...hashes]).toEqual([
			['1', await hashOf('t1')],
			['2', await hashOf('t2')],
			['lost', await hashOf('t2')]
		]);
		expect(await collectHistory([], new Map(), now, carried)).toEqual({ steps: [step({})], hashes: new Map() });
	});

	it('leaves the empty directories of each step and no others', async () => {
		const environment = await computer();
		await environment.exec('git init -q . && mkdir -p old gone/very/deep kept/deep .git/empty && touch a');
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
