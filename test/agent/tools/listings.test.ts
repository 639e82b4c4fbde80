import { describe, expect, it } from 'vitest';
import type { ToolContext } from '#agent/tool.ts';
import { listDirectory } from '#agent/tools/list-directory.ts';
import { ls } from '#agent/tools/ls.ts';
import type { DirEntry } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';

const STAT = { mode: 0o644, modifiedMs: 0 };
const file = (path: string, size = 1): DirEntry => ({ ...STAT, path, kind: 'file', size });
const directory = (path: string): DirEntry => ({ ...STAT, path, kind: 'directory', size: 4_096 });
const link = (path: string): DirEntry => ({ ...STAT, path, kind: 'symlink', size: 9 });

/** A context whose directory has these entries, or cannot be listed. */
function listing(entries: DirEntry[] | Error) {
	const asked: unknown[][] = [];
	const environment = {
		workingDirectory: () => '/w',
		fileExists: () => Promise.resolve(true),
		listDirectory: (...args: unknown[]) => {
			asked.push(args);
			return entries instanceof Error ? Promise.reject(entries) : Promise.resolve([...entries]);
		}
	};
	return { context: { environment } as unknown as ToolContext, asked };
}

describe('ls', () => {
	const list = (entries: DirEntry[] | Error, args: { path?: string; limit?: number } = {}) =>
		ls.execute(args, listing(entries).context);

	it('shows names without regard to case, directories with a slash', async () => {
		const { context, asked } = listing([
			file('b', 2),
			file('C', 3),
			directory('a'),
			file('B', 5),
			link('_l'),
			file('c')
		]);
		expect(await ls.execute({}, context)).toEqual({
			content: '_l\na/\nB\nb\nC\nc',
			details: { path: '.', entryCount: 6, totalSize: 11, truncated: false },
			isError: false
		});
		expect(asked[0]?.[0]).toBe('/w');
		expect((await list([file('x')], { path: 'src' })).details).toMatchObject({ path: 'src' });
	});

	it('says that a directory is empty', async () => {
		expect(await list([])).toEqual({
			content: '(empty directory)',
			details: { path: '.', entryCount: 0, totalSize: 0, truncated: false },
			isError: false
		});
	});

	it('shows as many as are asked for, 500 otherwise, and how to get more', async () => {
		const many = Array.from({ length: 501 }, (_, index) => file(`f${String(index).padStart(3, '0')}`));
		const cut = await list(many);
		expect(cut.content).toMatch(/f499\n\n\[500 entries limit reached, 1 more\. Use limit=1000 for more\]$/);
		expect(cut.details).toMatchObject({ entryCount: 501, truncated: true });
		expect((await list(many.slice(0, 500))).content).toMatch(/f499$/);
		expect((await list(many, { limit: 2 })).content).toBe(
			'f000\nf001\n\n[2 entries limit reached, 499 more. Use limit=4 for more]'
		);
	});

	it('leaves out names that do not fit into 51,200 bytes', async () => {
		const long = Array.from({ length: 50 }, (_, index) =>
			file(String(index + 10) + 'x'.repeat(index === 0 ? 1_022 : 1_021))
		);
		expect((await list(long)).content).toHaveLength(51_200);
		const over = await list([...long, file('zz')]);
		expect(over.content).toMatch(/\n\n\[50\.0KB limit reached, 1 names left out\. Use find to narrow\]$/);
		expect(over.details).toMatchObject({ entryCount: 51, truncated: true });
		expect((await list([...long, file('zz'), file('zzz')], { limit: 51 })).content).toMatch(
			/\[51 entries limit reached, 1 more\. Use limit=102 for more\. 50\.0KB limit reached, 1 names left out\. Use find to narrow\]$/
		);
	});

	it('says what is wrong with a path', async () => {
		const failing = (code: 'ENOENT' | 'ENOTDIR' | 'EACCES') =>
			list(new EnvironmentError(code, 'no way'), { path: 'x' });
		await expect(failing('ENOENT')).rejects.toThrow('Path not found: x');
		await expect(failing('ENOTDIR')).rejects.toThrow('Not a directory: x');
		await expect(failing('EACCES')).rejects.toThrow('no way');
		await expect(list(new TypeError('bug'))).rejects.toThrow('bug');
	});
});

describe('a directory that is listed', () => {
	const entries = [file('b.ts', 7), directory('src'), link('l'), file('.env'), directory('node_modules')];
	const list = (args: { path: string; depth?: number; ignore?: string[] }) =>
		listDirectory.execute(args, listing(entries).context);

	it('has its directories first, and the sizes of its files', async () => {
		expect(await list({ path: 'a' })).toEqual({
			content: '[DIR] src\n[DIR] node_modules\nb.ts (7 bytes)\nl (9 bytes)\n.env (1 bytes)',
			details: { path: 'a', entryCount: 5 },
			isError: false
		});
		expect((await listDirectory.execute({ path: 'a' }, listing([]).context)).content).toBe('(empty directory)');
	});

	it('is looked at one level deep unless more are asked for', async () => {
		const { context, asked } = listing([]);
		await listDirectory.execute({ path: 'a' }, context);
		await listDirectory.execute({ path: 'a', depth: 3 }, context);
		expect(asked).toEqual([
			['/w/a', 1],
			['/w/a', 3]
		]);
	});

	it('leaves out what is to be ignored at any depth, hidden files too', async () => {
		const deep = [file('src/node_modules/a.js'), file('src/a.js'), file('src/.cache/x'), file('src/b.ts')];
		const { context } = listing(deep);
		const ignore = ['node_modules', '*.js', '*cache'];
		expect((await listDirectory.execute({ path: 'a', ignore }, context)).content).toBe('src/b.ts (1 bytes)');
		expect((await listDirectory.execute({ path: 'a', ignore: [] }, listing(deep).context)).details).toMatchObject({
			entryCount: 4
		});
	});
});
