import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { editText, type TextEdit } from '#agent/tools/edit-text.ts';
import { ToolError } from '#agent/tools/result.ts';

const line = fc.constantFrom(
	'alpha',
	'beta  ',
	'\tgamma',
	'it\u2019s',
	'\u201cq\u201d',
	'a\u00a0b',
	'x \u2014 y',
	'',
	'   ',
	'end'
);
const ending = fc.constantFrom('\n', '\r\n');

describe('editText', () => {
	it('changes only the unique line, whatever surrounds it', () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(line, ending)),
				fc.array(fc.tuple(line, ending)),
				ending,
				fc.boolean(),
				(head, tail, own, mark) => {
					const text = (rows: [string, string][]): string => rows.map(([row, end]) => row + end).join('');
					const before = `${mark ? '\ufeff' : ''}${text(head)}UNIQUE needle${own}${text(tail)}`;
					const { text: after, replacements } = editText(
						before,
						[{ oldText: 'UNIQUE needle', newText: 'changed' }],
						'f'
					);
					expect(after).toBe(before.replace('UNIQUE needle', 'changed'));
					expect(replacements).toBe(1);
				}
			)
		);
	});

	it('either applies an edit where a careful reader would or refuses it', () => {
		fc.assert(
			fc.property(fc.array(line, { minLength: 1 }), fc.nat(), (rows, pick) => {
				const target = rows[pick % rows.length] ?? '';
				const content = `${rows.join('\n')}\n`;
				const count = content.split(target).length - 1;
				fc.pre(target.trim() !== '');
				try {
					const { text } = editText(content, [{ oldText: target, newText: 'CHANGED' }], 'f');
					expect(count).toBe(1);
					expect(text).toBe(content.replace(target, () => 'CHANGED'));
				} catch (error) {
					expect(error).toMatchObject({ name: 'ToolError' });
				}
			})
		);
	});

	it('takes time in proportion to the text, also where it is all spaces', () => {
		const content = `${' '.repeat(300_000)}x\n`;
		// Quadratic time would need 90,000 million steps and exceed the test's time limit.
		expect(() => editText(content, [{ oldText: 'absent', newText: '' }], 'f')).toThrow('Could not find');
	});

	it('tells where the first line looked for stands', () => {
		expect(() =>
			editText('one\nfunction a() {\n  old\n}\n', [{ oldText: 'function a() {\n  new\n}', newText: 'x' }], 'f')
		).toThrow(/closest place is line 2, where 2 of 3 lines match. It reads:\nfunction a\(\) \{\n {2}old/);
	});

	it('refuses edits that overlap', () => {
		const edits = [
			{ oldText: 'one two', newText: 'a' },
			{ oldText: 'two three', newText: 'b' }
		];
		expect(() => editText('one two three', edits, 'f')).toThrow('Two edits overlap');
	});

	it('keeps dollar signs as they are', () => {
		expect(editText('price', [{ oldText: 'price', newText: "$& $1 $'" }], 'f').text).toBe("$& $1 $'");
	});
});

