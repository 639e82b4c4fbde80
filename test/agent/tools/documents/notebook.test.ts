import { describe, expect, it } from 'vitest';
import { notebookText } from '#agent/tools/documents/notebook.ts';

const HEAD = (cells: string): string =>
	`[A notebook of ${cells}, shown as such. The file itself is JSON: see that with a command.]`;
const shown = (...cells: object[]): string | null => notebookText(JSON.stringify({ nbformat: 4, cells }));
const code = (...outputs: object[]) => ({ cell_type: 'code', source: 'run()', outputs });
const output = (...outputs: object[]): string | undefined =>
	shown(code(...outputs))
		?.split('--- Output of cell 1 ---\n')[1]
		?.replace(/\n$/, '');

describe('a notebook as text', () => {
	it('has its cells in order, by number and kind, each with its outputs', () => {
		expect(
			shown(
				{ cell_type: 'markdown', source: ['# Title\n', 'text\n\n'] },
				{ cell_type: 'code', source: 'print(1)\nprint(2)', outputs: [{ output_type: 'stream', text: ['1\n', '2\n'] }] },
				{ cell_type: 'code', source: 'quiet()', outputs: [] },
				{ cell_type: 'code', source: 'nothing()', outputs: [{ output_type: 'stream', text: '' }] }
			)
		).toBe(
			`${HEAD('4 cells')}\n\n--- Cell 1 (markdown) ---\n# Title\ntext\n\n--- Cell 2 (code) ---\nprint(1)\nprint(2)\n\n--- Output of cell 2 ---\n1\n2\n\n--- Cell 3 (code) ---\nquiet()\n\n--- Cell 4 (code) ---\nnothing()\n`
		);
		expect(shown({ cell_type: 'raw', source: '' })).toBe(`${HEAD('1 cell')}\n\n--- Cell 1 (raw) ---\n`);
		expect(shown()).toBe(`${HEAD('0 cells')}\n`);
	});

	it.each([
		['what was printed', { output_type: 'stream', text: ['a\n', 'b  \n'] }, 'a\nb'],
		[
			'a failure by its traceback, without colours',
			{
				output_type: 'error',
				ename: 'E',
				evalue: 'v',
				traceback: ['\u001b[0;31mTrace\u001b[0m', 'line \u001b[1;32m2\u001b[39;49m']
			},
			'Trace\nline 2'
		],
		['a failure without traceback', { output_type: 'error', ename: 'KeyError', evalue: "'x'" }, "KeyError: 'x'"],
		['a failure of no traceback lines', { output_type: 'error', ename: 'E', evalue: 'v', traceback: [] }, 'E: v'],
		['a failure without message', { output_type: 'error', ename: 'E' }, 'E: '.trimEnd()],
		['a value', { output_type: 'execute_result', data: { 'text/plain': ['4', '2'] } }, '42'],
		[
			'a picture by its kind and size',
			{ output_type: 'display_data', data: { 'text/plain': '<Figure>', 'image/png': 'AAAA' } },
			'<Figure>\n[image/png, 6 characters, left out]'
		],
		[
			'data without text',
			{ output_type: 'display_data', data: { 'text/html': ['<b>'] } },
			'[text/html, 7 characters, left out]'
		]
	])('shows %s', (_, given, text) => {
		expect(output(given)).toBe(text);
	});

	it('shows several outputs of a cell one below the other, and leaves empty ones out', () => {
		expect(
			output(
				{ output_type: 'stream', text: 'a' },
				{ output_type: 'display_data', data: {} },
				{ output_type: 'display_data' },
				{ output_type: 'stream', text: 'b' }
			)
		).toBe('a\nb');
	});

	it('cuts an output after 4,000 characters and says how much is left', () => {
		expect(output({ output_type: 'stream', text: 'x'.repeat(4_000) })).toBe('x'.repeat(4_000));
		expect(output({ output_type: 'stream', text: 'x'.repeat(4_003) })).toBe(
			`${'x'.repeat(4_000)}\n[3 characters more of this output, left out]`
		);
	});

	it.each([
		['no JSON', '{'],
		['another kind of JSON', '{"cells":[]}'],
		['a list', '[]'],
		['cells without a kind', '{"nbformat":4,"cells":[{"source":""}]}'],
		['cells without a source', '{"nbformat":4,"cells":[{"cell_type":"code"}]}'],
		['nothing', 'null']
	])('is none for %s', (_, content) => {
		expect(notebookText(content)).toBeNull();
	});
});
