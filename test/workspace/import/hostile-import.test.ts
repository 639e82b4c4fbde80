import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ShareBundle } from '#session/contract.ts';
import { restoreHistory } from '#session/share/history.ts';
import { restoreChanges } from '#session/share/restore.ts';
import { importRepository } from '#workspace/import/import.ts';
import { createTemporary, removeTemporary } from '#test/environment/local/temporary.ts';
import {
	archiveHost,
	archiveOf,
	file,
	folderOf,
	git,
	home,
	link,
	playHostileImports,
	type Made
} from './hostile-trees.ts';

const encoder = new TextEncoder();
let environment: ExecutionEnvironment;
beforeEach(async () => {
	environment = await createTemporary();
	await environment.writeFile('~/mine.txt', 'mine');
});
afterEach(async () => {
	await environment.cleanup();
	await removeTemporary();
});

const SETS: [what: string, files: Made[]][] = [
	['a path that climbs out', [file('a.txt'), file('../.bashrc')]],
	['an absolute path', [file('a.txt'), file('/home/user/.bashrc')]],
	['a drive', [file('a.txt'), file('C:\\Users\\a\\.bashrc')]],
	['.. between backslashes', [file('a.txt'), file('a\\..\\..\\.bashrc')]],
	['a null character', [file('a.txt'), file('a\0.bashrc')]],
	['a link and a folder of one name', [link('d', '..'), file('d/.bashrc')]],
	['a folder and a link of one name', [file('d/a.txt'), link('d', '..'), file('d/.bashrc')]],
	['a link to a folder with a link', [link('a', 'b'), link('b', '..'), file('a/.bashrc')]]
];

describe('an import with', () => {
	for (const [what, files] of SETS) {
		it(`${what} puts nothing outside the project, from a folder`, async () => {
			await importRepository({ kind: 'folder', name: 'f', files: folderOf(files) }, environment).catch(
				(error: unknown) => expect(error).toMatchObject({ name: 'ImportError', code: 'damaged' })
			);
			expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
		});

		it(`${what} puts nothing outside the project, from a host’s archive`, async () => {
			await importRepository(git, environment, archiveHost(archiveOf(files))).catch((error: unknown) =>
				expect(error).toMatchObject({ name: 'ImportError', code: 'damaged' })
			);
			expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
		});
	}

	it('any of these together puts nothing outside the project, by any way', async () => {
		const { tried, refused } = await playHostileImports(environment, { count: 15 });
		expect(tried).toBe(15);
		expect(refused).toBeGreaterThan(3);
	});

	it('hostile names in a zip is refused as damaged', async () => {
		for (const name of ['C:\\Users\\a\\.bashrc', 'c:/a', '..\\..\\.bashrc', 'a/../../.bashrc']) {
			const data = zipSync({ 'a.txt': encoder.encode('a'), [name]: encoder.encode('hostile') });
			await expect(importRepository({ kind: 'zip', name: 'z', data }, environment), name).rejects.toMatchObject({
				name: 'ImportError',
				code: 'damaged'
			});
		}
		expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
	});

	it('a repository of its own in a host’s archive leaves that out: it has a history of ours, and no setting of theirs', async () => {
		const archive = archiveOf([
			file('a.txt'),
			{ path: '.git/config', text: '[core]\n\tfsmonitor = touch ran\n' },
			{ path: '.GIT/config', text: 'x' },
			{ path: 'git~1/config', text: 'x' }
		]);
		expect(await importRepository(git, environment, archiveHost(archive))).toMatchObject({ files: 1 });
		expect((await environment.exec('git ls-files; git config core.fsmonitor')).stdout).toBe('a.txt\n');
	});
});

describe('a share that is continued', () => {
	const carried = { mode: 0o100644, base64: 'aG9zdGlsZQ==' };
	const share: ShareBundle = {
		version: 1,
		origin: { kind: 'files', name: 'files' },
		title: 'A share',
		files: {},
		removed: [],
		before: {},
		entries: [],
		checkpoints: [],
		viewOnly: false
	};

	beforeEach(async () => {
		// Files of its base.
		await environment.writeFile('a.txt', 'a');
		await environment.symlink('..', 'out');
	});

	it.each<[string, Partial<ShareBundle>]>([
		['writes through a link of its base', { files: { 'out/.bashrc': carried } }],
		['removes through a link of its base', { removed: ['out/mine.txt'] }],
		['makes a link and writes through it', { files: { d: { mode: 0o120000, base64: 'Li4=' }, 'd/.bashrc': carried } }]
	])('is refused when it %s', async (_, part) => {
		await expect(restoreChanges({ ...share, ...part }, environment)).rejects.toMatchObject({ code: 'EACCES' });
		expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
	});

	it.each([
		['writes', { files: { 'out/.bashrc': carried }, removed: [], empty: [] }],
		['removes', { files: {}, removed: ['out/mine.txt'], empty: [] }],
		['makes a folder', { files: {}, removed: [], empty: ['out/made'] }]
	])('is refused when a step of its history %s through a link', async (_, step) => {
		const stored = { addCheckpoint: () => Promise.resolve() };
		await expect(restoreHistory(share, [{ checkpoint: null, ...step }], environment, stored)).rejects.toMatchObject({
			code: 'EACCES'
		});
		expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
		expect(await environment.fileExists('~/made')).toBe(false);
	});

	it('takes a folder called ~ for what it is, and leaves the home alone', async () => {
		await environment.writeFile('./~/mine.txt', 'theirs');
		await restoreChanges({ ...share, removed: ['~/mine.txt'] }, environment);
		expect(await environment.fileExists('./~/mine.txt')).toBe(false);
		const step = { checkpoint: null, files: {}, removed: [], empty: ['~/made'] };
		await restoreHistory(share, [step], environment, { addCheckpoint: () => Promise.resolve() });
		expect((await environment.stat('./~/made')).kind).toBe('directory');
		expect(await environment.fileExists('~/made')).toBe(false);
		expect(await home(environment)).toEqual({ 'mine.txt': 'mine' });
	});
});
