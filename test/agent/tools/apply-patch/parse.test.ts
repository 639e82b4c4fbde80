import { describe, expect, it } from 'vitest';
import { parsePatch, pathsOfPatch, type PatchHunk } from '#agent/tools/apply-patch/parse.ts';

const patch = (...lines: string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

function refusal(text: string): string {
	try {
		return JSON.stringify(parsePatch(text));
	} catch (error) {
		expect(error).toMatchObject({ name: 'ToolError' });
		return error instanceof Error ? error.message : '';
	}
}

/** The hunks of one update: their context, then their lines with their signs. */
function hunksOf(...lines: string[]): [context: string[], lines: string[], endOfFile: boolean][] {
	const [operation] = parsePatch(patch('*** Update File: f', ...lines));
	if (operation?.kind !== 'update') throw new Error('It is no update.');
	const sign = { context: ' ', delete: '-', add: '+' };
	return operation.hunks.map(({ context, lines: each, endOfFile }: PatchHunk) => [
		context,
		each.map(({ kind, text }) => sign[kind] + text),
		endOfFile
	]);
}

describe('a patch', () => {
	it('is read operation by operation, spaces around paths and headers aside', () => {
		expect(
			parsePatch(
				patch(
					'*** Add File:  new.txt ',
					'+one',
					'+',
					'+ two',
					'',
					'  *** Delete File: old.txt',
					' ',
					'*** Update File: a.txt ',
					' *** Move to:  b.txt ',
					'@@',
					'-x',
					'+y',
					'',
					'*** Update File: c.txt',
					'*** Move to: d.txt'
				)
			)
		).toEqual([
			{ kind: 'add', path: 'new.txt', text: 'one\n\n two\n' },
			{ kind: 'delete', path: 'old.txt' },
			{
				kind: 'update',
				path: 'a.txt',
				moveTo: 'b.txt',
				hunks: [
					{
						context: [],
						lines: [
							{ kind: 'delete', text: 'x' },
							{ kind: 'add', text: 'y' }
						],
						endOfFile: false
					}
				]
			},
			{ kind: 'update', path: 'c.txt', moveTo: 'd.txt', hunks: [] }
		]);
	});

	it.each([
		['spaces around the markers', '  *** Begin Patch  \n*** Delete File: a\n *** End Patch \n\n'],
		['carriage returns', '*** Begin Patch\r\n*** Delete File: a\r\n*** End Patch\r\n'],
		['a second end', `${patch('*** Delete File: a')}\n*** End Patch\n *** End Patch`],
		['empty lines before the first header', patch('', ' ', '*** Delete File: a')],
		['a here-document', `<<EOF\n${patch('*** Delete File: a')}\nEOF`],
		['a here-document in quotes', `apply_patch <<'PATCH_1'\n${patch('*** Delete File: a')}\nPATCH_1`],
		[
			'a here-document in double quotes and a shell',
			`bash -lc (apply_patch <<-"E"\n${patch('*** Delete File: a')}\nE )`
		],
		['a here-document with spaces before its word', `cat << EOF\n${patch('*** Delete File: a')}\nEOF`]
	])('may have %s', (_, text) => {
		expect(parsePatch(text)).toEqual([{ kind: 'delete', path: 'a' }]);
	});

	it.each([
		['the first line', '*** Delete File: a', 'line 1: The first line must be "*** Begin Patch".'],
		['the last line', '*** Begin Patch\n*** Delete File: a', 'line 2: The last line must be "*** End Patch".'],
		['a patch of nothing', patch(), undefined],
		['what follows a deletion', patch('*** Delete File: a', '+x'), 'line 3: Nothing may follow "*** Delete File:".'],
		[
			'a line that is no header',
			patch('*** Delete File: a', '', '*** Rename File: b'),
			'line 3: Nothing may follow "*** Delete File:".'
		],
		[
			'an unknown header',
			patch('', ' *** Rename File: b'),
			'line 3: "*** Rename File: b" is no file header. Valid are "*** Add File: …", "*** Delete File: …" and "*** Update File: …".'
		],
		[
			'an added line without its sign',
			patch('*** Add File: new', '+a', 'b'),
			'line 4: Each line of the new file new must begin with "+".'
		],
		[
			'an end of the file before any hunk',
			patch('*** Update File: a', '*** Move to: b', '*** End of File'),
			'line 4: "*** End of File" must stand at the end of a hunk.'
		],
		[
			'a line of an update without its sign',
			patch('*** Update File: a', '@@', '-x', 'y'),
			'line 5: In a: "y" must begin with a space, "+" or "-", or be a "@@" header.'
		],
		[
			'such a line behind a move',
			patch('*** Update File: a', '*** Move to: b', 'y'),
			'line 4: In a: "y" must begin with a space, "+" or "-", or be a "@@" header.'
		]
	])('is refused with its line number: %s', (_, text, message) => {
		expect(refusal(text)).toBe(message ? `Invalid patch, ${message}` : 'Invalid patch: it changes no file.');
	});

	it.each([
		['with a path of spaces', patch('*** Add File:   ', '+x'), 'line 2: "*** Add File:" is no file header. '],
		['without a path', patch('*** Update File: ', '@@', '-x'), 'line 2: "*** Update File:" is no file header. ']
	])('is refused %s', (_, text, message) => {
		expect(refusal(text)).toContain(`Invalid patch, ${message}`);
	});

	it.each([
		['a hunk without lines', patch('*** Update File: a', '@@', '@@', '-x')],
		['an update without hunks', patch('*** Update File: a')]
	])('is refused for %s', (_, text) => {
		expect(refusal(text)).toBe('Invalid patch: the update of a has an empty hunk. Give the lines to change.');
	});
});

describe('the hunks of an update', () => {
	it('have the lines to find first, and what to change there', () => {
		expect(hunksOf('@@ class A', '@@ def f():', ' a', '-b', '+c', '@@ def g(): @@', '-d', '*** End of File ')).toEqual([
			[['class A', 'def f():'], [' a', '-b', '+c'], false],
			[['def g():'], ['-d'], true]
		]);
	});

	it('begin at each @@ alone, with or without spaces, and after the end of the file', () => {
		expect(hunksOf('@@', '-a', '@@  ', '-b', ' @@', '-c', '*** End of File', '-d')).toEqual([
			[[], ['-a'], false],
			[[], ['-b'], false],
			[[], ['-c'], true],
			[[], ['-d'], false]
		]);
	});

	it('may leave out the first @@', () => {
		expect(hunksOf('-a', '+b', '@@', '-c')).toEqual([
			[[], ['-a', '+b'], false],
			[[], ['-c'], false]
		]);
	});

	it('keep an empty line within, drop one at the end, and keep one with its space', () => {
		expect(hunksOf('@@', '-a', '', '-b', '', '')).toEqual([[[], ['-a', ' ', '-b'], false]]);
		expect(hunksOf('@@', '-a', ' ')).toEqual([[[], ['-a', ' '], false]]);
		expect(hunksOf('@@', '', '')).toEqual([[[], [' '], false]]);
	});

	it('take a line that begins with a space for one of the file, also where it reads like a header', () => {
		expect(hunksOf('@@', ' *** Delete File: x', '-a')).toEqual([[[], [' *** Delete File: x', '-a'], false]]);
	});
});

it('names the files that a patch requires apart from those that it creates', () => {
	const text = patch('*** Add File: a', '+x', '*** Delete File: b', '*** Update File: c', '*** Move to: d', '@@', '-x');
	expect(pathsOfPatch(text)).toEqual({ reads: ['b', 'c'], adds: ['a'] });
});
