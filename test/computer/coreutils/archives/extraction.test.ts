import { expect, it } from 'vitest';
import { placeOf } from '#computer/coreutils/archives/extraction.ts';
import type { SyncSyscalls } from '#computer/abi/client.ts';
import { createVolume } from '#computer/volume/first-files.ts';

/** Creates a directory that an archive is unpacked to, next to one outside of it. */
function start() {
	const volume = createVolume([]);
	for (const directory of ['/workspace/to', '/workspace/too', '/workspace/out']) volume.mkdir(directory);
	const exists = (path: string) => {
		try {
			return volume.stat(path);
		} catch {
			return null;
		}
	};
	const sync = {
		realpath: (path: string) => volume.realpath(path),
		statOrNull: exists,
		mkdir: (path: string) => volume.mkdir(path)
	} as unknown as SyncSyscalls;
	return { volume, place: (...parts: string[]) => placeOf(sync, '/workspace/to', parts) };
}

it('makes the directories on the way, and leaves those that are there', () => {
	const { volume, place } = start();
	expect(place('file')).toBe('/workspace/to/file');
	expect(volume.readdir('/workspace/to')).toEqual([]);
	expect(place('a', 'b', 'file')).toBe('/workspace/to/a/b/file');
	expect(place('a', 'b', 'other')).toBe('/workspace/to/a/b/other');
	expect(volume.stat('/workspace/to/a/b').kind).toBe('directory');
	expect(place()).toBe('/workspace/to/');
});

it.each([
	['a directory beside it', '../out'],
	['one that begins like it', '../too'],
	['what is above it', '..'],
	['an absolute place', '/home/user']
])('follows no link of the archive to %s', (_, target) => {
	const { volume, place } = start();
	volume.symlink(target, '/workspace/to/link');
	expect(() => place('link', 'file')).toThrow('a link on the way leads out of the directory');
	expect(() => place('link', 'deep', 'file')).toThrow('a link on the way leads out of the directory');
	// The link itself may be replaced.
	expect(place('link')).toBe('/workspace/to/link');
});

it('follows a link that stays in the directory', () => {
	const { volume, place } = start();
	volume.mkdir('/workspace/to/real');
	volume.symlink('real', '/workspace/to/link');
	volume.symlink('.', '/workspace/to/here');
	expect(place('link', 'file')).toBe('/workspace/to/link/file');
	expect(place('here', 'file')).toBe('/workspace/to/here/file');
});
