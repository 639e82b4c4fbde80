import { expect, it } from 'vitest';
import type { ShareBundle } from '#session/contract.ts';
import { sharedPaths, sharedSides } from '#page/share/share-contents.ts';

const file = (text: string) => ({ mode: 0o100644, base64: btoa(text) });
const bundle: ShareBundle = {
	version: 1,
	origin: { kind: 'files', name: 'files' },
	title: 'A share',
	files: {
		'same.txt': file('same'),
		'new.txt': file('new'),
		'changed.txt': file('after'),
		'bad.txt': { mode: 0o100644, base64: '*' }
	},
	removed: ['gone.txt'],
	before: { 'new.txt': null, 'changed.txt': file('before'), 'gone.txt': file('gone') },
	entries: [],
	checkpoints: [],
	viewOnly: false
};
const text = (bytes: Uint8Array | null | undefined): string | null => (bytes ? new TextDecoder().decode(bytes) : null);

it('tells what a session changed from what it left as it was', () => {
	const { changed, same } = sharedPaths(bundle);
	expect(changed).toEqual([
		{ path: 'changed.txt', kind: 'modified' },
		{ path: 'gone.txt', kind: 'removed' },
		{ path: 'new.txt', kind: 'added' }
	]);
	expect(same.map(({ path }) => path)).toEqual(['bad.txt', 'same.txt']);
});

it('over a base, everything it carries was changed', () => {
	const { changed, same } = sharedPaths({
		...bundle,
		base: { url: 'https://github.com/a/b', commit: 'abc' },
		before: {}
	});
	expect(changed.find(({ path }) => path === 'same.txt')?.kind).toBe('brought');
	expect(changed.find(({ path }) => path === 'gone.txt')?.kind).toBe('removed');
	expect(same).toEqual([]);
});

it('gives both sides of a path, nothing for names of the language, and says when one is damaged', () => {
	const sides = sharedSides(bundle, 'changed.txt');
	expect([text(sides?.before), text(sides?.after)]).toEqual(['before', 'after']);
	expect(sharedSides(bundle, 'new.txt')).toMatchObject({ before: null });
	expect(sharedSides(bundle, 'constructor')).toEqual({ before: null, after: null });
	expect(sharedSides(bundle, 'bad.txt')).toBeNull();
});
