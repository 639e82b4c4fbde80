import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { expect, it, onTestFinished } from 'vitest';
import { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import type { ImportSource } from '#workspace/contract.ts';
import { FolderListing, isChosen } from '#workspace/import/folder-choice.ts';
import { importRepository } from '#workspace/import/import.ts';

const bytes = (length: number) => new Uint8Array(length).fill(97);
const archive = zipSync({
	'repo/package.json': bytes(10),
	'repo/apps/readme.md': bytes(10),
	'repo/apps/web/index.js': bytes(700),
	'repo/apps/tool/index.js': bytes(200),
	'repo/docs/a/guide.md': bytes(300)
});

async function importZip(source: Partial<Extract<ImportSource, { kind: 'zip' }>>) {
	const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const environment = new LocalExecutionEnvironment({ workingDirectory: folder });
	await environment.initialize();
	const zip: ImportSource = { kind: 'zip', name: 'repo', data: archive, ...source };
	const result = await importRepository(zip, environment, { maxBytes: 1_000 });
	const { stdout } = await environment.exec('git ls-files');
	return { ...result, list: stdout.trim().split('\n') };
}

it('offers the folders of what is too large, those of a large one by its own, and imports what was chosen', async () => {
	await expect(importZip({})).rejects.toMatchObject({
		code: 'too_large',
		folders: [
			{ path: 'apps/tool', files: 1, bytes: 200 },
			{ path: 'apps/web', files: 1, bytes: 700 },
			{ path: 'docs', files: 1, bytes: 300 }
		]
	});
	const { list, origin, notices } = await importZip({ folders: ['apps/tool', 'docs'] });
	expect(list).toEqual(['apps/readme.md', 'apps/tool/index.js', 'docs/a/guide.md', 'package.json']);
	expect(origin).toEqual({ kind: 'zip', name: 'repo (apps/tool, docs)' });
	expect(notices).toEqual(['Only a part was imported: apps/tool, docs.']);
});

it('names the pointers of Git LFS and the submodules that are not there', async () => {
	const text = (value: string) => new TextEncoder().encode(value);
	const { notices } = await importZip({
		data: zipSync({
			'.gitattributes': text('*.psd filter=lfs diff=lfs\n'),
			'a.psd': text('version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n'),
			'.gitmodules': text('[submodule "x"]\n\tpath = vendor/x\n\turl = https://example.org/x\n')
		})
	});
	expect(notices).toEqual([
		'Submodules are not imported: vendor/x.',
		'1 file is stored in Git LFS; only its pointer was imported: a.psd.'
	]);
});

it('takes along what lies on the way to a chosen folder, and nothing beside it', () => {
	const chosen = ['packages/core/src'];
	const files = ['a.txt', 'packages/b.txt', 'packages/core/c.txt', 'packages/core/src/deep/d.txt'];
	expect(files.filter((file) => isChosen(file, chosen))).toEqual(files);
	expect(['docs/e.txt', 'packages/core/source/f.txt', 'packages/x/g.txt'].some((file) => isChosen(file, chosen))).toBe(
		false
	);
	const listing = new FolderListing();
	for (const file of files) listing.add(file, 1);
	expect(listing.list(100)).toEqual([{ path: 'packages', files: 3, bytes: 3 }]);
	// A folder with at most half of the limit does not count as large.
	expect(listing.list(6)).toEqual([{ path: 'packages', files: 3, bytes: 3 }]);
	expect(listing.list(5)).toEqual([{ path: 'packages/core', files: 2, bytes: 2 }]);
});
