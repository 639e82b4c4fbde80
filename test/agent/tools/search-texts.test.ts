import { describe, expect, it } from 'vitest';
import type { DirEntry, ExecutionEnvironment, GrepOptions } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import type { ToolResult } from '#agent/tool.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

/** Requests that a search tool makes to its environment. */
interface Asked {
	grep: { pattern: string; path: string; options: GrepOptions }[];
	glob: { pattern: string; path: string }[];
	listed: { path: string; depth: number | undefined }[];
}

interface Found {
	rows?: string[];
	files?: string[];
	entries?: DirEntry[] | EnvironmentError;
	signal?: AbortSignal;
}

/** Calls a search tool in an environment that finds exactly this. */
async function search(
	name: string,
	args: Record<string, unknown>,
	{ rows = [], files = [], entries = [], signal }: Found
): Promise<ToolResult & { asked: Asked }> {
	const asked: Asked = { grep: [], glob: [], listed: [] };
	const environment = {
		workingDirectory: () => '/work',
		fileExists: () => Promise.resolve(true),
		grep: (pattern: string, path: string, options: GrepOptions) => {
			asked.grep.push({ pattern, path, options });
			return Promise.resolve(rows.map((row) => `${row}\n`).join(''));
		},
		glob: (pattern: string, path: string) => {
			asked.glob.push({ pattern, path });
			return Promise.resolve(files);
		},
		listDirectory: (path: string, depth?: number) => {
			asked.listed.push({ path, depth });
			return entries instanceof Error ? Promise.reject(entries) : Promise.resolve(entries);
		}
	} as unknown as ExecutionEnvironment;
	const { call } = createHarness(environment, signal ? { signal } : {});
	return { ...(await call(name, args)), asked };
}

const numbered = (count: number, text: (index: number) => string): string[] =>
	Array.from({ length: count }, (_, index) => text(index + 1));

