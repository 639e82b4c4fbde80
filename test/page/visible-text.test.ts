import { describe, expect, it } from 'vitest';
import { visibleLine, visibleName, visiblePassage } from '#page/visible-text.ts';

describe('what a person judges by its name', () => {
	it('shows what would make it read as another one', () => {
		expect(visibleName('inv\u202egnp.exe')).toBe('inv‹U+202E›gnp.exe');
		expect(visibleName('a\nb\tc\u200b.txt')).toBe('a‹U+000A›b‹U+0009›c‹U+200B›.txt');
		expect(visibleLine('if (level != "user\u202e \u2066// admins only\u2069 \u2066")')).toBe(
			'if (level != "user‹U+202E› ‹U+2066›// admins only‹U+2069› ‹U+2066›")'
		);
	});

	it('leaves alone what is only another script', () => {
		for (const name of ['übersicht.md', '说明.txt', 'مرحبا.txt', '👩‍👩‍👧.png']) expect(visibleName(name)).toBe(name);
		expect(visibleLine('\tשלום\u200f!\r')).toBe('\tשלום\u200f!\r');
	});
});

describe('a passage that only the model would read', () => {
	it('shows every character that is not drawn, and leaves lines, tabs and pictures alone', () => {
		expect(visiblePassage('a\u200bb\u00adc\u{e0041}d\u3164e\u2800f\u202eg')).toBe(
			'a‹U+200B›b‹U+00AD›c‹U+E0041›d‹U+3164›e‹U+2800›f‹U+202E›g'
		);
		expect(visiblePassage('x\ufe0f\u{e0101}')).toBe('x‹U+FE0F›‹U+E0101›');
		expect(visiblePassage('line\n\tnext ❤️ 👩‍👩‍👧 1️⃣')).toBe('line\n\tnext ❤️ 👩‍👩‍👧 1️⃣');
	});
});
