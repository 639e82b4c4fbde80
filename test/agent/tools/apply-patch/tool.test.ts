import { describe, expect, it } from 'vitest';
import { ReadLedger } from '#agent/guards/read-ledger.ts';
import type { ProposedChange, ToolContext } from '#agent/tool.ts';
import { createApplyPatch } from '#agent/tools/apply-patch/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { memoryState } from '#test/contract/tools/harness.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

/** A project in memory, with `!` before the names of executables, and the requests and effects of a patch in it. */
function project(files: Record<string, string>, more: Partial<ToolContext> = {}) {
	const contents = new Map<string, string>();
	const modes = new Map<string, number>();
	for (const [name, text] of Object.entries(files)) {
		const path = `/work/${name.replace('!', '')}`;
		contents.set(path, text);
		modes.set(path, name.startsWith('!') ? 0o755 : 0o644);
	}
	const done: string[] = [];
	const fails: Record<string, Error> = {};
	const environment = {
		workingDirectory: () => '/work',
		readBytes: async (path: string) => {
			if (fails[`read ${path}`]) throw fails[`read ${path}`];
			const text = contents.get(path);
			if (text === undefined) throw new EnvironmentError('ENOENT', 'No such file', path);
			return bytes(text);
		},
		writeFile: async (path: string, content: Uint8Array) => {
			if (fails[`write ${path}`]) throw fails[`write ${path}`];
			done.push(`write ${path}`);
			contents.set(path, new TextDecoder().decode(content));
		},
		remove: async (path: string) => {
			done.push(`remove ${path}`);
			contents.delete(path);
		},
		fileExists: async (path: string) => contents.has(path),
		stat: async (path: string) => ({ mode: modes.get(path) ?? 0o644 }),
		setMode: async (path: string, mode: number) => void done.push(`mode ${path} ${mode.toString(8)}`)
	} as unknown as ExecutionEnvironment;
	const proposals: ProposedChange[] = [];
	const context = {
		environment,
		signal: new AbortController().signal,
		state: memoryState(),
		propose: (change: ProposedChange) => (proposals.push(change), Promise.resolve()),
		...more
	} as unknown as ToolContext;
	const apply = (text: string, options: Parameters<typeof createApplyPatch>[0] = {}) =>
		createApplyPatch(options).execute({ patch: text }, context);
	const tree = () =>
		Object.fromEntries([...contents].map(([path, text]) => [path.slice('/work/'.length), text]).sort());
	return { apply, tree, done, fails, proposals, context, contents };
}

const update = (path: string, from: string, to: string, moveTo?: string): string[] => [
	`*** Update File: ${path}`,
	...(moveTo === undefined ? [] : [`*** Move to: ${moveTo}`]),
	...['@@', `-${from}`, `+${to}`]
];

