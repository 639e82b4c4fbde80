import { beforeEach, expect, it } from 'vitest';
import { FileDescription } from '#computer/kernel/streams/file-description.ts';
import { FileLocks } from '#computer/kernel/streams/file-locks.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { Volume } from '#computer/volume/volume.ts';

let volume: Volume;
let locks: FileLocks;
beforeEach(() => {
	volume = createVolume([]);
	volume.writeFile('/workspace/a', new Uint8Array(10));
	volume.symlink('a', '/workspace/link');
	locks = new FileLocks(volume);
});
const open = (path = '/workspace/a') => new FileDescription(volume, path, 'both').retain();

it('shared locks of two open files stand beside each other, an exclusive one alone', () => {
	const [one, two] = [open(), open('/workspace/link')];
	expect(locks.set(one, 0, 10, 'shared')).toBe(true);
	expect(locks.set(two, 5, 10, 'shared')).toBe(true);
	expect(locks.set(one, 0, 5, 'exclusive')).toBe(true);
	expect(locks.set(one, 0, 6, 'exclusive')).toBe(false);
	expect(locks.set(two, 0, 1, 'shared')).toBe(false);
	expect(locks.set(two, 0, 1, 'test')).toBe(false);
	expect(locks.set(two, 20, 1, 'test')).toBe(true);
});

it('a part of a range is unlocked', () => {
	const [one, two] = [open(), open()];
	locks.set(one, 0, 10, 'exclusive');
	locks.set(one, 4, 2, 'none');
	expect(locks.set(two, 4, 2, 'exclusive')).toBe(true);
	expect(locks.set(two, 3, 1, 'test')).toBe(false);
	expect(locks.set(two, 6, 1, 'test')).toBe(false);
	expect(locks.set(two, 10, 1, 'test')).toBe(true);
});

it('locks end when the last descriptor of the file is closed', () => {
	const [one, two] = [open().retain(), open()];
	locks.set(one, 0, 1, 'exclusive');
	one.release();
	expect(locks.set(two, 0, 1, 'exclusive')).toBe(false);
	one.release();
	expect(locks.set(two, 0, 1, 'exclusive')).toBe(true);
});

it('one file cannot be covered with locks without end', () => {
	const one = open();
	for (let at = 0; at < 1024; at++) locks.set(one, at * 2, 1, 'shared');
	expect(() => locks.set(one, 5000, 1, 'shared')).toThrow('too many locks');
});

it('a removed file cannot be locked', () => {
	const one = open();
	volume.unlink('/workspace/a');
	expect(() => locks.set(one, 0, 1, 'shared')).toThrow('no such file');
});
