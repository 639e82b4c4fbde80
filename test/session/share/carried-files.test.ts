import { describe, expect, it } from 'vitest';
import { blobId } from '#environment/blob-id.ts';
import { Mode } from '#environment/mode.ts';
import { CarriedFiles } from '#session/share/carried-files.ts';
import { Redaction } from '#session/share/redaction.ts';
import type { Tree } from '#workspace/checkpoint-store.ts';

const SECRET = `sk-ant-${'a1'.repeat(20)}`;
const CLEAN = 'key [taken out: Anthropic key]';

/** Blobs are their own ids. */
const readBlob = async (id: string): Promise<Uint8Array> => new TextEncoder().encode(id);
const tree = (files: Record<string, string | null>, mode: number = Mode.file): Tree =>
	new Map(
		Object.entries(files).map(([path, blob]) => [
			path,
			blob === null ? { mode: Mode.directory, blob: '' } : { mode, blob }
		])
	);
const START = { '.gitignore': 'log\nout/\n', a: '1', log: 'tracked', '.git/HEAD': 'x', '.git': 'gitdir: ../x' };
const carriedFrom = (isBased: boolean) => new CarriedFiles(tree(START), isBased, readBlob, new Redaction(new Set()));

describe('the files that a share carries', () => {
	it('are those that git tracks or would add, and nothing of git’s own', async () => {
		const now = tree({ ...START, new: '1', 'out/x': '1', '.git/index': 'y', empty: null });
		expect([...(await carriedFrom(false).of(now)).keys()]).toEqual(['.gitignore', 'a', 'new']);
	});

	it('are also ignored ones that a repository had from the start', async () => {
		const now = tree({ ...START, 'out/x': '1', 'sub/log': 'not tracked' });
		expect([...(await carriedFrom(true).of(now)).keys()]).toEqual(['.gitignore', 'a', 'log']);
	});

	it('stand beside the empty directories that git would look into', async () => {
		const now = tree({ '.gitignore': 'out/\n', empty: null, 'deep/er': null, out: null, a: '1' });
		expect(await carriedFrom(true).emptyDirectories(now)).toEqual(['empty', 'deep/er']);
	});
});

describe('a file that a share carries', () => {
	const base64 = (text: string) => btoa(text);

	it('has its content without secrets, and the mode of a file, a program or a link', async () => {
		const carried = carriedFrom(false);
		expect(await carried.file('a', { mode: Mode.file, blob: `key ${SECRET}` })).toEqual({
			mode: Mode.file,
			base64: base64(CLEAN)
		});
		for (const mode of [Mode.executable, Mode.symlink])
			expect(await carried.file('a', { mode, blob: 'x' })).toEqual({ mode, base64: base64('x') });
		expect(await carried.file('a', { mode: 0o100664, blob: 'x' })).toEqual({ mode: Mode.file, base64: base64('x') });
	});

	it('is known by the id of what is carried, or of what the visitor fetches', async () => {
		const secret = `key ${SECRET}`;
		const now = tree({ a: '1', b: secret });
		const clean = await blobId(new TextEncoder().encode(CLEAN));
		expect(await carriedFrom(false).asCarried(now)).toEqual(tree({ a: '1', b: clean }));
		const based = new CarriedFiles(tree({ a: secret, b: 'old' }), true, readBlob, new Redaction(new Set()));
		const changed = tree({ a: secret, b: secret, new: secret });
		expect(await based.asCarried(changed)).toEqual(tree({ a: secret, b: clean, new: clean }));
	});

	it('is read once for each content, mode and place', async () => {
		const read: string[] = [];
		const carried = new CarriedFiles(
			new Map(),
			false,
			(id) => {
				read.push(id);
				return readBlob(id);
			},
			new Redaction(new Set())
		);
		for (let time = 0; time < 2; time++) await carried.file('a', { mode: Mode.file, blob: 'x' });
		expect(read).toEqual(['x']);
		await carried.file('b', { mode: Mode.file, blob: 'x' });
		expect((await carried.file('a', { mode: Mode.executable, blob: 'x' })).mode).toBe(Mode.executable);
	});
});
