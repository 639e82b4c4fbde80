import { quotePath } from '../quote-path.ts';
import { pathOf, type Change } from './change.ts';

/** `src/{a.ts => b.ts}` for a rename, otherwise the path. */
export function arrowName(change: Change): string {
	if (!change.before || !change.after || change.before.path === change.after.path) return quotePath(pathOf(change));
	const from = change.before.path;
	const to = change.after.path;
	if (quotePath(from) !== from || quotePath(to) !== to) return `${quotePath(from)} => ${quotePath(to)}`;
	let start = 0;
	for (let i = 0; i < from.length && from[i] === to[i]; i++) if (from[i] === '/') start = i + 1;
	let tail = 0;
	for (
		let i = 1;
		from.length - i >= start - 1 &&
		to.length - i >= start - 1 &&
		from.at(-i) === to.at(-i) &&
		from.at(-i) !== undefined;
		i++
	) {
		if (from.at(-i) === '/') tail = i;
	}
	if (start === 0 && tail === 0) return `${from} => ${to}`;
	const middle = (path: string) => path.slice(start, Math.max(start, path.length - tail));
	return `${from.slice(0, start)}{${middle(from)} => ${middle(to)}}${tail === 0 ? '' : from.slice(from.length - tail)}`;
}
