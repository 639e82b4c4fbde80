import { describe, expect, it, vi } from 'vitest';
import { parsePatch } from '#agent/tools/apply-patch/parse.ts';
import { planPatch, type PlanOptions } from '#agent/tools/apply-patch/plan.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array | null): string | null => bytes && new TextDecoder().decode(bytes);

/** Changes of these files by a patch: kind, path, and the text before and after. */
async function planned(files: Record<string, string>, lines: string[], options: Partial<PlanOptions> = {}) {
	const read = vi.fn((path: string) => {
		const text = files[path];
		return Promise.resolve(text === undefined ? null : encode(text));
	});
	const operations = parsePatch(['*** Begin Patch', ...lines, '*** End Patch'].join('\n'));
	const changes = await planPatch(operations, read, { addExisting: 'refuse', maxFuzz: 3, ...options });
	return {
		changes: changes.map(({ kind, path, before, after }) => [kind, path, decode(before), decode(after)]),
		read: read.mock.calls.map(([path]) => path)
	};
}

const change = (path: string, from: string, to: string): string[] => [
	`*** Update File: ${path}`,
	'@@',
	`-${from}`,
	`+${to}`
];

describe('the plan of a patch', () => {
	it('has one change for each path, with the file before and after', async () => {
		const { changes } = await planned({ a: 'one\n', b: 'two\n' }, [
			...change('a', 'one', '1'),
			'*** Delete File: b',
			'*** Add File: c',
			'+three'
		]);
		expect(changes).toEqual([
			['modified', 'a', 'one\n', '1\n'],
			['removed', 'b', 'two\n', null],
			['added', 'c', null, 'three\n']
		]);
	});

	it('changes a file again as the operation before left it, and reads it once', async () => {
		const { changes, read } = await planned({ a: 'one\n' }, [...change('a', 'one', '1'), ...change('a', '1', 'I')]);
		expect(changes).toEqual([['modified', 'a', 'one\n', 'I\n']]);
		expect(read).toEqual(['a']);
	});

	it('takes a deleted file that is added again for a change, and one that is added and deleted for none', async () => {
		expect((await planned({ a: 'one\n' }, ['*** Delete File: a', '*** Add File: a', '+two'])).changes).toEqual([
			['modified', 'a', 'one\n', 'two\n']
		]);
		expect((await planned({}, ['*** Add File: a', '+two', '*** Delete File: a'])).changes).toEqual([]);
	});

	it('moves a file, also over another one and to its own name', async () => {
		const move = (to: string) => ['*** Update File: a', `*** Move to: ${to}`, '@@', '-one', '+1'];
		expect((await planned({ a: 'one\n' }, move('b'))).changes).toEqual([
			['removed', 'a', 'one\n', null],
			['added', 'b', null, '1\n']
		]);
		expect((await planned({ a: 'one\n', b: 'two\n' }, move('b'))).changes).toEqual([
			['removed', 'a', 'one\n', null],
			['modified', 'b', 'two\n', '1\n']
		]);
		expect((await planned({ a: 'one\n' }, move('a'))).changes).toEqual([['modified', 'a', 'one\n', '1\n']]);
	});

	it('overwrites a file that is there only where that is asked for', async () => {
		const add = ['*** Add File: a', '+two'];
		await expect(planned({ a: 'one\n' }, add)).rejects.toThrow(
			'a exists already. Update it with "*** Update File: a" instead of adding it.'
		);
		expect((await planned({ a: 'one\n' }, add, { addExisting: 'overwrite' })).changes).toEqual([
			['modified', 'a', 'one\n', 'two\n']
		]);
	});

	it('refuses to change or delete what is not there, or is deleted already', async () => {
		const missing = 'File not found: a. Only existing files can be updated or deleted.';
		await expect(planned({}, change('a', 'one', '1'))).rejects.toThrow(missing);
		await expect(planned({}, ['*** Delete File: a'])).rejects.toThrow(missing);
		await expect(planned({ a: 'one\n' }, ['*** Delete File: a', ...change('a', 'one', '1')])).rejects.toThrow(missing);
	});

	it('refuses to patch a binary file, which it may delete', async () => {
		await expect(planned({ a: 'one\n\0' }, change('a', 'one', '1'))).rejects.toThrow(
			'a is a binary file and cannot be patched as text.'
		);
		expect((await planned({ a: '\0' }, ['*** Delete File: a'])).changes).toEqual([['removed', 'a', '\0', null]]);
	});
});
