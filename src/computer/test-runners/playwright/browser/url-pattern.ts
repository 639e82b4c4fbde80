import picomatch from 'picomatch';

export type UrlPattern = string | RegExp | ((url: URL) => boolean);

/** Returns whether a URL matches: a glob, relative to the base URL, a regular expression or a function. */
export function matchesUrl(url: string, pattern: UrlPattern, baseURL: string | undefined): boolean {
	if (pattern instanceof RegExp) return pattern.test(url);
	if (typeof pattern === 'function') return pattern(new URL(url));
	const wanted = pattern.startsWith('*') || !URL.canParse(pattern, baseURL) ? pattern : new URL(pattern, baseURL).href;
	if (wanted === url) return true;
	return wanted.includes('*') && picomatch.isMatch(url, wanted.replaceAll('?', '\\?'), { dot: true, bash: true });
}
