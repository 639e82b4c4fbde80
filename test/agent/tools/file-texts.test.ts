import { beforeEach, describe, expect, it } from 'vitest';
import { createApplyPatch } from '#agent/tools/apply-patch/tool.ts';
import { planPatch } from '#agent/tools/apply-patch/plan.ts';
import { parsePatch } from '#agent/tools/apply-patch/parse.ts';
import { ReadLedger } from '#agent/guards/read-ledger.ts';
import type { ToolContext, ToolResult } from '#agent/tool.ts';
import { describeChange, equalBytes } from '#agent/tools/file-change.ts';
import { absolutePath, displayPath } from '#agent/tools/paths.ts';
import { readManyFiles } from '#agent/tools/read-many-files.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { LocalExecutionEnvironment } from '#environment/local/environment.ts';
import { createHarness, PNG, type ToolHarness } from '#test/contract/tools/harness.ts';
import { temporaryEnvironment } from '../fake-session.ts';

let environment: LocalExecutionEnvironment;
let harness: ToolHarness;
beforeEach(async () => {
	environment = await temporaryEnvironment();
	harness = createHarness(environment);
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const call = (name: string, args: Record<string, unknown>): Promise<ToolResult> => harness.call(name, args);
const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const root = (): string => environment.workingDirectory();

describe('a file that was read', () => {
	const details = async (content: string, args: Record<string, unknown> = {}): Promise<unknown> => {
		await environment.writeFile('dir/f.txt', content);
		return (await call('read', { path: './dir/f.txt', ...args })).details;
	};

	it.each([
		['', {}, { startLine: 0, endLine: 0, totalLines: 0, outputLines: 0, totalBytes: 0 }],
		['\n', {}, { startLine: 1, endLine: 1, totalLines: 1, outputLines: 1, totalBytes: 1 }],
		['a', {}, { startLine: 1, endLine: 1, totalLines: 1, outputLines: 1, totalBytes: 1 }],
		['a\nb\nc\n', {}, { startLine: 1, endLine: 3, totalLines: 3, outputLines: 3, totalBytes: 6 }],
		['a\nb\nc', { offset: 2, limit: 1 }, { startLine: 2, endLine: 2, totalLines: 3, outputLines: 1, totalBytes: 5 }],
		['a\nb\nc\n', { offset: 3, limit: 9 }, { startLine: 3, endLine: 3, totalLines: 3, outputLines: 1, totalBytes: 6 }]
	])('%j by %j is told to the page with its lines', async (content, args, lines) => {
		expect(await details(content, args)).toEqual({ path: 'dir/f.txt', truncated: false, ...lines });
	});

	it('that is long is told with what cut it', async () => {
		expect(await details('x\n'.repeat(2_001))).toEqual({
			path: 'dir/f.txt',
			startLine: 1,
			endLine: 2_000,
			totalLines: 2_001,
			outputLines: 2_000,
			totalBytes: 4_002,
			truncated: true,
			truncatedBy: 'lines'
		});
		expect(await details('x'.repeat(51_201))).toEqual({
			path: 'dir/f.txt',
			startLine: 1,
			endLine: 0,
			totalLines: 1,
			outputLines: 0,
			totalBytes: 51_201,
			truncated: true,
			truncatedBy: 'bytes',
			firstLineExceedsLimit: true
		});
	});

	it.each([
		['a\nb\nc\n', {}, 'a\nb\nc\n'],
		['\ufeffa\nb', {}, 'a\nb'],
		['a\nb\nc\n', { offset: 1, limit: 3 }, 'a\nb\nc\n'],
		['a\nb\nc\n', { offset: 2 }, 'b\nc'],
		['a\nb\nc\n', { limit: 2 }, 'a\nb\n\n[1 more lines in file. Use offset=3 to continue.]'],
		['a\nb\nc\n', { offset: 3 }, 'c'],
		['', { offset: 1 }, ''],
		['', { offset: 2 }, 'Offset 2 is beyond end of file (0 lines total)'],
		['a\n', { offset: 2 }, 'Offset 2 is beyond end of file (1 lines total)']
	])('%j by %j is shown as %j', async (content, args, shown) => {
		await environment.writeFile('f.txt', content);
		expect((await call('read', { path: 'f.txt', ...args })).content).toBe(shown);
	});

	it('has no notice where nothing pages', async () => {
		await environment.writeFile('f.txt', 'a\nb\nc\n');
		expect((await call('read_file', { file_path: 'f.txt', limit: 1 })).content).toBe('a');
	});

	it('shows a private key as left out, and the lines below it under their numbers', async () => {
		const key = ['-----BEGIN PRIVATE KEY-----', 'MIIB'.repeat(16), '-----END PRIVATE KEY-----'];
		await environment.writeFile('f.txt', ['a', ...key, 'b', ''].join('\n'));
		const { content } = await call('read', { path: 'f.txt' });
		expect(content).toMatch(/^a\n\[secret left out: [^\]]+\]\n\n\nb\n$/);
		expect((await call('read', { path: 'f.txt', offset: 3, limit: 1 })).content).not.toContain('MIIB');
	});

	it('that is binary is refused with a command for its path', async () => {
		await environment.writeFile('a b.bin', new Uint8Array([0, 1, 2]));
		expect((await call('read', { path: 'a b.bin' })).content).toBe(
			"a b.bin is a binary file (3 bytes) and cannot be shown as text. Look at it with a command, e.g. `head -c 64 'a b.bin' | od -c`."
		);
	});

	it('that is a notebook is shown as one, by its name and what is in it', async () => {
		const notebook = JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'code', source: 'x' }] });
		for (const [name, isShown] of [
			['a.ipynb', true],
			['A.IPYNB', true],
			['a.ipynb.json', false],
			['a.json', false]
		] as const) {
			await environment.writeFile(name, notebook);
			expect((await call('read', { path: name })).content.startsWith('[A notebook of 1 cell')).toBe(isShown);
		}
		await environment.writeFile('b.ipynb', '{}');
		expect((await call('read', { path: 'b.ipynb' })).content).toBe('{}');
	});

	it('counts as read for the guards, a picture too, and one that could not be shown does not', async () => {
		const ledger = ReadLedger.of(harness.context.state);
		await environment.writeFile('f.txt', 'a\n');
		await environment.writeFile('p.png', PNG);
		await environment.writeFile('b.bin', new Uint8Array([0]));
		for (const path of ['f.txt', 'p.png', 'b.bin']) await call('read', { path });
		expect(await ledger.compare(`${root()}/f.txt`, bytes('a\n'))).toBe('current');
		expect(await ledger.compare(`${root()}/f.txt`, bytes('b\n'))).toBe('stale');
		expect(await ledger.compare(`${root()}/p.png`, PNG)).toBe('current');
		expect(await ledger.compare(`${root()}/b.bin`, new Uint8Array([0]))).toBe('unread');
	});
});

