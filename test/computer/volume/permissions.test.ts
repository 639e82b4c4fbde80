import { beforeEach, expect, it } from 'vitest';
import { SyscallError } from '#computer/abi/client.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { lookup } from '#computer/volume/lookup.ts';
import { checkEnter, checkEntries, checkList, checkRemoval, mayWalk } from '#computer/volume/permissions.ts';
import type { Volume } from '#computer/volume/volume.ts';

let volume: Volume;
beforeEach(() => {
	volume = createVolume([]);
	volume.mkdir('/workspace/d/inner', { recursive: true });
	volume.writeFile('/workspace/d/inner/file', new Uint8Array());
});

const linkOf = (path: string) => lookup(volume.root, path, false).link!;

/** Modes of the owner under which a check of the directory passes. */
function passes(check: (link: ReturnType<typeof linkOf>) => unknown): string[] {
	const modes = ['---', '--x', '-w-', '-wx', 'r--', 'r-x', 'rw-', 'rwx'];
	return modes.filter((_, bits) => {
		// Bits for others have no effect: there is only one user.
		volume.chmod('/workspace/d', (bits << 6) | 0o077);
		try {
			return check(linkOf('/workspace/d')) !== false;
		} catch (error) {
			if (error instanceof SyscallError && error.code === 'EACCES' && error.path === '/p') return false;
			throw error;
		}
	});
}

it('of the owner say what may be done in a directory', () => {
	expect(passes((link) => checkEnter(link, '/p'))).toEqual(['--x', '-wx', 'r-x', 'rwx']);
	expect(passes((link) => checkList(link, '/p'))).toEqual(['r--', 'r-x', 'rw-', 'rwx']);
	expect(passes((link) => checkEntries(link, '/p'))).toEqual(['-wx', 'rwx']);
	expect(passes((link) => mayWalk(link))).toEqual(['r-x', 'rwx']);
	expect(passes((link) => checkRemoval(link, '/p'))).toEqual(['rwx']);
});

it('of all directories below that hold something count for a removal, those of files and empty ones do not', () => {
	const removable = () => {
		try {
			checkRemoval(linkOf('/workspace/d'), '/p');
			return true;
		} catch {
			return false;
		}
	};
	volume.chmod('/workspace/d/inner/file', 0);
	expect(removable()).toBe(true);
	volume.chmod('/workspace/d/inner', 0o500);
	expect(removable()).toBe(false);
	volume.unlink('/workspace/d/inner/file');
	expect(removable()).toBe(true);
});
