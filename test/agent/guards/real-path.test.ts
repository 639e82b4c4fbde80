import { describe, expect, it } from 'vitest';
import { realPath } from '#agent/guards/real-path.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError, type ErrorCode } from '#environment/errors.ts';

/** An environment with links, by absolute path. */
function withLinks(links: Record<string, string>, failure: ErrorCode = 'ENOENT'): ExecutionEnvironment {
	return {
		workingDirectory: () => '/home/work',
		stat: (path: string) =>
			path in links
				? Promise.resolve({ kind: 'symlink' })
				: path.endsWith('file')
					? Promise.resolve({ kind: 'file' })
					: Promise.reject(new EnvironmentError(failure, 'x', path)),
		readLink: (path: string) => Promise.resolve(links[path])
	} as unknown as ExecutionEnvironment;
}

describe('the real path', () => {
	it.each<[string, string, Record<string, string>]>([
		['/home/work/a/file', '/home/work/a/file', {}],
		['/home/work/./a//b/../c/', '/home/work/a/c', {}],
		['/../../a', '/a', {}],
		['/', '/', {}],
		['~/a/../b', '~/a/../b', { '/~': '/x' }],
		['relative/../a', 'relative/../a', {}],
		['/home/work/link/a', '/home/work/real/a', { '/home/work/link': 'real' }],
		['/home/work/link/a', '/etc/a', { '/home/work/link': '/etc' }],
		['/home/work/d/link', '/home/work/x', { '/home/work/d/link': '../x' }],
		['/home/work/a/../b', '/elsewhere/b', { '/home/work/a': '/elsewhere/deep' }],
		['/home/work/one', '/home/work/three', { '/home/work/one': 'two', '/home/work/two': 'three' }],
		// Links above the workspace belong to the environment.
		['/home/work/a', '/home/work/a', { '/home': '/other' }]
	])('of %s is %s', async (path, real, links) => {
		expect(await realPath(withLinks(links), path)).toBe(real);
	});

	it('ends where links go round', async () => {
		expect(await realPath(withLinks({ '/home/work/a': 'b', '/home/work/b': 'a' }), '/home/work/a/c')).toBe(
			'/home/work/a/c'
		);
		const chain = Object.fromEntries(
			Array.from({ length: 40 }, (_, index) => [`/home/work/l${index}`, `l${index + 1}`])
		);
		expect(await realPath(withLinks(chain), '/home/work/l0')).toBe('/home/work/l40');
	});

	it('fails only where the environment is closed', async () => {
		expect(await realPath(withLinks({}, 'EACCES'), '/home/work/a')).toBe('/home/work/a');
		await expect(realPath(withLinks({}, 'ECLOSED'), '/home/work/a')).rejects.toMatchObject({ code: 'ECLOSED' });
		const broken = {
			...withLinks({}),
			stat: () => Promise.reject(new Error('broken'))
		} as unknown as ExecutionEnvironment;
		await expect(realPath(broken, '/home/work/a')).rejects.toThrow('broken');
	});
});