describe('grep', () => {
	const grep = (args: Record<string, unknown>, rows: string[] = []) => search('grep_neutral', args, { rows });

	it('shows rows with their paths as the model wrote them, and counts matches and files', async () => {
		const { content, details, isError } = await grep({ pattern: 'x' }, [
			'./a.ts:1:x',
			'/work/a.ts:2:x 3:4',
			'a.ts-3-y',
			'b/c.ts:7:x',
			'/other/d.ts:1:x'
		]);
		expect(content).toBe('a.ts:1:x\na.ts:2:x 3:4\na.ts-3-y\nb/c.ts:7:x\n/other/d.ts:1:x');
		expect(details).toEqual({ pattern: 'x', matchCount: 5, fileCount: 3, truncated: false });
		expect(isError).toBe(false);
	});

	it('says that nothing matches', async () => {
		expect(await grep({ pattern: 'x' })).toMatchObject({
			content: 'No matches found',
			details: { pattern: 'x', matchCount: 0, fileCount: 0, truncated: false },
			isError: false
		});
	});

	it('looks everywhere below, with line numbers and nothing else, unless it is asked for more', async () => {
		const { asked } = await grep({ pattern: 'x' });
		expect(asked.grep).toEqual([
			{
				pattern: 'x',
				path: '.',
				options: {
					caseInsensitive: false,
					literal: false,
					output: 'content',
					before: 0,
					after: 0,
					lineNumbers: true,
					onlyMatching: false,
					multiline: false,
					maxLines: 101,
					signal: expect.any(AbortSignal)
				}
			}
		]);
	});

	it('passes on what it is asked for', async () => {
		const { asked } = await grep({
			pattern: 'x',
			path: 'src',
			glob_filter: '*.ts',
			exclude: '*.d.ts',
			type: 'ts',
			case_insensitive: true,
			literal: true,
			output_mode: 'count',
			before: 1,
			after: 2,
			line_numbers: false,
			only_matching: true,
			multiline: true,
			max_results: 5,
			skip: 3
		});
		expect(asked.grep[0]).toEqual({
			pattern: 'x',
			path: '/work/src',
			options: {
				caseInsensitive: true,
				literal: true,
				output: 'count',
				before: 1,
				after: 2,
				lineNumbers: false,
				onlyMatching: true,
				multiline: true,
				maxLines: 9,
				globs: ['*.ts', '!*.d.ts'],
				type: 'ts',
				signal: expect.any(AbortSignal)
			}
		});
		expect((await grep({ pattern: 'x', output_mode: 'files_with_matches' })).asked.grep[0]?.options.output).toBe(
			'files'
		);
		expect((await grep({ pattern: 'x', exclude: '*.js' })).asked.grep[0]?.options.globs).toEqual(['!*.js']);
	});

	it('shows a hundred rows, or as many as asked, from where it is asked, and says that there are more', async () => {
		const rows = numbered(101, (index) => `f:${index}:x`);
		const first = await grep({ pattern: 'x' }, rows);
		expect(first.content).toBe(
			`${rows.slice(0, 100).join('\n')}\n\n[100 results limit reached. Ask for more of them or refine the pattern.]`
		);
		expect(first.details).toMatchObject({ matchCount: 100, truncated: true });
		expect((await grep({ pattern: 'x' }, rows.slice(0, 100))).content).toBe(rows.slice(0, 100).join('\n'));
		expect((await grep({ pattern: 'x', max_results: 2, skip: 1 }, rows.slice(0, 3))).content).toBe('f:2:x\nf:3:x');
		expect((await grep({ pattern: 'x', max_results: 2, skip: 1 }, rows)).content).toMatch(
			/^f:2:x\nf:3:x\n\n\[2 results limit reached/
		);
	});
});

describe('the paging grep', () => {
	const grep = (args: Record<string, unknown>, rows: string[] = []) => search('grep', args, { rows });

	it('shows matches and the lines around them, with a mark between places', async () => {
		const { content, details } = await grep({ pattern: 'x', context: 1 }, [
			'a.ts-1-before',
			'a.ts:2:x: 3:y',
			'--',
			'./b-c.ts:9: x',
			'/work/b-c.ts-10-'
		]);
		expect(content).toBe('a.ts-1- before\na.ts:2: x: 3:y\n--\nb-c.ts:9:  x\nb-c.ts-10- ');
		expect(details).toEqual({ pattern: 'x', matchCount: 2, fileCount: 2, truncated: false });
	});

	it('asks for enough rows to know whether there are more', async () => {
		const options = async (args: Record<string, unknown>) => (await grep({ pattern: 'x', ...args })).asked.grep[0];
		expect(await options({})).toEqual({
			pattern: 'x',
			path: '.',
			options: {
				caseInsensitive: false,
				literal: false,
				before: 0,
				after: 0,
				maxLines: 202,
				signal: expect.any(AbortSignal)
			}
		});
		expect(await options({ path: 'src', glob: '*.ts', ignoreCase: true, literal: true, context: 2, limit: 3 })).toEqual(
			{
				pattern: 'x',
				path: '/work/src',
				options: {
					caseInsensitive: true,
					literal: true,
					before: 2,
					after: 2,
					maxLines: 24,
					globs: ['*.ts'],
					signal: expect.any(AbortSignal)
				}
			}
		);
	});

	it('ends with the last match of the limit and the lines after it', async () => {
		const rows = ['a:1:x', 'a-2-y', '--', 'a-8-y', 'a:9:x', 'a-10-y', '--', 'a-20-y', 'a:21:x', 'a-22-y'];
		const { content, details } = await grep({ pattern: 'x', limit: 2, context: 1 }, rows);
		expect(content).toBe(
			'a:1: x\na-2- y\n--\na-8- y\na:9: x\na-10- y\n\n[2 matches limit reached. Use limit=4 for more, or refine pattern]'
		);
		expect(details).toEqual({ pattern: 'x', matchCount: 2, fileCount: 1, truncated: true });
		// The next match is one of the lines after the last.
		expect((await grep({ pattern: 'x', limit: 1, context: 2 }, ['a:1:x', 'a:2:x', 'a-3-y'])).content).toMatch(
			/^a:1: x\n\n\[1 matches/
		);
		expect((await grep({ pattern: 'x', limit: 3, context: 1 }, rows)).content).not.toContain('limit reached');
	});

	it('cuts long lines and long answers, and says each of it', async () => {
		const long = await grep({ pattern: 'x' }, [`a:1:${'x'.repeat(501)}`, `a:2:${'x'.repeat(500)}`]);
		expect(long.content).toBe(
			`a:1: ${'x'.repeat(500)}... [truncated]\na:2: ${'x'.repeat(500)}\n\n[Some lines truncated to 500 chars. Use read tool to see full lines]`
		);
		expect(long.details).toMatchObject({ truncated: true });
		const row = `a:1:${'x'.repeat(506)}`;
		const many = await grep({ pattern: 'x', limit: 1 }, [row, row]);
		expect(many.content).toBe(
			`a:1: ${'x'.repeat(500)}... [truncated]\n\n[1 matches limit reached. Use limit=2 for more, or refine pattern. Some lines truncated to 500 chars. Use read tool to see full lines]`
		);
	});

	it('fits 50 KB with their line ends, and not a byte more', async () => {
		/** Rows with this total length when shown, each including its newline. */
		const rows = (bytes: number): string[] => {
			const lines: string[] = [];
			for (let left = bytes; left > 0; left -= 506) lines.push(`a:1:${'x'.repeat(Math.min(left, 506) - 6)}`);
			return lines;
		};
		const whole = await grep({ pattern: 'x', limit: 200 }, rows(51_200));
		expect(whole.content).not.toContain('limit reached');
		expect(whole.content.length + 1).toBe(51_200);
		const over = await grep({ pattern: 'x', limit: 200 }, rows(51_201));
		expect(over.content).toMatch(/\n\n\[50\.0KB limit reached\]$/);
		expect(over.details).toMatchObject({ truncated: true });
	});

	it('says that nothing matches, also where only lines around are given', async () => {
		for (const rows of [[], ['a-1-y']])
			expect(await grep({ pattern: 'x' }, rows)).toMatchObject({ content: 'No matches found', isError: false });
	});
});

describe('glob', () => {
	const glob = (args: Record<string, unknown>, files: string[] = []) => search('glob', args, { files });

	it.each([
		[{ pattern: '*.ts' }, { pattern: '*.ts', path: '.' }],
		[
			{ pattern: '*.ts', path: 'src/' },
			{ pattern: '*.ts', path: '/work/src' }
		],
		[{ pattern: '/etc/*.d/*' }, { pattern: '*.d/*', path: '/etc' }],
		[
			{ pattern: '/etc/conf.d/*', path: 'src' },
			{ pattern: '*', path: '/etc/conf.d' }
		],
		[{ pattern: '/*' }, { pattern: '*', path: '/' }],
		[{ pattern: '/a/b.ts' }, { pattern: 'b.ts', path: '/a' }],
		[{ pattern: '/a/{b,c}/d' }, { pattern: '{b,c}/d', path: '/a' }],
		[{ pattern: '/a/[bc]/?' }, { pattern: '[bc]/?', path: '/a' }]
	])('takes %j for %j', async (args, asked) => {
		expect((await glob(args)).asked.glob).toEqual([asked]);
	});

	it('lists a hundred files or as many as asked, and says how many there are', async () => {
		const files = numbered(101, (index) => `/work/src/${index}.ts`);
		const shown = (count: number): string => numbered(count, (index) => `src/${index}.ts`).join('\n');
		expect(await glob({ pattern: '**' }, files)).toMatchObject({
			content: `${shown(100)}\n[100 of 101 files shown. Narrow the pattern or the path.]`,
			details: { pattern: '**', resultCount: 101, truncated: true },
			isError: false
		});
		expect(await glob({ pattern: '**' }, files.slice(1))).toMatchObject({ details: { truncated: false } });
		expect((await glob({ pattern: '**', max_results: 101 }, files)).content).toBe(shown(101));
		expect(await glob({ pattern: '**' })).toMatchObject({
			content: 'No files found',
			details: { pattern: '**', resultCount: 0, truncated: false }
		});
	});
});

describe('find', () => {
	const find = (args: Record<string, unknown>, files: string[] = []) => search('find', args, { files });

	it.each([
		[{ pattern: '*.ts' }, { pattern: '**/*.ts', path: '/work' }],
		[{ pattern: 'src/*.ts' }, { pattern: 'src/*.ts', path: '/work' }],
		[
			{ pattern: '*.ts', path: 'lib' },
			{ pattern: '**/*.ts', path: '/work/lib' }
		],
		[
			{ pattern: '*.ts', path: '~/lib' },
			{ pattern: '**/*.ts', path: '~/lib' }
		]
	])('takes %j for %j', async (args, asked) => {
		expect((await find(args)).asked.glob).toEqual([asked]);
	});

	it('lists files from where it looks on', async () => {
		expect((await find({ pattern: '*' }, ['/work/a', '/workshop/b', 'c'])).content).toBe('a\n/workshop/b\nc');
		expect((await find({ pattern: '*', path: 'lib' }, ['/work/lib/a', '/work/b'])).content).toBe('a\n/work/b');
		expect((await find({ pattern: '*', path: '~' }, ['/home/a'])).content).toBe('/home/a');
	});

	it('stops at a number of files or at 50 KB, and says so', async () => {
		const files = numbered(3, (index) => `/work/${index}`);
		expect(await find({ pattern: '*', limit: 2 }, files)).toMatchObject({
			content: '1\n2\n\n[2 results limit reached. Use limit=4 for more, or refine pattern]',
			details: { pattern: '*', resultCount: 2, truncated: true }
		});
		expect(await find({ pattern: '*', limit: 3 }, files)).toMatchObject({
			content: '1\n2\n3',
			details: { pattern: '*', resultCount: 3, truncated: false }
		});
		const long = numbered(51, (index) => `/work/${String(index).padStart(1_023, '0')}`);
		expect((await find({ pattern: '*' }, long.slice(0, 50))).content).not.toContain('limit');
		const cut = await find({ pattern: '*', limit: 50 }, [...long.slice(0, 49), `/work/${'é'.repeat(512)}`, '/work/x']);
		expect(cut.content).toMatch(
			/\n\n\[50 results limit reached\. Use limit=100 for more, or refine pattern\. 50\.0KB limit reached\]$/
		);
		expect(cut.details).toMatchObject({ resultCount: 49, truncated: true });
		expect(await find({ pattern: '*' })).toMatchObject({
			content: 'No files found matching pattern',
			details: { pattern: '*', resultCount: 0, truncated: false },
			isError: false
		});
	});
});

describe('a listing', () => {
	const file = (path: string, size = 0): DirEntry => ({ path, kind: 'file', size, modifiedMs: 0 }) as DirEntry;
	const directory = (path: string): DirEntry => ({ path, kind: 'directory', size: 4_096, modifiedMs: 0 }) as DirEntry;
	const list = (name: string, args: Record<string, unknown>, entries: Found['entries']) =>
		search(name, args, entries === undefined ? {} : { entries });

	it('has the entries of a directory, sorted without regard to case, with what it weighs', async () => {
		const entries = [file('b', 2), directory('.git'), file('A', 1), file('a', 4), directory('C')];
		const { content, details, asked } = await list('ls', {}, entries);
		expect(content).toBe('.git/\nA\na\nb\nC/');
		expect(details).toEqual({ path: '.', entryCount: 5, totalSize: 7, truncated: false });
		expect(asked.listed).toEqual([{ path: '/work', depth: 1 }]);
		expect((await list('ls', { path: 'src' }, entries)).asked.listed[0]?.path).toBe('/work/src');
		expect(await list('ls', { path: 'src' }, [])).toMatchObject({
			content: '(empty directory)',
			details: { path: 'src', entryCount: 0, totalSize: 0, truncated: false }
		});
	});

	it('stops at 500 entries or as many as asked, and says how many are left', async () => {
		const entries = numbered(501, (index) => String(index).padStart(3, '0')).map((name) => file(name));
		expect((await list('ls', {}, entries)).content).toMatch(
			/500\n\n\[500 entries limit reached, 1 more\. Use limit=1000 for more\]$/
		);
		expect(await list('ls', { limit: 501 }, entries)).toMatchObject({ details: { truncated: false } });
		expect((await list('ls', { limit: 2 }, entries)).content).toBe(
			'001\n002\n\n[2 entries limit reached, 499 more. Use limit=4 for more]'
		);
	});

	it('stops at 50 KB of names', async () => {
		const name = (index: number, length: number) => file(String(index).padStart(length, '0'));
		const fits = [...Array.from({ length: 49 }, (_, index) => name(index, 1_023)), name(49, 1_024)];
		expect((await list('ls', {}, fits)).content).toHaveLength(51_200);
		const over = [...fits.slice(0, 49), name(49, 1_025), name(50, 1_023)];
		expect((await list('ls', { limit: 50 }, over)).content).toMatch(
			/\n\n\[50 entries limit reached, 1 more\. Use limit=100 for more\. 50\.0KB limit reached, 1 names left out\. Use find to narrow\]$/
		);
	});

	it('says what is wrong with a path', async () => {
		const failing = async (code: 'ENOENT' | 'ENOTDIR' | 'EACCES') =>
			(await list('ls', { path: 'x' }, new EnvironmentError(code, 'Told by the system', '/work/x'))).content;
		expect(await failing('ENOENT')).toBe('Path not found: x');
		expect(await failing('ENOTDIR')).toBe('Not a directory: x');
		expect(await failing('EACCES')).toContain('EACCES: Told by the system');
	});

	it('marks directories, which come first, and gives the size of files', async () => {
		const entries = [file('b.ts', 2), directory('src'), file('src/a.ts', 1), directory('out'), file('out/x.js', 9)];
		const { content, details, asked, isError } = await list('list_directory', { path: '.' }, entries);
		expect(content).toBe('[DIR] src\n[DIR] out\nb.ts (2 bytes)\nsrc/a.ts (1 bytes)\nout/x.js (9 bytes)');
		expect(details).toEqual({ path: '.', entryCount: 5 });
		expect(isError).toBe(false);
		expect(asked.listed).toEqual([{ path: '/work', depth: 1 }]);
		const deep = await list('list_directory', { path: 'x', depth: 3, ignore: ['out', '*.ts', '.*'] }, [
			...entries,
			file('.env', 1)
		]);
		expect(deep.content).toBe('[DIR] src');
		expect(deep.asked.listed).toEqual([{ path: '/work/x', depth: 3 }]);
		expect((await list('list_directory', { path: '.', ignore: [] }, entries)).details).toMatchObject({ entryCount: 5 });
		expect((await list('list_directory', { path: '.' }, [])).content).toBe('(empty directory)');
	});
});

it.each([
	['grep_neutral', { pattern: 'x' }],
	['grep', { pattern: 'x' }],
	['glob', { pattern: 'x' }],
	['find', { pattern: 'x' }]
])('gives nothing of %s once the run was stopped', async (name, args) => {
	const controller = new AbortController();
	const found = search(name, args, { rows: ['a:1:x'], files: ['/work/a'], signal: controller.signal });
	controller.abort();
	expect(await found).toMatchObject({ isError: true, content: 'Operation aborted' });
});
