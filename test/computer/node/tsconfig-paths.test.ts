import { expect, it } from 'vitest';
import type { LoaderFiles } from '#computer/node/loader/files.ts';
import { tsconfigPaths } from '#computer/node/loader/tsconfig-paths.ts';
import { jestAliases, renamed, viteAliases } from '#computer/test-runners/alias.ts';

const filesOf = (files: Record<string, string>): LoaderFiles =>
	({ isFile: (path: string) => path in files, read: (path: string) => files[path] ?? '' }) as LoaderFiles;

it('reads paths as TypeScript does: the nearest, extended and referred configuration, the longest pattern', () => {
	const files = filesOf({
		'/p/tsconfig.json': '{ "extends": "./base", "compilerOptions": { "strict": true } } // mine',
		'/p/base.json':
			'{ "compilerOptions": { "baseUrl": "./src", "paths": { "@/*": ["*", "other/*"], "@/lib/*": ["l/*"], "x": ["/y.ts"] } } }',
		'/q/tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }',
		'/q/tsconfig.app.json':
			'{ "compilerOptions": { /* "no": 1 */ "paths": { "#app/*": ["./a/*"], "app/*": ["./a/*"], }, }, }'
	});
	const paths = tsconfigPaths(files, null);
	expect(paths('@/a/b', '/p/deep/f.ts')).toEqual(['/p/src/a/b', '/p/src/other/a/b', '/p/src/@/a/b']);
	expect(paths('@/lib/c', '/p/f.ts')[0]).toBe('/p/src/l/c');
	expect(paths('x', '/p/f.ts')[0]).toBe('/y.ts');
	expect(paths('app/c', '/q/f.ts')).toEqual(['/q/a/c']);
	for (const own of ['./a', '/a', 'node:fs']) expect(paths(own, '/p/f.ts')).toEqual([]);
	expect(paths('@/a', '/p/node_modules/m/f.ts')).toEqual([]);
	expect(paths('@/a', '/elsewhere/f.ts')).toEqual([]);
});

it('puts places for names as Vite and jest are configured to', () => {
	const vite = viteAliases({ '@': '/p/src', '~/': './src/', lib: '/lib' });
	expect(renamed(vite, '/p', '@/a')).toEqual(['/p/src/a']);
	expect(renamed(vite, '/p', '~/a')).toEqual(['/p/./src/a']);
	expect(renamed(vite, '/p', 'lib')).toEqual(['/lib', '/p/lib']);
	expect(renamed(vite, '/p', '@scope/a')).toEqual([]);
	const jest = jestAliases({ '\\.css$': 'identity-obj-proxy', '^a/(.*)$': ['<rootDir>/b/$1', '<rootDir>/c/$1'] });
	expect(renamed(jest, '/p', './x.css')).toEqual(['identity-obj-proxy']);
	expect(renamed(jest, '/p', 'a/d')).toEqual(['/p/./b/d', '/p/./c/d']);
});
