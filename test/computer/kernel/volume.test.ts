import { beforeEach, describe, expect, it, vi } from 'vitest';
import { VolumeClone } from '#computer/volume/clone.ts';
import { Content } from '#computer/volume/content.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { copyTree, removeTree, renameEntry, walkTree } from '#computer/volume/tree.ts';
import type { VolumeChange } from '#computer/abi/volume-change.ts';
import type { Volume } from '#computer/volume/volume.ts';
import { FILE_BYTES } from '#computer/abi/limits.ts';
import { SyscallError } from '#computer/abi/client.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (value: Uint8Array) => new TextDecoder().decode(value);

function codeOf(run: () => unknown): string {
	try {
		run();
		return 'done';
	} catch (error) {
		if (error instanceof SyscallError) return error.code;
		throw error;
	}
}

let volume: Volume;
let changes: VolumeChange[];
beforeEach(() => {
	volume = createVolume(['node']);
	changes = [];
	volume.onChange = (change) => changes.push(change);
});

describe('names', () => {
	it('renames a link, not what it leads to', () => {
		volume.writeFile('/workspace/target', bytes('t'));
		volume.symlink('target', '/workspace/link');
		renameEntry(volume, '/workspace/link', '/workspace/moved');
		expect(volume.readlink('/workspace/moved')).toBe('target');
		expect(text(volume.readFile('/workspace/target'))).toBe('t');
	});

	it('removes a link to a directory, not the directory', () => {
		volume.mkdir('/workspace/d');
		volume.writeFile('/workspace/d/a', bytes('a'));
		volume.symlink('d', '/workspace/link');
		removeTree(volume, '/workspace/link', { recursive: true });
		expect(text(volume.readFile('/workspace/d/a'))).toBe('a');
	});

	it('refuses a rename over a full directory, into itself, or of another kind', () => {
		volume.mkdir('/workspace/a/b', { recursive: true });
		volume.mkdir('/workspace/full/x', { recursive: true });
		volume.writeFile('/workspace/file', bytes('f'));
		expect(codeOf(() => renameEntry(volume, '/workspace/a', '/workspace/full'))).toBe('ENOTEMPTY');
		expect(codeOf(() => renameEntry(volume, '/workspace/a', '/workspace/a/b/c'))).toBe('EINVAL');
		expect(codeOf(() => renameEntry(volume, '/workspace/a', '/workspace/file'))).toBe('ENOTDIR');
		expect(codeOf(() => renameEntry(volume, '/workspace/file', '/workspace/a'))).toBe('EISDIR');
		renameEntry(volume, '/workspace/a', '/workspace/full/x');
		expect(walkTree(volume, '/workspace').map(({ path }) => path)).toEqual([
			'/workspace/full',
			'/workspace/full/x',
			'/workspace/full/x/b',
			'/workspace/file'
		]);
	});

	it('keeps the directories it is made of', () => {
		for (const root of ['/workspace', '/home/user', '/tmp']) {
			expect(codeOf(() => removeTree(volume, root, { recursive: true }))).toBe('EACCES');
			expect(codeOf(() => renameEntry(volume, root, '/workspace/moved'))).not.toBe('done');
		}
	});

	it('copies a tree with its links, not into itself', () => {
		volume.mkdir('/workspace/d');
		volume.writeFile('/workspace/d/run', bytes('x'), { mode: 0o755 });
		volume.symlink('run', '/workspace/d/link');
		copyTree(volume, '/workspace/d', '/workspace/e', { recursive: true });
		expect(volume.readlink('/workspace/e/link')).toBe('run');
		expect(volume.stat('/workspace/e/run').mode & 0o777).toBe(0o755);
		expect(codeOf(() => copyTree(volume, '/workspace/d', '/workspace/d/in', { recursive: true }))).toBe('EINVAL');
	});

	it('shares one content between hard links', () => {
		volume.writeFile('/workspace/a', bytes('1'));
		volume.link('/workspace/a', '/workspace/b');
		volume.appendFile('/workspace/b', bytes('2'));
		expect(text(volume.readFile('/workspace/a'))).toBe('12');
		volume.unlink('/workspace/a');
		expect(volume.stat('/workspace/b').links).toBe(1);
		volume.unlink('/workspace/b');
		expect(volume.used).toBe(0);
	});
});

