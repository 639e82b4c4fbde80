import { fatal } from '../errors.ts';

const isPath = (url: string): boolean => {
	const colon = url.indexOf(':');
	const slash = url.indexOf('/');
	return colon < 0 || (slash >= 0 && slash < colon);
};

/**
 * Resolves the address of a submodule that is relative to that of the repository around, by git-submodule(1).
 *
 * @param base address of the repository around
 * @param up way from the submodule to the top, in front of a path that stays relative
 * @throws GitError where it leads out of the address
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

/** An address without its last part, and the mark before that. */
function withoutLast(url: string, isRelative: boolean): [string, string] {
	const slash = url.lastIndexOf('/');
	if (slash >= 0) return [url.slice(0, slash), '/'];
	const colon = url.lastIndexOf(':');
	if (colon >= 0) return [url.slice(0, colon), ':'];
	if (isRelative || url === '.') throw fatal(`cannot strip one component off url '${url}'`);
	return ['.', '/'];
}
