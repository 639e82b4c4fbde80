const NAME = 'npm-packages';
const TARBALL = /\/-\/[^/]+\.tgz$/;
/** Idle time before received packages are stored: users wait for an install, not for its cache. */
const QUIET_MS = 500;

/**
 * Earlier responses of the registry, cached by the browser for all projects. A package file never changes; its list of
 * versions does.
 */
export interface PackageCache {
	/**
	 * Returns a cached package file, otherwise the result of `send`. A list of versions is requested again; the cached
	 * one is used while offline.
	 */
	through(url: string, accept: string, send: () => Promise<Response>): Promise<Response>;
}

/** @param caches the browser's; absent if the page has none, which disables caching */
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
			// If the disk is full, only the cached copy is lost.
			await cache?.put(key, response).catch(() => {});
		}
	};
	// Called hundreds of times in a row, so the cache is opened only once.
	const find = async (key: string): Promise<Response | undefined> =>
		arrived.get(key)?.clone() ?? caches?.match(key, { cacheName: NAME }).catch(() => undefined);
	return {
		async through(url, accept, send) {
			clearTimeout(timer);
			const isFile = TARBALL.test(new URL(url).pathname);
			// The short and the full metadata of a package have the same URL.
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
