import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';

/** Parts of a path that need not exist. */
type Missing = 'none' | 'last' | 'any';

/** Maximum number of links in one path, as in the kernel. */
const MAX_LINKS = 40;

/**
 * Resolves a name to its real path, without symbolic links.
 *
 * @param isLogical whether `..` is resolved before links are followed
 * @returns the path, or the error
 */
export function resolve(
	{ shell }: Pick<Call, 'shell'>,
	name: string,
	missing: Missing,
	followsLinks = true,
	isLogical = false
): { path: string } | { problem: string } {
	const { sync } = shell.host.context;
	if (name === '') return { problem: 'No such file or directory' };
	// A removed directory has no path anymore.
	const isLost = !name.startsWith('/') && missing !== 'any' && !sync.statOrNull(shell.cwd);
	if (isLost) return { problem: 'No such file or directory' };
	if (isLogical) {
		const plain = resolve({ shell }, name, missing, false);
		return 'problem' in plain ? plain : resolve({ shell }, plain.path, missing);
	}
	const left = (name.startsWith('/') ? name : `${shell.cwd}/${name}`).split('/');
	const done: string[] = [];
	let links = 0;
	while (left.length > 0) {
		const part = left.shift() ?? '';
		const path = `/${done.join('/')}`;
		const isLast = left.every((one) => one === '');
		if (part === '' || part === '.' || part === '..') {
			if (missing !== 'any' && done.length > 0 && sync.statOrNull(path)?.kind === 'file')
				return { problem: 'Not a directory' };
			if (part === '..') done.pop();
			continue;
		}
		const full = `${path === '/' ? '' : path}/${part}`;
		try {
			// If nothing needs to exist, a link cycle is treated as an ordinary name.
			const isFollowed = followsLinks && (links < MAX_LINKS || missing !== 'any');
			if (sync.lstat(full).kind === 'symlink' && isFollowed) {
				if (++links > MAX_LINKS) return { problem: 'Too many levels of symbolic links' };
				const target = sync.readlink(full);
				if (target.startsWith('/')) done.length = 0;
				left.unshift(...target.split('/'));
				continue;
			}
		} catch (error) {
			const problem = reason(error);
			const mayMiss = missing === 'any' || (missing === 'last' && isLast && problem !== 'Not a directory');
			if (!mayMiss) return { problem };
		}
		done.push(part);
	}
	return { path: `/${done.join('/')}` };
}

/** Path from a directory to a file, both absolute. */
export function relativePath(from: string, to: string): string {
	const [base, target] = [from.split('/').filter(Boolean), to.split('/').filter(Boolean)];
	let same = 0;
	while (same < base.length && base[same] === target[same]) same++;
	return [...base.slice(same).map(() => '..'), ...target.slice(same)].join('/') || '.';
}
