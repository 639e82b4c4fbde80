import { describe, expect, it } from 'vitest';
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
		// The second state was committed: the workspace counts its changes from there, a visitor begins at the import.
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
