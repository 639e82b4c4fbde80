import { describe, expect, it } from 'vitest';
import { ansiSpans } from '#page/timeline/ansi.ts';

describe('ansiSpans', () => {
	it('splits output by colour, bold and dim, and resets', () => {
		expect(ansiSpans('a\u001b[31;1mb\u001b[39mc\u001b[0md\u001b[90me\u001b[m')).toEqual([
			{ text: 'a', style: '' },
			{ text: 'b', style: 'ansi-red ansi-bold' },
			{ text: 'c', style: 'ansi-bold' },
			{ text: 'd', style: '' },
			{ text: 'e', style: 'ansi-black' }
		]);
	});

	it('takes the parameters of colours by number or value for no others', () => {
		expect(ansiSpans('\u001b[38;5;1mx\u001b[38;2;31;32;1my\u001b[32mz')).toEqual([
			{ text: 'x', style: '' },
			{ text: 'y', style: '' },
			{ text: 'z', style: 'ansi-green' }
		]);
	});

	it('removes what moves the cursor and keeps the last state of a line', () => {
		expect(ansiSpans('10%\r\u001b[2K\u001b[32m100%\u001b[0m\r\n\u001b]0;title\u0007end')).toEqual([
			{ text: '100%', style: 'ansi-green' },
			{ text: '\nend', style: '' }
		]);
	});
});
