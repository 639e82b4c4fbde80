import { expect, it } from 'vitest';
import { Mode } from '#environment/mode.ts';
import { sha256, treeHash } from '#session/share/sha256.ts';

// Published shares have these hashes, so they must not change.
it('hashes a text as every program does', async () => {
	expect(await sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	expect(await sha256('ü')).toBe('607474ca475a9724d7360aba71a56d5df77e61350e3f724cfa1f46e857e2d85f');
});

it('hashes a tree by its paths, modes and contents, in whatever order they come', async () => {
	const entries: [string, { mode: number; blob: string }][] = [
		['b', { mode: Mode.file, blob: '1' }],
		['a', { mode: Mode.executable, blob: '2' }]
	];
	const expected = '97e220d9d5198d99d229b92c828db2565e5042c10e05155ff4901d0975072724';
	for (const each of [entries, entries.toReversed()]) expect(await treeHash(new Map(each))).toBe(expected);
	expect(await treeHash(new Map())).toBe(await sha256(''));
});
