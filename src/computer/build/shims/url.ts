/** The part of `node:url` that libraries in the sandbox's own programs use. */
export const URL = globalThis.URL;
export const URLSearchParams = globalThis.URLSearchParams;

export function fileURLToPath(url: string | URL): string {
	return decodeURIComponent(new URL(url).pathname);
}

export function pathToFileURL(path: string): URL {
	return new URL(`file://${encodeURI(path)}`);
}

export default { URL, URLSearchParams, fileURLToPath, pathToFileURL };
