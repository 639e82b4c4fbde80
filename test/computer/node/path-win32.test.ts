import { win32 } from 'node:path';
import { expect, it } from 'vitest';
import { createWin32 } from '#computer/node/modules/path-win32.ts';

const PATHS = [
	'',
	'.',
	'..',
	'a',
	'a.b.js',
	'a/b',
	'a\\b\\',
	'.\\a',
	'..\\..\\a',
	'a\\..\\..\\b',
	'\\',
	'\\a\\..\\b',
	'/a/./b//c',
	'C:',
	'c:\\',
	'C:\\a\\b.txt',
	'C:/a/../..',
	'C:a\\b',
	'C:..\\a',
	'D:\\x\\.y',
	'\\\\server\\share',
	'\\\\server\\share\\',
	'//server/share/a/../b.c',
	'.git',
	'a.',
	'b\\.c\\d.e'
];

it('takes Windows paths apart and puts them together as Node does', () => {
	const ours = createWin32(() => process.cwd());
	const differing: string[] = [];
	const compare = (name: string, ...args: unknown[]) => {
		const call = (module: object): unknown => Reflect.apply(Reflect.get(module, name) as () => unknown, module, args);
		const [got, wanted] = [call(ours), call(win32)].map((value) => JSON.stringify(value));
		if (got !== wanted) differing.push(`${name}(${JSON.stringify(args)}): ${got} instead of ${wanted}`);
	};
	for (const path of PATHS) {
		for (const name of ['normalize', 'isAbsolute', 'dirname', 'basename', 'extname', 'parse']) compare(name, path);
		// For a root alone, Node returns the slash if a suffix is given.
		if (path !== 'c:\\') compare('basename', path, '.js');
		compare('format', win32.parse(path));
		for (const other of PATHS) {
			// Treatment of a drive in the middle differs between Node versions.
			if (path === '' || !other.includes(':')) compare('join', path, other);
			compare('resolve', 'C:\\base', path, other);
			compare('relative', win32.resolve('C:\\base', path), win32.resolve('C:\\base', other));
		}
	}
	for (const path of ['C:\\a', '\\\\server\\share\\a', '\\\\?\\C:\\a', 'C:\\a\\..']) compare('toNamespacedPath', path);
	expect(differing).toEqual([]);
	expect(Reflect.apply(Reflect.get(ours, 'join') as () => unknown, ours, ['.', 'C:\\a'])).toBe('.\\C:\\a');
	expect([Reflect.get(ours, 'sep'), Reflect.get(ours, 'delimiter')]).toEqual(['\\', ';']);
});
