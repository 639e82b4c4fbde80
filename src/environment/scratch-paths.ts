/** Files that tools make by themselves and can do without: losing a change of one costs nobody anything. */

const HOME_CACHES = ['.cache', '.npm/_cacache', '.npm/_logs', '.npm/_npx', 'Library/Caches'];
/** When npm and others last looked for a newer version of themselves. */
const UPDATE_CHECKS = /^\.npm\/_update-notifier-last-checked$|^\.config\/configstore\/update-notifier-[^/]+$/;
const CACHES =
	/\/(?:node_modules\/\.(?:cache|vite|vite-temp|vitest)|__pycache__|\.(?:pytest|mypy|ruff)_cache|\.hypothesis)(?:\/|$)/;

/**
 * Whether `path` is in a cache. Directories for temporary files are the environment's own to name.
 *
 * @param path absolute
 * @param home absolute, without a final slash
 */
export function isCache(path: string, home: string): boolean {
	if (CACHES.test(path)) return true;
	const prefix = home === '/' ? home : `${home}/`;
	if (!path.startsWith(prefix)) return false;
	const below = path.slice(prefix.length);
	return UPDATE_CHECKS.test(below) || HOME_CACHES.some((cache) => below === cache || below.startsWith(`${cache}/`));
}
