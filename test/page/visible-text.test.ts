import { describe, expect, it } from 'vitest';
import { visibleLine, visibleName } from '../../src/page/visible-text.ts';

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