describe('a picture that was read', () => {
	const size = (width: number, height: number): Uint8Array => {
		const png = new Uint8Array(24);
		png.set(PNG);
		const view = new DataView(png.buffer);
		view.setUint32(16, width);
		view.setUint32(20, height);
		return png;
	};
	const read = async (picture: Uint8Array, images: ToolContext['images']): Promise<ToolResult> => {
		await environment.writeFile('p.png', picture);
		return createHarness(environment, { images }).call('read', { path: 'p.png' });
	};

	it('is shown as it is where it is small enough', async () => {
		const asked: unknown[] = [];
		const scale: ToolContext['images']['scale'] = (_, limits) => (asked.push(limits), Promise.resolve(null));
		expect(await read(size(2_000, 1_999), { maxBytes: 24, scale })).toEqual({
			content: 'Read image file [image/png] p.png (24 bytes, 2000×1999 pixels)',
			details: { path: 'p.png', mediaType: 'image/png', totalBytes: 24 },
			images: [{ type: 'image', mediaType: 'image/png', data: btoa(String.fromCharCode(...size(2_000, 1_999))) }],
			isError: false
		});
		expect(asked).toEqual([]);
		expect((await read(PNG, { maxBytes: 24 })).content).toBe('Read image file [image/png] p.png (16 bytes)');
	});

	it.each([
		['of many pixels', size(1, 2_001), 1_000],
		['of many bytes', size(1, 1), 23]
	])('%s is made smaller where the host can', async (_, picture, maxBytes) => {
		const asked: unknown[] = [];
		const small = { type: 'image' as const, mediaType: 'image/webp', data: 'AA' };
		const scale: ToolContext['images']['scale'] = (_image, limits) => (asked.push(limits), Promise.resolve(small));
		const result = await read(picture, { maxBytes, scale });
		expect(result).toMatchObject({
			content: expect.stringMatching(/ pixels, shown smaller as image\/webp\)$/),
			details: { path: 'p.png', mediaType: 'image/webp', totalBytes: 24, scaled: true },
			images: [small]
		});
		expect(asked).toEqual([{ maxBytes, maxSide: 2_000 }]);
	});

	it('that cannot be made smaller is refused with what is allowed and what to do', async () => {
		const refused =
			'p.png is a picture of 24 bytes, 9000×2 pixels; at most 100 bytes and 8000 pixels a side can be shown. Make a smaller copy with a command, e.g. `convert p.png -resize 2000x2000 smaller.png`, and read that.';
		expect((await read(size(9_000, 2), { maxBytes: 100 })).content).toBe(refused);
		expect((await read(size(9_000, 2), { maxBytes: 100, scale: () => Promise.resolve(null) })).content).toBe(refused);
	});
});

