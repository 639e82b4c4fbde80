const NAME = 'npm-packages';
const TARBALL = /\/-\/[^/]+\.tgz$/;

/** What the registry said earlier, kept by the browser for all projects. A package's file never changes; its list of versions does. */
export interface PackageCache {
	/**
	 * A package's file that is here already, else what `send` gets. A list of versions is asked for anew; the one
	 * kept stands in while there is no network.
	 */
	through(url: string, accept: string, send: () => Promise<Response>): Promise<Response>;
}

/** @param caches the browser's; absent where a page has none, and then nothing is kept */
export function packageCache(caches: CacheStorage | undefined = globalThis.caches): PackageCache {
	const open = async (): Promise<Cache | null> => {
		try {
			return (await caches?.open(NAME)) ?? null;
		} catch {
			// A private window or a full disk: packages are fetched each time.
			return null;
		}
	};
	return {
		async through(url, accept, send) {
			const cache = await open();
			// The short and the long description of a package have one address.
			const key = TARBALL.test(new URL(url).pathname) ? url : `${url}#${accept}`.replace('#', '?accept=');
			const known = await cache?.match(key);
			if (known && key === url) return known;
			let response: Response;
			try {
				response = await send();
			} catch (error) {
				if (known) return known;
				throw error;
			}
			if (response.status === 200 && cache) {
				const copy = response.clone();
				// Kept in the background; a full disk costs the copy and nothing else.
				void cache.put(key, copy).catch(() => {});
			}
			return response;
		}
	};
}
