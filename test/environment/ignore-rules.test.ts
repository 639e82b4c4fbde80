import { expect, it } from 'vitest';
import { TreeIgnoreRules } from '#environment/ignore-rules.ts';

it('knows which changes are to ignored files, by the last tree that was read', async () => {
	const texts = new Map([['1', 'out/\n']]);
	const rules = new TreeIgnoreRules(async (blob) => new TextEncoder().encode(texts.get(blob)));
	const tree = new Map([['.gitignore', { blob: '1' }]]);
	expect(rules.covers('out/a')).toBe(false);
	await rules.of(tree);
	expect(['out/', 'out/a', 'node_modules/', 'node_modules/a/.gitignore'].map((path) => rules.covers(path))).toEqual([
		...[true, true, true, true]
	]);
	expect(['a', 'outer/a', '.git/HEAD'].map((path) => rules.covers(path))).toEqual([false, false, false]);
	// After a change of an ignore file, nothing is known until a tree with that change is read.
	expect(rules.covers('.gitignore')).toBe(false);
	expect(rules.covers('out/a')).toBe(false);
	const reading = rules.of(tree);
	rules.covers('below/.gitignore');
	await reading;
	expect(rules.covers('out/a')).toBe(false);
	await rules.of(tree);
	expect(rules.covers('out/a')).toBe(true);
});