describe('several files that were read', () => {
	const read = (...paths: string[]): Promise<ToolResult> => readManyFiles.execute({ paths }, harness.context);

	it('are shown under their paths, each once, with pictures and with what could not be read', async () => {
		await environment.writeFile('a.txt', 'aaa\n');
		await environment.writeFile('p.png', PNG);
		const result = await read('./a.txt', '*.txt', 'p.png', 'none.txt');
		expect(result.content).toMatch(
			/^--- a\.txt ---\naaa\n\n\n--- p\.png ---\nRead image file \[image\/png\] \S*p\.png \(16 bytes\)\n\n--- none\.txt ---\n\[Could not be read: [^\]]+\]$/
		);
		expect(result.details).toEqual({ fileCount: 3, failures: 1 });
		expect(result.images).toHaveLength(1);
		expect(result.isError).toBe(false);
	});

	it('are an error where none could be read or none was found', async () => {
		expect(await read('x', 'y')).toMatchObject({ isError: true, details: { fileCount: 2, failures: 2 } });
		expect(await read('x')).not.toHaveProperty('images');
		await expect(read('*.none')).rejects.toThrow('No files match. Look for them with a search first.');
	});
});

describe('a file that is written', () => {
	it('is proposed with what changes, and told to the page', async () => {
		expect(await call('write', { path: 'src/a.txt', content: 'é\nb\n' })).toMatchObject({
			content: 'Successfully wrote 5 bytes to src/a.txt',
			details: { path: 'src/a.txt', kind: 'added', added: 2, removed: 0, bytes: 5, created: true },
			isError: false
		});
		expect(await call('write', { path: './src/a.txt', content: 'c\n' })).toMatchObject({
			content: 'Successfully wrote 2 bytes to ./src/a.txt',
			details: { path: 'src/a.txt', kind: 'modified', added: 1, removed: 2, bytes: 2, created: false }
		});
		expect(await call('write', { path: 'src/a.txt', content: 'c\n' })).toMatchObject({
			content: 'src/a.txt has this content already; nothing was written.',
			details: { kind: 'modified', added: 0, removed: 0, created: false },
			isError: false
		});
		expect(harness.proposals).toEqual([
			{
				kind: 'write',
				path: `${root()}/src/a.txt`,
				before: null,
				after: bytes('é\nb\n'),
				description: 'Create src/a.txt (+2 −0)',
				isMatchedInShell: false
			},
			{
				kind: 'write',
				path: `${root()}/src/a.txt`,
				before: bytes('é\nb\n'),
				after: bytes('c\n'),
				description: 'Overwrite src/a.txt (+1 −2)',
				isMatchedInShell: false
			}
		]);
	});

	it('is refused where there is a directory', async () => {
		await environment.makeDirectory('dir');
		const refused = {
			content: 'Is a directory: dir. Give the path of a file.',
			details: { code: 'EISDIR' },
			isError: true
		};
		expect(await call('write', { path: 'dir', content: '' })).toEqual(refused);
		expect(await call('edit', { path: 'dir', oldText: 'a', newText: 'b' })).toEqual(refused);
		expect(await call('apply_patch', { patch: patch('*** Update File: dir', '@@', '-a', '+b') })).toEqual({
			...refused,
			content: 'Is a directory: dir. A patch works on files.'
		});
	});

	it.each([
		['write', { path: 'f.txt', content: 'new\n' }],
		['edit', { path: 'f.txt', oldText: 'old', newText: 'new' }],
		['apply_patch', { patch: patch('*** Update File: f.txt', '@@', '-old', '+new') }],
		['apply_patch', { patch: patch('*** Delete File: f.txt') }]
	])('by %s is left alone where it changed while the user was asked', async (name, args) => {
		for (const meanwhile of ['other\n', null]) {
			await environment.writeFile('f.txt', 'old\n');
			const { call: callAsked } = createHarness(environment, {
				propose: async () => {
					if (meanwhile === null) await environment.remove('f.txt');
					else await environment.writeFile('f.txt', meanwhile);
				}
			});
			expect((await callAsked(name, args)).content).toBe(
				`${root()}/f.txt was changed by something else while this change waited. Nothing was written. Read it again, then make the change again.`
			);
			expect(await environment.fileExists('f.txt')).toBe(meanwhile !== null);
			if (meanwhile !== null) expect(await environment.readFile('f.txt')).toBe(meanwhile);
		}
	});

	it('is not made where another has appeared while the user was asked', async () => {
		const { call: callAsked } = createHarness(environment, {
			propose: () => environment.writeFile('f.txt', 'other\n')
		});
		expect((await callAsked('write', { path: 'f.txt', content: 'new\n' })).isError).toBe(true);
		expect(await environment.readFile('f.txt')).toBe('other\n');
	});

	it.each([
		['write', { path: 'f.txt', content: 'new\n' }],
		['apply_patch', { patch: patch('*** Update File: f.txt', '@@', '-old', '+new') }]
	])('by %s is left alone once the run was stopped while the user was asked', async (name, args) => {
		await environment.writeFile('f.txt', 'old\n');
		const controller = new AbortController();
		const stopped = createHarness(environment, {
			signal: controller.signal,
			propose: () => (controller.abort(), Promise.resolve())
		});
		expect((await stopped.call(name, args)).content).toBe('Operation aborted');
		expect(await environment.readFile('f.txt')).toBe('old\n');
	});

	it('is known to the model as it was written', async () => {
		const ledger = ReadLedger.of(harness.context.state);
		await call('write', { path: 'f.txt', content: 'a\n' });
		expect(await ledger.compare(`${root()}/f.txt`, bytes('a\n'))).toBe('current');
		await call('apply_patch', { patch: patch('*** Update File: f.txt', '@@', '-a', '+b', '*** Add File: g', '+c') });
		expect(await ledger.compare(`${root()}/f.txt`, bytes('b\n'))).toBe('current');
		expect(await ledger.compare(`${root()}/g`, bytes('c\n'))).toBe('current');
		await call('apply_patch', { patch: patch('*** Delete File: f.txt') });
		expect(await ledger.compare(`${root()}/f.txt`, bytes('b\n'))).toBe('unread');
	});
});