describe('a patch', () => {
	it('is shown file by file before anything is written, and says what became of each', async () => {
		const { apply, tree, proposals } = project({ 'a.txt': 'one\n', 'gone.txt': 'x\n', 'old.txt': 'from\n' });
		const result = await apply(
			patch(
				...['*** Add File: new.txt', '+hello', '*** Delete File: gone.txt'],
				...update('a.txt', 'one', '1'),
				...update('old.txt', 'from', 'to', 'deep/moved.txt')
			)
		);
		expect(tree()).toEqual({ 'a.txt': '1\n', 'deep/moved.txt': 'to\n', 'new.txt': 'hello\n' });
		expect(result.content).toBe(
			'Success. Updated the following files:\nA new.txt\nD gone.txt\nM a.txt\nA deep/moved.txt\n'
		);
		expect(proposals.map((change) => (change.kind === 'write' ? [change.path, change.description] : []))).toEqual([
			['/work/new.txt', 'Create new.txt (+1 −0)'],
			['/work/gone.txt', 'Delete gone.txt (+0 −1)'],
			['/work/a.txt', 'Change a.txt (+1 −1)'],
			['/work/old.txt', 'Delete old.txt (+0 −1)'],
			['/work/deep/moved.txt', 'Create deep/moved.txt (+1 −0)']
		]);
		expect(result).toMatchObject({ isError: false, details: { files: { length: 5 } } });
	});

	it('knows a file by each of its names', async () => {
		const { apply, tree } = project({ 'a.txt': 'one\ntwo\n' });
		const { content } = await apply(
			patch(...update('./a.txt', 'one', '1'), ...update('/work/a.txt', 'two', '2', './sub/../b.txt'))
		);
		expect(tree()).toEqual({ 'b.txt': '1\n2\n' });
		expect(content).toContain('A b.txt\n');
	});

	it('keeps a file executable that it moves, and makes no other so', async () => {
		const { apply, done } = project({ '!run.sh': 'one\n', 'plain.sh': 'one\n', '!stays.sh': 'one\n' });
		await apply(
			patch(
				...update('run.sh', 'one', '1', 'bin/run.sh'),
				...update('plain.sh', 'one', '1', 'bin/plain.sh'),
				...update('stays.sh', 'one', '1'),
				...['*** Add File: new.sh', '+x']
			)
		);
		expect(done.filter((step) => step.startsWith('mode'))).toEqual(['mode /work/bin/run.sh 755']);
	});

	it('puts back what it wrote, the last first, where a write fails', async () => {
		const before = { 'a.txt': 'one\n', 'b.txt': 'two\n', 'gone.txt': 'x\n' };
		const { apply, tree, done, fails } = project(before);
		fails['write /work/b.txt'] = new Error('The disk is full.');
		const lines = [...update('a.txt', 'one', '1'), '*** Add File: new.txt', '+x', '*** Delete File: gone.txt'];
		await expect(apply(patch(...lines, ...update('b.txt', 'two', '2')))).rejects.toThrow('The disk is full.');
		expect(tree()).toEqual(before);
		expect(done).toEqual(
			['write /work/a.txt', 'write /work/new.txt', 'remove /work/gone.txt'].concat(
				...['write /work/gone.txt', 'remove /work/new.txt', 'write /work/a.txt']
			)
		);
	});

	it('is for files, and says so of a directory alone', async () => {
		const { apply, fails } = project({});
		fails['read /work/dir'] = new EnvironmentError('EISDIR', 'It is a directory', '/work/dir');
		await expect(apply(patch(...update('dir', 'one', '1')))).rejects.toMatchObject({
			message: 'Is a directory: dir. A patch works on files.',
			details: { code: 'EISDIR' }
		});
		for (const failure of [
			new EnvironmentError('EACCES', 'Not yours'),
			Object.assign(new Error('x'), { code: 'EISDIR' })
		]) {
			fails['read /work/dir'] = failure;
			await expect(apply(patch(...update('dir', 'one', '1')))).rejects.toBe(failure);
		}
	});

	it('adds a file over another only where its profile says so', async () => {
		const { apply, tree } = project({ 'a.txt': 'one\n' });
		const add = patch('*** Add File: a.txt', '+over');
		await expect(apply(add)).rejects.toThrow('a.txt exists already');
		expect(tree()).toEqual({ 'a.txt': 'one\n' });
		await apply(add, { addExisting: 'overwrite' });
		expect(tree()).toEqual({ 'a.txt': 'over\n' });
	});

	it('makes known to the model what it wrote, and forgets what it deleted', async () => {
		const { apply, context } = project({ 'a.txt': 'one\n', 'gone.txt': 'x\n' });
		const ledger = ReadLedger.of(context.state);
		await ledger.note('/work/gone.txt', bytes('x\n'));
		await apply(patch(...update('a.txt', 'one', '1'), '*** Delete File: gone.txt'));
		expect(await ledger.compare('/work/a.txt', bytes('1\n'))).toBe('current');
		expect(await ledger.compare('/work/gone.txt', bytes('x\n'))).toBe('unread');
	});

	it('writes nothing once the run was stopped, or a file changed, while it was asked about', async () => {
		const controller = new AbortController();
		const propose = () => Promise.resolve(controller.abort());
		const stopped = project({ 'a.txt': 'one\n' }, { signal: controller.signal, propose });
		await expect(stopped.apply(patch(...update('a.txt', 'one', '1')))).rejects.toThrow();
		expect(stopped.done).toEqual([]);
		const changed = project(
			{ 'a.txt': 'one\n', 'b.txt': 'two\n' },
			{ propose: async () => void changed.contents.set('/work/b.txt', 'by the user\n') }
		);
		const both = patch(...update('a.txt', 'one', '1'), ...update('b.txt', 'two', '2'));
		await expect(changed.apply(both)).rejects.toThrow('b.txt was changed by something else');
		expect(changed.tree()).toEqual({ 'a.txt': 'one\n', 'b.txt': 'by the user\n' });
	});
});