describe('a refused edit', () => {
	const failing = (content: string, edits: TextEdit[]): string => {
		try {
			return editText(content, edits, 'src/f.ts').text;
		} catch (error) {
			if (error instanceof ToolError) return error.message;
			throw error;
		}
	};

	it('says how often a text occurs and on which lines, up to twenty of them', () => {
		expect(failing('a\nx\na\n\na a\n', [{ oldText: 'a', newText: 'b' }])).toBe(
			'Found 4 occurrences of the text in src/f.ts. The text must be unique. Please provide more context to make it unique. They begin at lines 1, 3, 5, 5.'
		);
		const twenty = failing('a\n'.repeat(20), [{ oldText: 'a', newText: 'b' }]);
		expect(twenty).toContain('lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20.');
		expect(failing('a\n'.repeat(21), [{ oldText: 'a', newText: 'b' }])).toContain(', 19, 20 ….');
	});

	it('counts as the same what differs in quotes, dashes and spaces only, also where one is exact', () => {
		expect(failing("it\u2019s\n\nit\u2019s\nit's\n", [{ oldText: "it's", newText: 'x' }])).toMatch(
			/^Found 3 occurrences .* They begin at lines 1, 3, 4\.$/
		);
		expect(failing('a\u2014b\n', [{ oldText: 'a-b', newText: 'c' }])).toBe('c\n');
	});

	it('says which of several edits it was, and none when there is one', () => {
		const good = { oldText: 'one', newText: '1' };
		expect(failing('one two two\n', [good, { oldText: 'two', newText: '2' }])).toContain(
			'occurrences of the text in src/f.ts (edit 2 of 2).'
		);
		expect(failing('one\n', [good, { oldText: 'qqq', newText: '' }])).toBe(
			'Could not find the exact text in src/f.ts (edit 2 of 2). The old text must match exactly including all whitespace and newlines. Read the file again and take the text as it is there.'
		);
		expect(failing('one\n', [{ oldText: '', newText: '2' }])).toBe(
			'The old text is empty, but src/f.ts is not. Give the text to replace.'
		);
		expect(failing('one\n', [{ oldText: '', newText: '2' }, good])).toContain('is not (edit 1 of 2).');
	});

	it('says that nothing would change, and that edits overlap', () => {
		expect(failing('one\n', [{ oldText: 'one', newText: 'one' }])).toBe(
			'No changes made to src/f.ts. The replacement produced identical content.'
		);
		expect(
			failing('abcd', [
				{ oldText: 'bc', newText: '' },
				{ oldText: 'ab', newText: '' }
			])
		).toBe('Two edits overlap in src/f.ts. Merge them into one edit, or make them apart.');
		expect(
			failing('abcd', [
				{ oldText: 'cd', newText: 'CD' },
				{ oldText: 'ab', newText: 'AB' }
			])
		).toBe('ABCD');
	});

	it('shows a line that reads alike where none is the same, at most twelve lines', () => {
		expect(
			failing('x\nconst total = sum(prices);\ny\n', [{ oldText: 'const total = sum(costs);', newText: '' }])
		).toContain(' The closest place is line 2, which reads alike. It reads:\nconst total = sum(prices);\n');
		expect(failing('alpha beta\n', [{ oldText: 'gamma delta', newText: '' }])).not.toContain('closest');
		const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
		const shown = failing(`${lines.join('\n')}\n`, [{ oldText: `${lines.join('\n')} and more`, newText: '' }]);
		expect(shown).toContain('where 19 of 20 lines match');
		expect(shown).toMatch(/line 11\n$/);
	});
});

describe('an applied edit', () => {
	const edited = (content: string, oldText: string, newText: string, all = false) =>
		editText(content, [{ oldText, newText, all }], 'f');

	it('replaces all occurrences that lie apart, and counts them', () => {
		expect(edited('aaaaa', 'aa', 'b', true)).toEqual({ text: 'bba', replacements: 2, fuzzy: false });
		expect(edited('x', 'x', 'y', true)).toEqual({ text: 'y', replacements: 1, fuzzy: false });
	});

	it('says when it was found only by its likeness', () => {
		expect(edited('say \u201chi\u201d', 'say "hi"', 'x')).toEqual({ text: 'x', replacements: 1, fuzzy: true });
		expect(
			editText(
				'a\u2014b\nc\n',
				[
					{ oldText: 'a-b', newText: '1' },
					{ oldText: 'c', newText: '2' }
				],
				'f'
			)
		).toEqual({ text: '1\n2\n', replacements: 2, fuzzy: true });
	});

	it('leaves lines as they are that old and new text share, spaces at their ends too', () => {
		expect(edited('head  \nold\ntail\t\n', 'head\nold\ntail', 'head\nnew\ntail').text).toBe('head  \nnew\ntail\t\n');
		expect(edited('a\u00a0b \nold\n', 'a b\nold', 'a b\nnew').text).toBe('a\u00a0b \nnew\n');
	});

	it('writes the line ends of the place that it changes, else those of the file', () => {
		expect(edited('a\r\nb\r\nc\n', 'b', 'x\ny').text).toBe('a\r\nx\r\ny\r\nc\n');
		expect(edited('a\nb\r\nc\r\n', 'b\nc', 'x\ny\nz').text).toBe('a\nx\r\ny\r\nz\r\n');
		expect(edited('one', 'one', 'x\ny').text).toBe('x\ny');
	});

	it('finds a text of many lines, and one with spaces behind it that the file does not have', () => {
		const long = Array.from({ length: 30 }, (_, index) => `row ${index}`).join('\n');
		expect(edited(`a\n${long}\nz\n`, long, 'short').text).toBe('a\nshort\nz\n');
		expect(edited('alpha\nbeta\n', 'alpha  ', 'x').text).toBe('x\nbeta\n');
		expect(edited('ab\n', 'b\n', '').text).toBe('a');
	});
});

