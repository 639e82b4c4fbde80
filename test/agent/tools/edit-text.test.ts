import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { editText } from '#agent/tools/edit-text.ts';

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
		// Ninety thousand million steps, were it the square: the test's own time limit would be over.
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