describe('a file that is edited', () => {
	it('is told with the number of texts and how they were found', async () => {
		await environment.writeFile('f.txt', 'a\nb\n\u201cc\u201d\na\n');
		const edit = (args: object) => call('edit_file', { file_path: 'f.txt', ...args });
		expect(await edit({ old_string: 'a', new_string: 'x', replace_all: true })).toMatchObject({
			content: 'Successfully replaced 2 texts in f.txt.',
			details: { path: 'f.txt', kind: 'modified', replacements: 2, fuzzy: false, added: 2, removed: 2 },
			isError: false
		});
		expect(await edit({ old_string: '"c"', new_string: 'y' })).toMatchObject({
			content: 'Successfully replaced text in f.txt (matched after evening out whitespace, quotes or dashes).',
			details: { replacements: 1, fuzzy: true }
		});
		expect(harness.proposals.map(({ description }) => description)).toEqual([
			'Edit f.txt (+2 −2)',
			'Edit f.txt (+1 −1)'
		]);
	});

	it('is made by an empty old text, and filled where it is empty', async () => {
		const make = (path: string) => call('edit', { path, edits: [{ oldText: '', newText: 'a\n' }] });
		expect(await make('new.txt')).toMatchObject({
			content: 'Created new.txt.',
			details: { kind: 'added', replacements: 1, fuzzy: false }
		});
		await environment.writeFile('empty.txt', '');
		expect(await make('empty.txt')).toMatchObject({ content: 'Successfully replaced text in empty.txt.' });
		expect((await make('new.txt')).content).toBe(
			'The old text is empty, but new.txt is not. Give the text to replace.'
		);
		const two = [
			{ oldText: '', newText: 'a' },
			{ oldText: '', newText: 'b' }
		];
		expect((await call('edit', { path: 'none.txt', edits: two })).content).toBe(
			'File not found: none.txt. Search for the right path, then try again.'
		);
	});

	it('that is binary is refused', async () => {
		await environment.writeFile('b.bin', new Uint8Array([0, 1]));
		expect((await call('edit', { path: 'b.bin', oldText: 'a', newText: 'b' })).content).toBe(
			'b.bin is a binary file and cannot be edited as text. Use a command instead.'
		);
		expect((await call('apply_patch', { patch: patch('*** Update File: b.bin', '@@', '-a', '+b') })).content).toBe(
			'b.bin is a binary file and cannot be patched as text.'
		);
	});

	it('says that it had changed since the model read it', async () => {
		await environment.writeFile('f.txt', 'one\ntwo\n');
		await call('read', { path: 'f.txt' });
		await environment.writeFile('f.txt', 'one\nthree\n');
		expect((await call('edit', { path: 'f.txt', oldText: 'one', newText: '1' })).content).toBe(
			'Successfully replaced text in f.txt. The file had changed since you last read it: read it again before relying on the rest.'
		);
		expect((await call('edit', { path: 'f.txt', oldText: '1', newText: '2' })).content).toBe(
			'Successfully replaced text in f.txt.'
		);
	});

	it('is marked where a command had shown every text that is replaced, exactly and once', async () => {
		await environment.writeFile('f.txt', 'const first = 1;\nconst second = 2;\n');
		await call('shell', { command: 'head -1 f.txt' });
		const marks = async (edits: object[]): Promise<unknown> => {
			harness.proposals.length = 0;
			await call('multi_edit', { file_path: 'f.txt', edits });
			return harness.proposals.map((change) => (change.kind === 'write' ? change.isMatchedInShell : null));
		};
		const { registry } = harness;
		registry.register({
			definition: { name: 'multi_edit', description: '', parameters: { type: 'object' } },
			tool: registry.find('edit')?.tool ?? (null as never)
		});
		const first = { old_string: 'const first = 1;', new_string: 'const first = 1;' };
		const second = { old_string: 'const second = 2;', new_string: 'const second = 3;' };
		expect(await marks([first, second])).toEqual([false]);
		expect(await marks([{ ...first, new_string: 'const first = 4;', replace_all: true }])).toEqual([false]);
		await call('shell', { command: 'cat f.txt' });
		expect(await marks([{ old_string: 'const first = 4;', new_string: 'const first = 5;' }])).toEqual([true]);
	});
});

