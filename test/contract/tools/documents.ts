import { describe, expect, it } from 'vitest';
import type { ItWith } from '../environment/checks.ts';
import type { HarnessOf } from './harness.ts';
import { pdfFile } from './pdf-file.ts';

/** Tests files that are not text but are read as text. */
export function describeDocuments(harnessOf: HarnessOf, itWith: ItWith): void {
	describe('read, of documents', () => {
		const read = async (path: string, content: string | Uint8Array, args: Record<string, unknown> = {}) => {
			const { environment, call } = harnessOf();
			await environment.writeFile(path, content);
			return call('read', { path, ...args });
		};

		it('shows a notebook as its cells with their outputs, bounded, and pictures by name', async () => {
			const { content, isError } = await read('analysis.ipynb', JSON.stringify(NOTEBOOK));
			expect(isError).toBe(false);
			expect(content).toBe(SHOWN);
			const part = await read('analysis.ipynb', JSON.stringify(NOTEBOOK), { offset: 3, limit: 2 });
			expect(part.content).toMatch(/^--- Cell 1 \(markdown\) ---\n# Title\n\n\[\d+ more lines in file\. Use offset=5 /);
		});

		it('shows a notebook that is none as the text it is', async () => {
			expect((await read('broken.ipynb', '{"cells": [\n')).content).toBe('{"cells": [\n');
		});

		itWith('pdf', 'shows a PDF as the text of its pages, whatever its name, and pages through it', async () => {
			const pages = [['First page', 'second line'], ['Last page']];
			const whole = await read("o'clock notes", pdfFile(pages));
			expect(whole.content.replace(/ +/g, ' ')).toBe(
				'--- Page 1 ---\nFirst page\nsecond line\n\n--- Page 2 ---\nLast page\n'
			);
			expect((await read('part.pdf', pdfFile(pages), { offset: 5 })).content).toBe('--- Page 2 ---\nLast page');
		});

		itWith('pdf', 'says what to do about a PDF that is locked, empty or damaged', async () => {
			expect(await read('locked.pdf', pdfFile([['secret']], { locked: true }))).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^locked\.pdf is a PDF that is locked with a password\. Ask the user/)
			});
			expect(await read('scan.pdf', pdfFile([[], []]))).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^scan\.pdf is a PDF of 2 pages without text: scanned/)
			});
			expect(await read('broken.pdf', '%PDF-1.4\nnothing more')).toMatchObject({
				isError: true,
				content: expect.stringMatching(/^broken\.pdf is a PDF that cannot be read: ./)
			});
		});
	});
}

const NOTEBOOK = {
	nbformat: 4,
	nbformat_minor: 5,
	metadata: { kernelspec: { name: 'python3' } },
	cells: [
		{ cell_type: 'markdown', source: ['# Title\n', 'Words.'], metadata: {} },
		{
			cell_type: 'code',
			source: 'print(1)\nplot()',
			execution_count: 1,
			outputs: [
				{ output_type: 'stream', name: 'stdout', text: ['1\n'] },
				{
					output_type: 'display_data',
					data: { 'image/png': 'A'.repeat(98), 'text/plain': '<Figure>' },
					metadata: {}
				},
				{ output_type: 'stream', name: 'stdout', text: 'x'.repeat(4_010) }
			]
		},
		{
			cell_type: 'code',
			source: ['1 / 0'],
			outputs: [
				{ output_type: 'error', ename: 'ZeroDivisionError', evalue: 'd', traceback: ['\u001b[0;31mZero\u001b[0m: d'] }
			]
		}
	]
};

const SHOWN = `[A notebook of 3 cells, shown as such. The file itself is JSON: see that with a command.]

--- Cell 1 (markdown) ---
# Title
Words.

--- Cell 2 (code) ---
print(1)
plot()

--- Output of cell 2 ---
1
<Figure>
[image/png, 100 characters, left out]
${'x'.repeat(4_000)}
[10 characters more of this output, left out]

--- Cell 3 (code) ---
1 / 0

--- Output of cell 3 ---
Zero: d
`;
