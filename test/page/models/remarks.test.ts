import { expect, it } from 'vitest';
import { remarksOn } from '#page/models/remarks.ts';

it('remarks on new, quick and unfinished models, and on none of the others', () => {
	expect(remarksOn({ model: 'claude-haiku-5-5' })).toEqual(['new', 'fast']);
	expect(remarksOn({ model: 'gemini-3.1-pro-preview' })).toEqual(['preview']);
	expect(remarksOn({ model: 'claude-opus-5' })).toEqual([]);
	expect(remarksOn({ model: 'not-in-any-list' })).toEqual([]);
});

it('says until when a model is served, and that it was', () => {
	const remark = (now: number) => remarksOn({ model: 'claude-sonnet-4-5' }, now).join();
	expect(remark(Date.UTC(2026, 10, 30, 23))).toMatch(/^until .*2026/);
	expect(remark(Date.UTC(2026, 11, 1))).toMatch(/^ended .*2026/);
});
