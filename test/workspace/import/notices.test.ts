import { expect, it } from 'vitest';
import { importNotices } from '#workspace/import/notices.ts';
import { temporaryEnvironment } from '#test/agent/fake-session.ts';

const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';

async function noticesOf(files: Record<string, string>): Promise<string[]> {
	const environment = await temporaryEnvironment();
	for (const [path, text] of Object.entries(files)) await environment.writeFile(path, text);
	return importNotices(environment);
}

it('are none for an ordinary repository', async () => {
	expect(await noticesOf({ 'a.txt': 'a', '.gitattributes': '* text=auto\n', 'b.txt': POINTER })).toEqual([]);
	expect(await noticesOf({ '.gitattributes': '*.bin filter=lfs\n', 'a.txt': 'none' })).toEqual([]);
	const similar = { 'a.bin': 'version https://git-lfs-github.com/spec/v1' };
	expect(await noticesOf({ '.gitattributes': '*.bin filter=lfs\n', ...similar })).toEqual([]);
});

it('name submodules', async () => {
	const modules = '[submodule "a"]\n\tpath = libs/a \n\turl = x\n# path = old\n[submodule "b"]\n  path=libs/b\n';
	expect(await noticesOf({ '.gitmodules': modules })).toEqual(['Submodules are not imported: libs/a, libs/b.']);
});

it('name up to five files of Git LFS, and count the others', async () => {
	const pointers = (count: number) =>
		Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}.bin`, POINTER]));
	const lfs = { '.gitattributes': '*.bin filter=lfs diff=lfs\n' };
	expect(await noticesOf({ ...lfs, ...pointers(1) })).toEqual([
		'1 file is stored in Git LFS; only its pointer was imported: f0.bin.'
	]);
	expect(await noticesOf({ ...lfs, 'a./b.bin': POINTER })).toEqual([expect.stringMatching(/: a\.\/b\.bin\.$/)]);
	const [five] = await noticesOf({ ...lfs, ...pointers(5) });
	expect(five).toMatch(/^5 files are stored in Git LFS; only their pointers were imported: (f\d\.bin, ){4}f\d\.bin\.$/);
	const [seven] = await noticesOf({ ...lfs, ...pointers(7) });
	expect(seven).toMatch(/^7 files .*: (f\d\.bin, ){4}f\d\.bin, and 2 more\.$/);
});
