import { beforeEach, describe, expect, it } from 'vitest';
import { SyscallError } from '#computer/abi/client.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import { lookup } from '#computer/volume/lookup.ts';
import type { Volume } from '#computer/volume/volume.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

let volume: Volume;
beforeEach(() => {
	volume = createVolume([]);
	volume.mkdir('/workspace/a/b', { recursive: true });
	volume.writeFile('/workspace/a/file', bytes('x'));
	volume.symlink('a', '/workspace/link');
	volume.symlink('/workspace/a/file', '/workspace/a/b/far');
	volume.symlink('../file', '/workspace/a/b/near');
	volume.symlink('nowhere', '/workspace/broken');
	volume.symlink('loop', '/workspace/loop');
});

const resolve = (path: string, follow = true, isGuarded = false): string => {
	try {
		const { path: real, link, name, parent } = lookup(volume.root, path, follow, isGuarded);
		if (link && name !== '.' && path !== '/') expect(parent.children.get(name) ?? link).toBe(link);
		return link ? real : `${real} (missing)`;
	} catch (error) {
		if (error instanceof SyscallError) return error.code;
		throw error;
	}
};

describe('a path', () => {
	it.each([
		['/', '/'],
		['/workspace', '/workspace'],
		['//workspace///a/', '/workspace/a'],
		['/workspace/./a/.', '/workspace/a'],
		['/workspace/a/..', '/workspace'],
		['/workspace/a/../a/file', '/workspace/a/file'],
		['/../..', '/'],
		['/../workspace', '/workspace'],
		['/workspace/a/b/../../a/b/..', '/workspace/a'],
		['/workspace/link', '/workspace/a'],
		['/workspace/link/b/near', '/workspace/a/file'],
		['/workspace/a/b/far', '/workspace/a/file'],
		['/workspace/link/..', '/workspace'],
		['/workspace/none', '/workspace/none (missing)'],
		['/workspace/broken', '/workspace/nowhere (missing)'],
		['/workspace/none/x', 'ENOENT'],
		['/workspace/none/..', 'ENOENT'],
		['/workspace/broken/x', 'ENOENT'],
		['/workspace/a/file/x', 'ENOTDIR'],
		['/workspace/a/file/..', 'ENOTDIR'],
		['/workspace/a/file/.', 'ENOTDIR'],
		['/workspace/a/file/', 'ENOTDIR'],
		['/workspace/loop', 'ELOOP'],
		['/workspace/loop/x', 'ELOOP']
	])('%s leads to %s', (path, real) => {
		expect(resolve(path)).toBe(real);
	});

	it('leads to the link itself where the last part is not followed, but for a slash behind it', () => {
		expect(resolve('/workspace/link', false)).toBe('/workspace/link');
		expect(resolve('/workspace/link/', false)).toBe('/workspace/a');
		expect(resolve('/workspace/link/b/near', false)).toBe('/workspace/a/b/near');
		expect(resolve('/workspace/loop', false)).toBe('/workspace/loop');
	});

	it('names the directory that holds it and its name there', () => {
		const place = lookup(volume.root, '/workspace/a/b/..', true);
		expect([place.path, place.name]).toEqual(['/workspace/a', 'a']);
		expect(place.parent.children.get('a')).toBe(place.link);
		const missing = lookup(volume.root, '/workspace/a/new', true);
		expect([missing.name, missing.link]).toEqual(['new', undefined]);
		expect(missing.parent.children.get('b')).toBeDefined();
		expect(lookup(volume.root, '/..', true)).toMatchObject({
			path: '/',
			name: '',
			link: volume.root,
			parent: volume.root
		});
	});

	it('follows forty links and no more', () => {
		for (let at = 1; at <= 41; at++) volume.symlink(at === 1 ? 'a' : `hop${at - 1}`, `/workspace/hop${at}`);
		expect(resolve('/workspace/hop40')).toBe('/workspace/a');
		expect(resolve('/workspace/hop41')).toBe('ELOOP');
	});

	it('is as long as Linux allows, in bytes', () => {
		expect(resolve(`/workspace/${'n'.repeat(255)}`)).toContain('(missing)');
		expect(resolve(`/workspace/${'n'.repeat(256)}`)).toBe('ENAMETOOLONG');
		expect(resolve(`/workspace/${'é'.repeat(127)}n`)).toContain('(missing)');
		expect(resolve(`/workspace/${'é'.repeat(128)}`)).toBe('ENAMETOOLONG');
		const long = (length: number) => `/workspace${'/.'.repeat((length - 10) / 2)}`.padEnd(length, '/');
		expect(resolve(long(4_095))).toBe('/workspace');
		expect(resolve(long(4_096))).toBe('ENAMETOOLONG');
	});
});

describe('permissions of directories', () => {
	it('hold for a guarded look-up: none is entered without its bit, and each may be found', () => {
		volume.chmod('/workspace/a', 0o600);
		expect(resolve('/workspace/a', true, true)).toBe('/workspace/a');
		expect(resolve('/workspace/a/file', true, true)).toBe('EACCES');
		expect(resolve('/workspace/a/.', true, true)).toBe('EACCES');
		expect(resolve('/workspace/link/b', true, true)).toBe('EACCES');
		expect(resolve('/workspace/a/file')).toBe('/workspace/a/file');
		volume.chmod('/workspace/a', 0o100);
		expect(resolve('/workspace/a/file', true, true)).toBe('/workspace/a/file');
	});
});
