import { beforeEach, describe, expect, it, vi } from 'vitest';

/** The part of `localStorage` that is used. */
function storage(): Pick<Storage, 'getItem' | 'setItem'> {
	const values = new Map<string, string>();
	return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}
const held = new Set<string>();
const locks = {
	async request(name: string, _options: LockOptions, use: (lock: object | null) => unknown): Promise<unknown> {
		if (held.has(name)) return use(null);
		held.add(name);
		try {
			return await use({});
		} finally {
			held.delete(name);
		}
	}
};
/** Fresh for each test, as in a newly loaded page. */
let place: typeof import('#page/preview/served/place.ts');
beforeEach(async () => {
	held.clear();
	vi.stubGlobal('localStorage', storage());
	vi.stubGlobal('navigator', { locks });
	vi.resetModules();
	place = await import('#page/preview/served/place.ts');
});

describe('the name of a preview', () => {
	it('is the same each time, one for each session and kind, and no other browser can tell it', async () => {
		const name = await place.labelOf('files', 'session-1');
		expect(name).toMatch(/^p[0-9a-f]{32}$/);
		expect(await place.labelOf('files', 'session-1')).toBe(name);
		expect(await place.labelOf('p3000', 'session-1')).not.toBe(name);
		expect(await place.labelOf('files', 'session-2')).not.toBe(name);
		vi.resetModules();
		const { labelOf } = await import('#page/preview/served/place.ts');
		expect(await labelOf('files', 'session-1')).toBe(name);
		vi.stubGlobal('localStorage', storage());
		vi.resetModules();
		const elsewhere = await import('#page/preview/served/place.ts');
		expect(await elsewhere.labelOf('files', 'session-1')).not.toBe(name);
	});
});

describe('the origins for a preview', () => {
	const TEMPLATES = ['http://127.0.0.1:5174', 'http://*.localhost:5173', 'http://127.0.0.1:5175'];

	it('begin with one of its own, then the shared one it had before, then unused ones', async () => {
		expect(place.originsFor(TEMPLATES, 'pa')).toEqual([
			'http://pa.localhost:5173',
			'http://127.0.0.1:5174',
			'http://127.0.0.1:5175'
		]);
		(await place.takePlace(TEMPLATES, 'http://127.0.0.1:5174', 'pb'))?.release();
		expect(place.originsFor(TEMPLATES, 'pa').slice(1)).toEqual(['http://127.0.0.1:5175', 'http://127.0.0.1:5174']);
		expect(place.originsFor(TEMPLATES, 'pb').slice(1)).toEqual(['http://127.0.0.1:5174', 'http://127.0.0.1:5175']);
	});

	it('are shown on by one preview at a time where they are shared', async () => {
		const single = ['https://preview.example.org'];
		const origin = 'https://preview.example.org';
		const first = await place.takePlace(single, origin, 'pa');
		expect(first?.origin).toBe(origin);
		expect(await place.takePlace(single, origin, 'pb')).toBeNull();
		first?.release();
		await expect.poll(() => held.size).toBe(0);
		expect(await place.takePlace(single, origin, 'pb')).not.toBeNull();
		const own = ['https://*.preview.example.org'];
		for (const label of ['pa', 'pa', 'pb'])
			expect(await place.takePlace(own, `https://${label}.preview.example.org`, label)).not.toBeNull();
	});
});