describe('an edit', () => {
	const edit = (text: string, oldText: string, newText: string): string =>
		editText(text, [{ oldText, newText }], 'f').text;
	const refusal = (text: string, oldText: string): string => {
		try {
			return edit(text, oldText, 'new');
		} catch (error) {
			expect(error).toBeInstanceOf(ToolError);
			return error instanceof Error ? error.message : '';
		}
	};

	it('leaves a mark of the byte order where it is, at the end too', () => {
		expect(edit('a\ufeff', 'a', 'b')).toBe('b\ufeff');
		expect(edit('\ufeffa', 'a', 'b')).toBe('\ufeffb');
	});

	it('writes line ends as the text around it has them', () => {
		expect(edit('a\nb\r\nc', 'a', 'x\ny')).toBe('x\ny\nb\r\nc');
		expect(edit('q\r\na\nb\r\n', 'a\nb', 'x\ny\nz')).toBe('q\r\nx\ny\nz\r\n');
		expect(edit('q\r\na\n', 'a', 'x\ny')).toBe('q\r\nx\r\ny\n');
	});

	it('keeps the lines that old and new text share byte for byte', () => {
		expect(edit('x\n\u201cq\u201d  \r\nend \n', 'x\n"q"\nend\n', 'y\n"q"\nend\n')).toBe('y\n\u201cq\u201d  \r\nend \n');
		expect(edit('\u201cq\u201d  \r\nx\n', '"q"\nx', '"q"\ny')).toBe('\u201cq\u201d  \r\ny\n');
		expect(edit('a\nb\n', 'a', 'a\nc')).toBe('a\nc\nb\n');
		expect(edit('a\na\n', 'a\na', 'a\na\na')).toBe('a\na\na\n');
		expect(edit('a\n', 'a\n', 'a\nb\n')).toBe('a\nb\n');
		expect(edit('a\nb\n', 'a\nb\n', 'a\n')).toBe('a\n');
	});

	it('finds nothing in spaces that the file does not have', () => {
		expect(refusal('ab\n', ' ')).toContain('Could not find the exact text in f.');
		expect(refusal('ab\n', '')).toBe('The old text is empty, but f is not. Give the text to replace.');
	});

	it('needs its trailing space where only that makes it unique', () => {
		expect(edit('a b\nac\n', 'a ', 'x ')).toBe('x b\nac\n');
	});

	it('names the lines of all places that it could mean', () => {
		expect(refusal('\u201ca\u201d\n"a"\n', '"a"')).toMatch(/^Found 2 occurrences .* They begin at lines 1, 2\.$/);
		expect(refusal(`q${' '.repeat(20)}\n"a"\n"a"\n`, '"a"')).toContain('They begin at lines 2, 3.');
		expect(refusal('a\nb\nb\n', '\nb')).toContain('They begin at lines 1, 2.');
	});
});
