import { describe, expect, it } from 'vitest';
import { ReadLedger } from '#agent/guards/read-ledger.ts';
import type { ProposedChange, ToolContext } from '#agent/tool.ts';
import { editFile, editFileMany } from '#agent/tools/edit-file.ts';
import { writeProposed } from '#agent/tools/file-change.ts';
import { writeFile } from '#agent/tools/write-file.ts';
import { EnvironmentError } from '#environment/errors.ts';
import { memoryState } from '#test/contract/tools/harness.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Tools for files in memory; the name of a directory ends with a slash. */
function start(given: Record<string, string> = {}) {
	const files = new Map(Object.entries(given).map(([path, text]) => [`/w/${path}`, bytes(text)]));
	const proposals: ProposedChange[] = [];
	const environment = {
		workingDirectory: () => '/w',
		fileExists: (path: string) => Promise.resolve(files.has(path)),
		readBytes: (path: string) => {
			if (files.has(`${path}/`)) return Promise.reject(new EnvironmentError('EISDIR', 'It is a directory.'));
			const found = files.get(path);
			return found ? Promise.resolve(found) : Promise.reject(new EnvironmentError('ENOENT', 'There is no such file.'));
		},
		writeFile: (path: string, content: Uint8Array) => Promise.resolve(void files.set(path, content))
	};
	const state = memoryState();
	const context = {
		environment,
		state,
		signal: new AbortController().signal,
		propose: (change: ProposedChange) => Promise.resolve(void proposals.push(change))
	} as unknown as ToolContext;
	const text = (path: string): string => new TextDecoder().decode(files.get(`/w/${path}`));
	return { context, proposals, text, ledger: ReadLedger.of(state), files };
}

describe('a file that is written', () => {
	it('is made or overwritten, and the guards are asked with what it was and becomes', async () => {
		const { context, proposals, text, ledger } = start({ 'a.txt': 'one\n' });
		expect(await writeFile.execute({ file_path: 'b.txt', content: 'né\n' }, context)).toMatchObject({
			content: 'Successfully wrote 4 bytes to b.txt',
			details: { path: 'b.txt', kind: 'added', bytes: 4, created: true, added: 1, removed: 0 },
			isError: false
		});
		expect(await writeFile.execute({ file_path: './a.txt', content: 'two\n' }, context)).toMatchObject({
			content: 'Successfully wrote 4 bytes to ./a.txt',
			details: { path: 'a.txt', kind: 'modified', created: false, added: 1, removed: 1 }
		});
		expect(proposals).toMatchObject([
			{ kind: 'write', path: '/w/b.txt', before: null, after: bytes('né\n'), description: 'Create b.txt (+1 −0)' },
			{ path: '/w/a.txt', before: bytes('one\n'), description: 'Overwrite a.txt (+1 −1)', isMatchedInShell: false }
		]);
		expect(text('a.txt')).toBe('two\n');
		expect(await ledger.compare('/w/a.txt', bytes('two\n'))).toBe('current');
	});

	it('is left alone where it has that content', async () => {
		const { context, proposals } = start({ a: 'one' });
		expect(await writeFile.execute({ file_path: 'a', content: 'one' }, context)).toMatchObject({
			content: 'a has this content already; nothing was written.',
			details: { created: false, bytes: 3 },
			isError: false
		});
		expect(proposals).toEqual([]);
	});

	it('is not a directory', async () => {
		const { context } = start({ 'src/': '' });
		const refusal = { message: 'Is a directory: src. Give the path of a file.', details: { code: 'EISDIR' } };
		await expect(writeFile.execute({ file_path: 'src', content: '' }, context)).rejects.toMatchObject(refusal);
		await expect(
			editFile.execute({ file_path: 'src', old_string: 'a', new_string: 'b' }, context)
		).rejects.toMatchObject(refusal);
	});
});

