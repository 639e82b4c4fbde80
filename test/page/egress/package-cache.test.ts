import { expect, it } from 'vitest';
import { forward } from '#page/egress/forward.ts';
import { packageCache } from '#page/egress/package-cache.ts';

/** The part of the browser's cache that is used. */
function fakeCaches() {
	const kept = new Map<string, Response>();
	const cache = {
		match: (key: string) => Promise.resolve(kept.get(key)?.clone()),
		put: (key: string, response: Response) => Promise.resolve(void kept.set(key, response))
	};
	return { open: () => Promise.resolve(cache), match: cache.match } as unknown as CacheStorage;
}

function world(caches = fakeCaches()) {
	const asked: string[] = [];
	const state = { online: true };
	const doors = {
		serverUrl: 'https://sandglass.example',
		npmRegistry: 'https://mirror.example/npm/',
		packages: packageCache(caches),
		fetch: async (url: URL | RequestInfo) => {
			asked.push(String(url));
			if (!state.online) throw new TypeError('Failed to fetch');
			return new Response(`bytes ${asked.length}`);
		}
	};
	const get = async (url: string) => {
		const headers: [string, string][] = [['accept', 'application/json']];
		const { body } = await forward({ method: 'GET', url, headers, body: null, purpose: 'npm' }, doors);
		return new TextDecoder().decode(body);
	};
	return { asked, state, get };
}

it("keeps a package's file for all projects, and asks again for its versions while there is a network", async () => {
	const { asked, state, get } = world();
	expect(await get('https://registry.npmjs.org/leaf/-/leaf-1.0.0.tgz')).toBe('bytes 1');
	expect(await get('https://registry.npmjs.org/leaf/-/leaf-1.0.0.tgz')).toBe('bytes 1');
	expect(await get('https://registry.npmjs.org/leaf')).toBe('bytes 2');
	expect(await get('https://registry.npmjs.org/leaf')).toBe('bytes 3');
	state.online = false;
	expect(await get('https://registry.npmjs.org/leaf')).toBe('bytes 3');
	await expect(get('https://registry.npmjs.org/other')).rejects.toThrow('The network cannot be reached');
	expect(asked[0]).toBe('https://sandglass.example/api/npm/leaf/-/leaf-1.0.0.tgz');
});

it('has it for the next page a moment later', async () => {
	const caches = fakeCaches();
	const url = 'https://registry.npmjs.org/leaf/-/leaf-1.0.0.tgz';
	await world(caches).get(url);
	await expect
		.poll(async () => {
			const next = world(caches);
			await next.get(url);
			return next.asked;
		})
		.toEqual([]);
});

it('takes the public registry and the one the server uses for the same', async () => {
	const { asked, get } = world();
	await get('https://mirror.example/npm/leaf');
	await get('https://registry.npmjs.org/@scope%2fleaf');
	expect(asked).toEqual(['https://sandglass.example/api/npm/leaf', 'https://sandglass.example/api/npm/@scope%2fleaf']);
});
