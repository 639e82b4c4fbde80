import { describe, expect, it } from 'vitest';
import type { ShareBundle } from '#session/contract.ts';
import { packBundle, unpackBundle } from '#session/share/bundle.ts';

const commit = '0123456789abcdef0123456789abcdef01234567';
const bundle = (base: { url: string; commit: string }): ShareBundle => ({
	version: 1,
	origin: { kind: 'git', name: 'a/b', url: base.url },
	title: 'A share',
	base,
	files: {},
	removed: [],
	before: {},
	entries: [],
	checkpoints: [],
	viewOnly: false
});

describe('the base a share names', () => {
	it('is taken from a public host', async () => {
		const base = { url: 'https://github.com/a/b', commit };
		expect((await unpackBundle(await packBundle(bundle(base)))).base).toEqual(base);
	});

	it.each([
		{ url: 'https://collector.example/a/b', commit },
		{ url: 'https://github.com.collector.example/a/b', commit },
		{ url: 'http://127.0.0.1/a/b', commit },
		{ url: 'https://github.com/a/b', commit: '--upload-pack=evil' }
	])('is refused when it names $url at $commit', async (base) => {
		await expect(unpackBundle(await packBundle(bundle(base)))).rejects.toMatchObject({ code: 'damaged' });
	});

	it('is the repository that its session would publish to', async () => {
		const hostile = bundle({ url: 'https://github.com/a/b', commit });
		hostile.origin.url = 'https://github.com/mallory/b';
		await expect(unpackBundle(await packBundle(hostile))).rejects.toMatchObject({ code: 'damaged' });
	});
});
