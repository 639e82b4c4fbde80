/** Files that tools create for themselves and can recreate. */

const HOME_CACHES = ['.cache', '.npm/_cacache', '.npm/_logs', '.npm/_npx', 'Library/Caches'];
/** Time of the last update check of npm and similar tools. */
const UPDATE_CHECKS = /^\.npm\/_update-notifier-last-checked$|^\.config\/configstore\/update-notifier-[^/]+$/;
const CACHES =
	/\/(?:node_modules\/\.(?:cache|vite|vite-temp|vitest)|__pycache__|\.(?:pytest|mypy|ruff)_cache|\.hypothesis)(?:\/|$)/;

/**
 * Returns true if `path` is in a cache. Directories for temporary files depend on the environment.
 *
 * @param path absolute
 * @param home absolute, without a trailing slash
 */
export function isCache(path: string, home: string): boolean {
	if (CACHES.test(path)) return true;
	const prefix = home === '/' ? home : `${home}/`;
	if (!path.startsWith(prefix)) return false;
	const below = path.slice(prefix.length);
	return UPDATE_CHECKS.test(below) || HOME_CACHES.some((cache) => below === cache || below.startsWith(`${cache}/`));
}
