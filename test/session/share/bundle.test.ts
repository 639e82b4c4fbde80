import { describe, expect, it } from 'vitest';
import type { ShareBundle } from '#session/contract.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';
import { compress } from '#session/share/compression.ts';
import { crafted, emptyShare } from './crafted.ts';

const hash = '0123456789abcdef'.repeat(4);
const commit = hash.slice(0, 40);
const base = { url: 'https://github.com/a/b', commit };
const file = { mode: 0o100644, base64: 'YQ==' };
const step = { callId: 'c', checkpoint: 'one', before: hash, command: hash, output: hash, exitCode: 0, after: null };
/** A share with every possible field. */
const full: ShareBundle = {
	...emptyShare,
	origin: { kind: 'git', name: 'a/b', url: base.url, ref: 'main', commit },
	base,
	files: {
		'a/run': { mode: 0o100755, base64: 'YWJj' },
		link: { mode: 0o120000, base64: 'YQ==' },
		empty: { ...file, base64: '' }
	},
	removed: ['gone'],
	before: { 'a/run': file, new: null },
	entries: [{ id: 'e', parentId: null, timestamp: 0, type: 'label', targetId: 'e', label: 'l' }],
	leaf: 'e',
	checkpoints: [{ id: 'one', tree: 't', label: 'turn', timestamp: 1, entryId: null }],
	history: [{ checkpoint: null, files: { a: file }, removed: ['b'], empty: ['c'] }],
	receipt: [step, { ...step, after: hash, machine: 'docker', link: hash }],
	viewOnly: true
};
const open = async (fields: object, of: object = full) => unpackBundle(await crafted({ ...of, ...fields }));

describe('a share', () => {
	it('is opened as it was packed, with all or nothing in it', async () => {
		for (const bundle of [full, emptyShare]) expect(await unpackBundle(await packBundle(bundle))).toEqual(bundle);
		for (const kind of ['git', 'folder', 'zip', 'files', 'sample'])
			expect(await open({ origin: { kind, name: 'n' } }, emptyShare)).toMatchObject({ origin: { kind, name: 'n' } });
		for (const url of ['https://gitlab.com/a', 'https://codeberg.org/a', 'https://bitbucket.org/a'])
			expect(await open({ base: { url, commit }, origin: { ...full.origin, url } })).toMatchObject({ base: { url } });
		// Fields unknown to every version are dropped.
		expect(await open({ more: 1 })).toEqual(full);
	});

	it.each([
		['a version', { version: 0 }],
		['an origin', { origin: { kind: 'ftp', name: 'n' } }],
		['an origin', { origin: { kind: 'git' } }],
		['a title', { title: 1 }],
		['a host that not every page can reach', { base: { ...base, url: 'https://git.example/a' } }],
		['a host within an address', { base: { ...base, url: 'https://evil.example/https://github.com/a/b' } }],
		['a commit', { base: { ...base, commit: `${commit}0` } }],
		['a commit', { base: { ...base, commit: `x${commit}` } }],
		['a mode', { files: { a: { ...file, mode: 0o104755 } } }],
		['base64', { files: { a: { ...file, base64: 'YQ=' } } }],
		['base64', { files: { a: { ...file, base64: 'YQ!=' } } }],
		['base64', { files: { a: { ...file, base64: 'Y===' } } }],
		['base64', { files: { a: { ...file, base64: '=YWJ' } } }],
		['a path', { files: { '../a': file } }],
		['a path', { files: { '/a': file } }],
		['a path', { files: { 'a/.git/config': file } }],
		['a path', { files: { ['a'.repeat(4_096)]: file } }],
		['a path', { removed: ['.GIT/hooks/post-commit'] }],
		['a path', { before: { 'a//b': null } }],
		['a path', { history: [{ checkpoint: null, files: {}, removed: [], empty: ['../x'] }] }],
		['a path', { history: [{ checkpoint: null, files: {}, removed: ['../x'], empty: [] }] }],
		['an entry', { entries: [{ id: 'e' }] }],
		['a checkpoint', { checkpoints: [{ id: 'one' }] }],
		['a step', { receipt: [{ ...step, before: hash.slice(1) }] }],
		['a step', { receipt: [{ ...step, command: `${hash}0` }] }],
		['a step', { receipt: [{ ...step, exitCode: 0.5 }] }],
		['a step', { receipt: [{ ...step, machine: 'ssh' }] }],
		['a step', { receipt: [{ ...step, link: 'x' }] }],
		['a word for viewing only', { viewOnly: 'yes' }]
	])('is damaged where %s is none: %j', async (_, fields) => {
		await expect(open(fields)).rejects.toMatchObject({ code: 'damaged', detail: expect.stringContaining('✖') });
	});

	it('publishes only to where its files come from', async () => {
		await expect(open({ origin: { ...full.origin, url: 'https://github.com/evil/b' } })).rejects.toMatchObject({
			code: 'damaged',
			detail: 'the base is not the origin'
		});
	});

	it('of a newer version is told from a damaged one, and no JSON from both', async () => {
		await expect(open({ version: 2, entries: 'other' })).rejects.toMatchObject({ code: 'newer_version' });
		await expect(open({ version: '2' })).rejects.toMatchObject({ code: 'damaged' });
		await expect(unpackBundle(await compress(new TextEncoder().encode('{"version"')))).rejects.toMatchObject({
			code: 'damaged',
			detail: expect.stringContaining('SyntaxError')
		});
		for (const value of [null, 1, [], 'x'])
			await expect(unpackBundle(await crafted(value))).rejects.toMatchObject({ code: 'damaged' });
	});

	it('whose tree, nesting or leaf is none is refused', async () => {
		await expect(open({ leaf: 'none' })).rejects.toMatchObject({ code: 'malformed_tree' });
		let deep: unknown = 1;
		for (let depth = 0; depth < 101; depth++) deep = [deep];
		await expect(open({ deep })).rejects.toMatchObject({ code: 'too_complex' });
		expect((await open({ files: { ['a'.repeat(4_095)]: file } })).files).toHaveProperty(['a'.repeat(4_095)]);
	});
});
