import { HOME, isWithin } from '../../paths.ts';

const DIRECTORIES = ['/tmp', `${HOME}/.cache`, `${HOME}/.npm`, `${HOME}/.config/configstore`];

/** Directories that tools fill by themselves and can do without, by the end of their path. */
const CACHES =
	/\/(?:node_modules\/(?:\.cache|\.vite|\.vite-temp|\.vitest)|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.hypothesis)(?:\/|$)/;

/** Whether losing a change of `path` costs nobody anything: temporary files and caches. */
export function isScratch(path: string): boolean {
	return DIRECTORIES.some((directory) => isWithin(path, directory)) || CACHES.test(path);
}
