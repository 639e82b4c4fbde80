const NAME = 'npm-packages';
const TARBALL = /\/-\/[^/]+\.tgz$/;
/** Idle time before received packages are stored: the user waits for an install, not for its cache. */
const QUIET_MS = 500;

/**
 * Earlier answers of the registry, cached by the browser for all projects. A package's file never changes; its
 * list of versions does.
 */
export interface PackageCache {
	/**
	 * Returns a cached package file, else the result of `send`. A list of versions is requested again; the cached
	 * one is used while there is no network.
	 */
	through(url: string, accept: string, send: () => Promise<Response>): Promise<Response>;
}

/** @param caches the browser's; absent if a page has none, which disables the cache */
export function packageCache(caches: CacheStorage | undefined = globalThis.caches): PackageCache {
	const open = async (): Promise<Cache | null> => {
		try {
			return (await caches?.open(NAME)) ?? null;
		} catch {
			// A private window or a full disk: packages are fetched each time.
			return null;
		}
	};
	const arrived = new Map<string, Response>();
	let timer: ReturnType<typeof setTimeout> | undefined;
	const keep = async (): Promise<void> => {
		const cache = await open();
		for (const [key, response] of [...arrived]) {
			arrived.delete(key);
			// A full disk costs the copy and nothing else.
			await cache?.put(key, response).catch(() => {});
		}
	};
	// Asked for hundreds of times in a row, so without opening it each time.
	const find = async (key: string): Promise<Response | undefined> =>
		arrived.get(key)?.clone() ?? caches?.match(key, { cacheName: NAME }).catch(() => undefined);
	return {
		async through(url, accept, send) {
			clearTimeout(timer);
			const isFile = TARBALL.test(new URL(url).pathname);
			// The short and the long description of a package have one address.
			const key = isFile ? url : `${url}?accept=${accept}`;
			try {
				const known = isFile ? await find(key) : undefined;
				if (known) return known;
				const response = await send().catch(async (error: unknown) => {
					const instead = await find(key);
					if (instead) return instead;
					throw error;
				});
				if (response.status === 200 && caches) arrived.set(key, response.clone());
				return response;
			} finally {
				clearTimeout(timer);
				timer = setTimeout(() => void keep(), QUIET_MS);
			}
		}
	};
}