describe('a patch', () => {
	it('is proposed path by path, and told in the order of its files', async () => {
		await environment.load([
			{ path: 'a', bytes: bytes('1\n'), mode: 0o644 },
			{ path: 'b', bytes: bytes('2\n'), mode: 0o644 }
		] as never);
		const result = await call('apply_patch', {
			patch: patch(
				'*** Delete File: ./a',
				'*** Update File: b',
				'*** Move to: c/d',
				'@@',
				'-2',
				'+3',
				`*** Add File: ${root()}/e`,
				'+x'
			)
		});
		expect(result.content).toBe('Success. Updated the following files:\nD a\nA c/d\nA e\n');
		expect(harness.proposals.map(({ description }) => description)).toEqual([
			'Delete a (+0 −1)',
			'Delete b (+0 −1)',
			'Create c/d (+1 −0)',
			'Create e (+1 −0)'
		]);
		expect(result.details).toMatchObject({
			files: [
				{ path: 'a', kind: 'removed' },
				{ path: 'b', kind: 'removed' },
				{ path: 'c/d', kind: 'added' },
				{ path: 'e', kind: 'added' }
			]
		});
	});

	it('takes a path written in two ways for one', async () => {
		const result = await call('apply_patch', {
			patch: patch('*** Add File: ./a', '+1', '*** Update File: a', '@@', '-1', '+2')
		});
		expect(result.content).toBe('Success. Updated the following files:\nA a\n');
		expect(await environment.readFile('a')).toBe('2\n');
	});

	it('keeps only what was executable so', async () => {
		await environment.writeFile('a', '1\n');
		await environment.writeFile('b', '1\n');
		await environment.setMode('b', 0o755);
		for (const name of ['a', 'b'])
			await call('apply_patch', { patch: patch(`*** Update File: ${name}`, `*** Move to: new-${name}`) });
		expect((await environment.stat('new-a')).mode & 0o111).toBe(0);
		expect((await environment.stat('new-b')).mode & 0o111).not.toBe(0);
	});

	it('says what stands in its way', async () => {
		await environment.writeFile('a', '1\n');
		const content = async (...lines: string[]) => (await call('apply_patch', { patch: patch(...lines) })).content;
		expect(await content('*** Add File: a', '+2')).toBe(
			'a exists already. Update it with "*** Update File: a" instead of adding it.'
		);
		for (const lines of [['*** Delete File: b'], ['*** Update File: b', '@@', '-1', '+2']])
			expect(await content(...lines)).toBe('File not found: b. Only existing files can be updated or deleted.');
	});

	it('makes of a file that it adds and deletes no change, and of two changes one', async () => {
		const read = (path: string) => Promise.resolve(path === 'a' ? bytes('1\n') : null);
		const plan = async (...lines: string[]) =>
			(await planPatch(parsePatch(patch(...lines)), read, { addExisting: 'overwrite', maxFuzz: 3 })).map(
				({ path, kind, before, after }) => [path, kind, before && String(before), after && String(after)]
			);
		expect(await plan('*** Add File: b', '+1', '*** Delete File: b')).toEqual([]);
		expect(await plan('*** Delete File: a', '*** Add File: a', '+2')).toEqual([
			['a', 'modified', String(bytes('1\n')), String(bytes('2\n'))]
		]);
		expect(await plan('*** Add File: a', '+2')).toEqual([
			['a', 'modified', String(bytes('1\n')), String(bytes('2\n'))]
		]);
		expect(await plan('*** Update File: a', '*** Move to: a', '@@', '-1', '+2')).toEqual([
			['a', 'modified', String(bytes('1\n')), String(bytes('2\n'))]
		]);
		expect(await plan('*** Update File: a', '*** Move to: b', '@@', '-1', '+2')).toEqual([
			['a', 'removed', String(bytes('1\n')), null],
			['b', 'added', null, String(bytes('2\n'))]
		]);
	});

	it('refuses an existing file to add and takes any likeness, unless it is made otherwise', async () => {
		await environment.writeFile('a', ' 1\n');
		const run = (options: Parameters<typeof createApplyPatch>[0], ...lines: string[]) =>
			createApplyPatch(options).execute({ patch: patch(...lines) }, harness.context);
		await expect(run({}, '*** Add File: a', '+2')).rejects.toThrow('exists already');
		await expect(run({ maxFuzz: 0 }, '*** Update File: a', '@@', '-1', '+2')).rejects.toThrow('only loosely');
		await run({}, '*** Update File: a', '@@', '-1', '+2');
		expect(await environment.readFile('a')).toBe('2\n');
		await run({ addExisting: 'overwrite' }, '*** Add File: a', '+3');
		expect(await environment.readFile('a')).toBe('3\n');
	});
});

