import { describe, expect, it } from 'vitest';
import type { SessionEntry } from '#agent/session-log.ts';
import { generatedRepository } from '#test/bench/tab/generated-repository.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';
import { collectShare } from '#session/share/collect.ts';
import { encrypt } from '#session/share/encryption.ts';
import { madeSession } from './made-session.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const repository = { kind: 'git', name: 'a/b', url: 'https://github.com/a/b', commit } as const;
const options = { viewOnly: false, keepSecrets: [] };
const text = (file: { base64: string } | null | undefined) => file && Buffer.from(file.base64, 'base64').toString();

describe('what a share carries', () => {
	it('is counted from the import, whatever was committed since', async () => {
		// The second state was committed: the workspace counts its changes from there, a visitor starts at the import.
		const states: Record<string, string>[] = [
			{ a: 'one', gone: 'here', same: 'same' },
			{ a: 'two', same: 'same' },
			{ a: 'two', b: 'new', same: 'same' }
		];
		const { bundle } = await collectShare(...(await madeSession(states, [], repository)), options);
		expect(Object.entries(bundle.files).map(([path, file]) => [path, text(file)])).toEqual([
			['a', 'two'],
			['b', 'new']
		]);
		expect(bundle.removed).toEqual(['gone']);
		expect(bundle.history).toBeUndefined();
	});

	it('has each checkpoint as what changed since the one before, without what git ignores', async () => {
		const states: Record<string, string>[] = [
			{ '.gitignore': 'log\n', a: 'one', '.git/HEAD': 'x' },
			{ '.gitignore': 'log\n', a: 'two', b: 'b', log: 'noise', '.git/HEAD': 'y' },
			{ '.gitignore': 'log\n', a: 'one', log: 'more' }
		];
		const { bundle } = await collectShare(...(await madeSession(states)), { ...options, history: true });
		expect(bundle.history?.map(({ checkpoint, files, removed }) => [checkpoint, Object.keys(files), removed])).toEqual([
			['c1', ['a', 'b'], []],
			[null, ['a'], ['b']]
		]);
		expect(await unpackBundle(await packBundle(bundle))).toEqual(bundle);
	});

	it('is all files in the order of their names, with their sizes and what stood before, where no page can fetch the rest', async () => {
		const states: Record<string, string>[] = [
			{ b: 'old', gone: 'x', c: 'abc' },
			{ d: 'four', c: 'abc', b: 'ab', a: '' }
		];
		const { bundle, files } = await collectShare(...(await madeSession([...states, ...states.slice(1)])), options);
		expect(files).toEqual([
			{ path: 'a', bytes: 0 },
			{ path: 'b', bytes: 2 },
			{ path: 'c', bytes: 3 },
			{ path: 'd', bytes: 4 }
		]);
		expect(Object.entries(bundle.before).map(([path, file]) => [path, text(file)])).toEqual([
			['a', null],
			['b', 'old'],
			['d', null],
			['gone', 'x']
		]);
		expect(bundle).not.toHaveProperty('base');
		expect(bundle).not.toHaveProperty('leaf');
	});

	it.each([
		[{ ...repository, kind: 'zip' as const }],
		[{ kind: 'git' as const, name: 'a/b', url: repository.url }],
		[{ kind: 'git' as const, name: 'a/b', commit }],
		[{ ...repository, url: 'https://git.example/a/b' }],
		[{ ...repository, url: 'http://github.com/a/b' }]
	])('is all files of %j, which not every page can fetch', async (origin) => {
		const { bundle } = await collectShare(...(await madeSession([{ a: 'one' }, { a: 'one' }], [], origin)), options);
		expect(Object.keys(bundle.files)).toEqual(['a']);
		expect(bundle).not.toHaveProperty('base');
	});

	it('names the commit that the rest is fetched from, tracked files that git would ignore too', async () => {
		const imported = { '.gitignore': '*.log', 'kept.log': 'one' };
		const now = { ...imported, 'kept.log': 'two', 'new.log': 'x' };
		const session = await madeSession([imported, now, now], [], repository);
		const { bundle } = await collectShare(...session, options);
		expect(bundle.base).toEqual({ url: repository.url, commit });
		expect(Object.keys(bundle.files)).toEqual(['kept.log']);
		expect(bundle.before).toEqual({});
		const [, stored] = session;
		const elsewhere = await collectShare({ ...session[0], origin: { kind: 'zip', name: 'z' } }, stored, options);
		expect(Object.keys(elsewhere.bundle.files)).toEqual(['.gitignore']);
	});

	it('has files that only the session still has', async () => {
		const [workspace, stored] = await madeSession([{ a: 'one' }, { a: 'two' }]);
		const readBlob = () => Promise.reject(new Error('The environment began later.'));
		const { bundle } = await collectShare(
			{ ...workspace, environment: { ...workspace.environment, readBlob } },
			stored,
			options
		);
		expect([text(bundle.files['a']), text(bundle.before['a'])]).toEqual(['two', 'one']);
	});

	it('has the conversation without its secrets, and where it was moved back to', async () => {
		const said = (id: string, parentId: string | null, content: string): SessionEntry => ({
			id,
			parentId,
			timestamp: 0,
			type: 'message',
			message: { role: 'user', content: [{ type: 'text', text: content }] }
		});
		const key = `My key is sk-ant-${'a1'.repeat(20)}.`;
		const entries = [said('a', null, key), said('b', 'a', 'Go on.'), said('c', 'b', 'And on.')];
		const [workspace, stored] = await madeSession([{ a: '' }], entries);
		const share = async (leaf: string | null) => {
			const log = { entries: () => entries, leafId: () => leaf };
			return (await collectShare(workspace, { ...stored, log }, options)).bundle;
		};
		expect(await share('a')).toMatchObject({
			leaf: 'a',
			entries: [{ message: { content: [{ text: 'My key is [taken out: Anthropic key].' }] } }, entries[1], entries[2]]
		});
		expect(await share('b')).toHaveProperty('leaf', 'b');
		for (const leaf of ['c', null]) expect(await share(leaf)).not.toHaveProperty('leaf');
	});

	it('is at most 1 MB for 20 changed files of 5,000 beside a commit that can be reached', async () => {
		const before = generatedRepository(20_261_122);
		const after = { ...before };
		for (const path of Object.keys(before).filter((_, index) => index % 250 === 100))
			after[path] = `${before[path]}// changed\n`;
		const session = await madeSession([before, before, after, after], [], repository);
		const { bundle } = await collectShare(...session, { ...options, history: true });
		expect(Object.keys(bundle.files)).toHaveLength(20);
		const { sealed } = await encrypt(await packBundle(bundle));
		expect(sealed.length).toBeLessThan(1_000_000);
		console.log(`A share of 20 changed files of 5,000: ${sealed.length} bytes.`);
	});
});
