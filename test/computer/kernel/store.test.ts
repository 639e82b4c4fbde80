import { Volume as MemfsVolume } from 'memfs';
import { beforeEach, describe, expect, it } from 'vitest';
import { createVolume } from '#computer/volume/first-files.ts';
import { removeTree, renameEntry } from '#computer/volume/tree.ts';
import type { Volume } from '#computer/volume/volume.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

let volume: Volume;
let memfs: MemfsVolume;
beforeEach(() => {
	volume = createVolume([]);
	memfs = new MemfsVolume(volume.store);
});

describe('the tree of a volume, through memfs itself', () => {
	it('has the same entries, modes, links and bytes', () => {
		volume.mkdir('/workspace/a');
		volume.writeFile('/workspace/a/run', bytes('ran'), { mode: 0o755 });
		volume.link('/workspace/a/run', '/workspace/again');
		volume.symlink('a/run', '/workspace/link');
		volume.appendFile('/workspace/again', bytes(' twice'));
		expect(memfs.readdirSync('/workspace')).toEqual(['a', 'again', 'link']);
		expect(memfs.readFileSync('/workspace/link', 'utf8')).toBe('ran twice');
		expect(memfs.readlinkSync('/workspace/link')).toBe('a/run');
		expect(memfs.statSync('/workspace/again')).toMatchObject({ mode: 0o100755, nlink: 2, size: 9 });
		volume.utimes('/workspace/again', 1_600_000_000_000, 1_700_000_000_000);
		expect(memfs.statSync('/workspace/a/run').mtimeMs).toBe(1_700_000_000_000);
	});

	it('follows what is moved and removed', () => {
		volume.mkdir('/workspace/a/deep', { recursive: true });
		volume.writeFile('/workspace/a/deep/file', bytes('f'));
		renameEntry(volume, '/workspace/a', '/workspace/b');
		expect(memfs.readFileSync('/workspace/b/deep/file', 'utf8')).toBe('f');
		expect(memfs.existsSync('/workspace/a')).toBe(false);
		removeTree(volume, '/workspace/b', { recursive: true });
		expect(memfs.readdirSync('/workspace')).toEqual([]);
		expect(volume.used).toBe(0);
	});

	it('never changes bytes that were handed out, whatever writes', () => {
		volume.writeFile('/workspace/a', bytes('first'), { mode: 0o666 });
		const seen = volume.readFile('/workspace/a');
		const descriptor = memfs.openSync('/workspace/a', 'r+');
		memfs.writeSync(descriptor, 'X', 0);
		memfs.closeSync(descriptor);
		expect(seen).toEqual(bytes('first'));
		expect(volume.readFile('/workspace/a')).toEqual(bytes('Xirst'));
		memfs.truncateSync('/workspace/a', 2);
		expect(volume.readFile('/workspace/a')).toEqual(bytes('Xi'));
		expect(seen).toEqual(bytes('first'));
	});
});
