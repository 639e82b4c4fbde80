/** Cache of pages and programs, shared by all builds: files named by content hash are fetched once. */
export const CACHE = 'sandglass-page';

/** Key of the entry with the newest builds' lists. */
const LISTS = '/?kept';
const BUILDS = 2;

interface StoredList {
	build: string;
	keys: string[];
}

/** Cache key: hashed assets use their URL; files whose URL is the same in every build also use the build id. */
export function keyOf(address: string, build: string): string {
	return address.startsWith('/assets/') ? address : `${address}?build=${build}`;
}

/** Cached response, or undefined. */
export async function cached(key: string): Promise<Response | undefined> {
	return (await caches.open(CACHE)).match(key);
}

/** Fetches and caches what is missing. Rejects if that fails. */
export async function keep(address: string, key: string): Promise<void> {
	const cache = await caches.open(CACHE);
	if (await cache.match(key)) return;
	const response = await fetch(address, { cache: key === address ? 'default' : 'no-cache' });
	if (!response.ok) throw new Error(`${address} was answered with ${response.status}.`);
	await cache.put(key, response);
}

/** Removes files that neither this build nor the previous one uses: a tab of that one may still be open. */
export async function prune(keys: string[], build: string): Promise<void> {
	const cache = await caches.open(CACHE);
	const before: StoredList[] = (await (await cache.match(LISTS))?.json()) ?? [];
	const lists = [{ build, keys }, ...before.filter((list) => list.build !== build)].slice(0, BUILDS);
	const wanted = new Set([LISTS, ...lists.flatMap((list) => list.keys)]);
	for (const { url } of await cache.keys()) {
		const { pathname, search } = new URL(url);
		if (!wanted.has(pathname + search)) await cache.delete(url);
	}
	await cache.put(LISTS, Response.json(lists));
}