describe('a file that is edited', () => {
	const edit = (given: Record<string, string>, old_string: string, new_string: string, replace_all?: boolean) => {
		const started = start(given);
		const args = { file_path: 'a', old_string, new_string, ...(replace_all === undefined ? {} : { replace_all }) };
		return { ...started, result: editFile.execute(args, started.context) };
	};

	it('has one text replaced, or each', async () => {
		const one = edit({ a: 'one two\n' }, 'one', '1');
		expect(await one.result).toMatchObject({
			content: 'Successfully replaced text in a.',
			details: { path: 'a', kind: 'modified', replacements: 1, fuzzy: false, added: 1, removed: 1 },
			isError: false
		});
		expect(one.text('a')).toBe('1 two\n');
		expect(one.proposals).toMatchObject([{ description: 'Edit a (+1 −1)', isMatchedInShell: false }]);
		const all = edit({ a: 'x x x' }, 'x', 'y', true);
		expect((await all.result).content).toBe('Successfully replaced 3 texts in a.');
		expect(all.text('a')).toBe('y y y');
		await expect(edit({ a: 'x x' }, 'x', 'y').result).rejects.toThrow('Found 2 occurrences');
	});

	it('says where it was found only loosely', async () => {
		const { result, text } = edit({ a: 'it\u2019s\n' }, "it's", 'its');
		expect((await result).content).toBe(
			'Successfully replaced text in a (matched after evening out whitespace, quotes or dashes).'
		);
		expect(text('a')).toBe('its\n');
	});

	it('is made by an empty old text, also where it is there and empty', async () => {
		const made = edit({}, '', 'new\n');
		expect(await made.result).toMatchObject({ content: 'Created a.', details: { kind: 'added', fuzzy: false } });
		expect(made.text('a')).toBe('new\n');
		const filled = edit({ a: '' }, '', 'new\n');
		expect((await filled.result).content).toBe('Successfully replaced text in a.');
		expect(filled.text('a')).toBe('new\n');
		await expect(edit({ a: 'x' }, '', 'new').result).rejects.toThrow('The old text is empty, but a is not.');
	});

	it('has to be there, and no binary file', async () => {
		await expect(edit({}, 'x', 'y').result).rejects.toThrow(
			'File not found: a. Search for the right path, then try again.'
		);
		await expect(edit({ a: '\0x' }, 'x', 'y').result).rejects.toThrow(
			'a is a binary file and cannot be edited as text. Use a command instead.'
		);
	});

	it('has several texts replaced, all or none', async () => {
		const { context, text } = start({ a: 'one two two' });
		const replace = (old_string: string, new_string: string, replace_all?: boolean) => ({
			old_string,
			new_string,
			...(replace_all === undefined ? {} : { replace_all })
		});
		const edits = [replace('one', '1'), replace('two', '2', true)];
		expect((await editFileMany.execute({ file_path: 'a', edits }, context)).content).toBe(
			'Successfully replaced 3 texts in a.'
		);
		expect(text('a')).toBe('1 2 2');
		const wrong = [replace('1', 'one'), replace('2', 'two')];
		await expect(editFileMany.execute({ file_path: 'a', edits: wrong }, context)).rejects.toThrow(
			'Found 2 occurrences'
		);
		expect(text('a')).toBe('1 2 2');
		const empty = [replace('', 'x'), replace('1', 'one')];
		await expect(editFileMany.execute({ file_path: 'b', edits: empty }, context)).rejects.toThrow('File not found: b.');
	});
});

describe('what the model knows after a change', () => {
	it('is the whole file where it knew it before, and a note where that was another', async () => {
		const { context, ledger } = start({ a: 'one two three four' });
		await ledger.note('/w/a', bytes('older'));
		const edit = (old_string: string, new_string: string) =>
			editFile.execute({ file_path: 'a', old_string, new_string }, context);
		expect((await edit('one', '1')).content).toBe(
			'Successfully replaced text in a. The file had changed since you last read it: read it again before relying on the rest.'
		);
		expect(await ledger.compare('/w/a', bytes('1 two three four'))).toBe('current');
		expect((await edit('1', 'one')).content).toBe('Successfully replaced text in a.');
	});

	it('is not the file of which it knows only what a command printed', async () => {
		const { context, ledger, proposals } = start({ a: 'one two three four', b: 'one two three four' });
		ledger.noteShell('one two three');
		await editFile.execute({ file_path: 'a', old_string: 'one two three', new_string: '1' }, context);
		expect(proposals).toMatchObject([{ isMatchedInShell: true }]);
		expect(await ledger.compare('/w/a', bytes('1 four'))).toBe('unread');
		const all = { file_path: 'b', old_string: 'one two three', new_string: '1', replace_all: true };
		await editFile.execute(all, context);
		expect(proposals[1]).toMatchObject({ isMatchedInShell: false });
		expect(await ledger.compare('/w/b', bytes('1 four'))).toBe('current');
	});

	it('is nothing of a file that something else changed while the user decided', async () => {
		const { context, ledger, files } = start({ a: 'one' });
		await ledger.note('/w/a', bytes('one'));
		const meanwhile = { ...context, propose: async () => void files.set('/w/a', bytes('two')) };
		await expect(writeProposed(meanwhile, '/w/a', bytes('one'), bytes('new'), '')).rejects.toThrow(
			'/w/a was changed by something else while this change waited. Nothing was written.'
		);
		expect(await ledger.compare('/w/a', bytes('one'))).toBe('unread');
		await expect(writeProposed(context, '/w/b', bytes('one'), bytes('new'), '')).rejects.toThrow('was changed');
		await expect(writeProposed(context, '/w/a', null, bytes('new'), '')).rejects.toThrow('was changed');
	});
});
