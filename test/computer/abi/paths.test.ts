import { describe, expect, it } from 'vitest';
import {
	absolute,
	basename,
	dirname,
	HOME,
	isWithin,
	join,
	normalize,
	SEARCH_PATH,
	WRITABLE_ROOTS
} from '#computer/abi/paths.ts';
import fc from '#test/fast-check.ts';

const part = fc.constantFrom('a', 'b', '.', '..', '', '...', '.a', 'a b');

describe('a path of the sandbox', () => {
	it.each([
		['/a/./b//c/', '/a/b/c'],
		['/a/../b', '/b'],
		['/../../b', '/b'],
		['/..', '/'],
		['a/b', '/a/b'],
		['/...', '/...'],
		['', '/']
	])('%j is %j', (path, resolved) => {
		expect(normalize(path)).toBe(resolved);
	});

	it('never leaves the root and has nothing to resolve left', () => {
		fc.assert(
			fc.property(fc.array(part), (parts) => {
				const resolved = normalize(parts.join('/'));
				expect(resolved.startsWith('/')).toBe(true);
				expect(resolved.split('/').slice(1)).not.toContain('..');
				expect(normalize(resolved)).toBe(resolved);
			})
		);
	});

	it('is seen from a directory, the home or the root', () => {
		expect(absolute('b/../c', '/a')).toBe('/a/c');
		expect(absolute('/b', '/a')).toBe('/b');
		expect(absolute('~', '/a')).toBe(HOME);
		expect(absolute('~/b/', '/a')).toBe(`${HOME}/b`);
		expect(absolute('~b', '/a')).toBe('/a/~b');
		expect(absolute('b~', '/')).toBe('/b~');
	});

	it('is cut and put together at its last part', () => {
		expect([dirname('/a/b'), dirname('/a'), dirname('/'), dirname('a')]).toEqual(['/a', '/', '/', '/']);
		expect([basename('/a/b'), basename('/a'), basename('/')]).toEqual(['b', 'a', '']);
		expect([join('/', 'a'), join('/a', 'b')]).toEqual(['/a', '/a/b']);
	});

	it('lies within itself and what is above it, not beside what begins alike', () => {
		expect(isWithin('/a', '/a')).toBe(true);
		expect(isWithin('/a/b', '/a')).toBe(true);
		expect(isWithin('/anything', '/')).toBe(true);
		expect(isWithin('/', '/')).toBe(true);
		expect(isWithin('a', '/')).toBe(false);
		expect(isWithin('/ab', '/a')).toBe(false);
		expect(isWithin('/', '/a')).toBe(false);
		expect(isWithin('/x/a', '/a')).toBe(false);
	});
});

it('writes to the project, the home and temporary files alone, and finds its own programs first', () => {
	expect(WRITABLE_ROOTS).toEqual(['/workspace', '/home/user', '/tmp', '/dev/shm']);
	const directories = SEARCH_PATH.split(':');
	expect(directories.filter((directory) => WRITABLE_ROOTS.some((root) => isWithin(directory, root)))).toEqual(
		directories.slice(3)
	);
	expect(directories.slice(0, 3)).toEqual(['/usr/local/bin', '/usr/bin', '/bin']);
	expect(directories.slice(3)).toEqual(['/home/user/.local/bin', '/home/user/.npm-global/node_modules/.bin']);
});