describe('contents', () => {
	it('never changes bytes that were handed out', () => {
		volume.writeFile('/workspace/a', bytes('first'));
		const seen = volume.readFile('/workspace/a');
		volume.writeAt('/workspace/a', bytes('X'), 0);
		volume.appendFile('/workspace/a', bytes('!'));
		volume.truncate('/workspace/a', 2);
		volume.appendFile('/workspace/a', bytes('more'));
		expect(text(seen)).toBe('first');
		expect(text(volume.readFile('/workspace/a'))).toBe('Ximore');
		expect(changes.map((change) => text(change.bytes ?? bytes('')))).toEqual([
			'first',
			'Xirst',
			'Xirst!',
			'Xi',
			'Ximore'
		]);
	});

	it('fills a gap with zeros', () => {
		volume.writeFile('/workspace/a', bytes('a'));
		volume.writeAt('/workspace/a', bytes('b'), 3);
		expect([...volume.readFile('/workspace/a')]).toEqual([97, 0, 0, 98]);
		volume.truncate('/workspace/a', 6);
		expect([...volume.readFile('/workspace/a')]).toEqual([97, 0, 0, 98, 0, 0]);
	});

	it('keeps an overlay apart from its base, both ways', () => {
		volume.writeFile('/workspace/a', bytes('base'));
		const copy = new VolumeClone(volume);
		copy.appendFile('/workspace/a', bytes(' copy'));
		volume.appendFile('/workspace/a', bytes(' more'));
		copy.writeFile('/workspace/new', bytes('n'));
		expect(text(volume.readFile('/workspace/a'))).toBe('base more');
		expect(text(copy.readFile('/workspace/a'))).toBe('base copy');
		expect(codeOf(() => volume.stat('/workspace/new'))).toBe('ENOENT');
	});
});

describe('limits', () => {
	it('refuses a file over 64 MB before writing any of it', () => {
		volume.writeFile('/workspace/a', bytes('kept'));
		expect(codeOf(() => volume.truncate('/workspace/a', FILE_BYTES + 1))).toBe('EFBIG');
		expect(codeOf(() => volume.writeAt('/workspace/a', bytes('x'), FILE_BYTES))).toBe('EFBIG');
		expect(text(volume.readFile('/workspace/a'))).toBe('kept');
	});

	it('is full at its limit, and free again after a removal', () => {
		volume.writeFile('/workspace/a', new Uint8Array(100));
		volume.used = volume.limit;
		expect(codeOf(() => volume.writeFile('/workspace/b', bytes('x')))).toBe('ENOSPC');
		expect(codeOf(() => volume.stat('/workspace/b'))).toBe('ENOENT');
		volume.unlink('/workspace/a');
		expect(codeOf(() => volume.writeFile('/workspace/b', bytes('x')))).toBe('done');
	});

	it('is full, and as it was, when the browser has no memory left', () => {
		volume.writeFile('/workspace/a', bytes('kept'));
		const { used } = volume;
		const write = vi.spyOn(Content.prototype, 'writeAt').mockImplementation(() => {
			throw new RangeError('Array buffer allocation failed');
		});
		expect(codeOf(() => volume.appendFile('/workspace/a', bytes('more')))).toBe('ENOSPC');
		write.mockRestore();
		expect(volume.used).toBe(used);
		expect(text(volume.readFile('/workspace/a'))).toBe('kept');
	});
});

describe('what has changed lately', () => {
	it('is known by path since a count of changes, until there was too much', () => {
		volume.writeFile('/workspace/a', bytes('1'));
		const before = volume.mutations;
		expect(volume.recent.since(before)).toEqual([]);
		volume.writeFile('/workspace/b', bytes('2'));
		renameEntry(volume, '/workspace/a', '/workspace/c');
		volume.writeFile('/workspace/b', bytes('3'));
		expect(volume.recent.since(before)).toEqual(['/workspace/b', '/workspace/a', '/workspace/c']);
		expect(volume.recent.since(volume.mutations - 1)).toEqual(['/workspace/b']);
		for (let count = 0; count < 2_000; count++) volume.writeFile('/workspace/b', bytes(String(count)));
		expect(volume.recent.since(before)).toBeNull();
		expect(volume.recent.since(volume.mutations - 500)).toEqual(['/workspace/b']);
	});
});