describe('a path', () => {
	const at = (workingDirectory: string): ExecutionEnvironment =>
		({ workingDirectory: () => workingDirectory }) as ExecutionEnvironment;

	it.each([
		['a/b', '/work/a/b'],
		['./a/./b/', '/work/a/b'],
		['a//b', '/work/a/b'],
		['../a', '/a'],
		['../../../a', '/a'],
		['a/../b', '/work/b'],
		['/x/../y', '/y'],
		['@a/b', '/work/a/b'],
		['@/x', '/x'],
		['a@b', '/work/a@b'],
		['~', '~'],
		['~/a/../b', '~/a/../b'],
		['@~/a', '~/a'],
		['~a', '/work/~a'],
		['.', '/work']
	])('%s is %s', (path, absolute) => {
		expect(absolutePath(at('/work'), path)).toBe(absolute);
	});

	it.each([
		['/work/a/b', 'a/b'],
		['/workshop/a', '/workshop/a'],
		['/work', '/work'],
		['~/a', '~/a']
	])('%s is shown as %s', (path, shown) => {
		expect(displayPath(at('/work'), path)).toBe(shown);
	});
});

it('describes a change by its lines, and one of binary content without', () => {
	const binary = new Uint8Array([0]);
	expect(describeChange('f', null, bytes('a\n'))).toMatchObject({ path: 'f', kind: 'added', added: 1, removed: 0 });
	expect(describeChange('f', bytes('a\n'), null)).toMatchObject({ path: 'f', kind: 'removed', added: 0, removed: 1 });
	expect(describeChange('f', binary, bytes('a\n'))).toEqual({
		path: 'f',
		kind: 'modified',
		diff: '',
		added: 0,
		removed: 0
	});
	expect(describeChange('f', bytes('a\n'), binary)).toEqual({
		path: 'f',
		kind: 'modified',
		diff: '',
		added: 0,
		removed: 0
	});
	expect(describeChange('f', null, binary)).toEqual({ path: 'f', kind: 'added', diff: '', added: 0, removed: 0 });
	expect(equalBytes(bytes('ab'), bytes('ab'))).toBe(true);
	for (const other of ['', 'a', 'abc', 'xb', 'ax']) expect(equalBytes(bytes('ab'), bytes(other))).toBe(false);
});
