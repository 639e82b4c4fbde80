import { fatal } from '../errors.ts';

const isPath = (url: string): boolean => {
	const colon = url.indexOf(':');
	const slash = url.indexOf('/');
	return colon < 0 || (slash >= 0 && slash < colon);
};

/**
 * Resolves the URL of a submodule relative to that of the superproject, as in git-submodule(1).
 *
 * @param base URL of the superproject
 * @param up path from the submodule to the top, prepended to a path that stays relative
 * @throws GitError if it leads above the root of the URL
 */
export function relativeUrl(base: string, url: string, up = ''): string {
	if (!/^\.\.?\//.test(url)) return url;
	let remote = base.replace(/\/$/, '');
	const isRelative = isPath(remote) && !remote.startsWith('/');
	if (isRelative && !/^\.\.?\//.test(remote)) remote = `./${remote}`;
	let rest = url;
	let separator = '/';
	for (let step = /^\.\.?\//.exec(rest); step; step = /^\.\.?\//.exec(rest)) {
		rest = rest.slice(step[0].length);
		if (step[0] === './') continue;
		const [chopped, mark] = withoutLast(remote, isRelative);
		remote = chopped;
		if (mark === ':') separator = ':';
	}
	const whole = `${remote}${separator}${rest}`.replace(/\/$/, '').replace(/^\.\//, '');
	return isRelative ? up + whole : whole;
}

/** URL without its last component, and the separator before that. */
function withoutLast(url: string, isRelative: boolean): [string, string] {
	const slash = url.lastIndexOf('/');
	if (slash >= 0) return [url.slice(0, slash), '/'];
	const colon = url.lastIndexOf(':');
	if (colon >= 0) return [url.slice(0, colon), ':'];
	if (isRelative || url === '.') throw fatal(`cannot strip one component off url '${url}'`);
	return ['.', '/'];
}
