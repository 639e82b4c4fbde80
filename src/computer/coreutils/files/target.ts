import { absence } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, type Options } from '../options.ts';

/** A source and its destination. */
export interface Place {
	from: string;
	to: string;
}

/** Path of a file in a directory, as GNU's messages write it. */
export const joined = (directory: string, name: string) => `${directory.replace(/\/+$/, '')}/${name}`;

/** Last part of a path, without trailing slashes. */
export const lastName = (path: string) => path.replace(/\/+$/, '').split('/').at(-1) ?? path;

/**
 * Pairs each source with its destination, shared by `cp`, `mv` and `ln`: the last operand or `-t` is the target
 * directory, or the one new name.
 *
 * @param followsLink whether a symbolic link to a directory counts as that directory
 * @returns the error message if several sources have no target directory
 * @throws UsageError
 */
export function placesOf(
	{ shell }: Call,
	options: Options,
	operands: readonly string[],
	{ followsLink }: { followsLink: boolean }
): Place[] | string {
	const { sync } = shell.host.context;
	const names = [...operands];
	const target = options.get('t') ?? names.pop();
	if (target === undefined || (names.length === 0 && options.has('t'))) throw new UsageError('missing file operand');
	if (options.has('t') && options.has('T'))
		throw new UsageError('cannot combine --target-directory (-t) and --no-target-directory (-T)');
	if (names.length === 0) throw new UsageError(`missing destination file operand after '${target}'`);
	const path = shell.path(target);
	const stat = sync.statOrNull(path);
	if (options.has('T')) {
		if (names.length > 1) throw new UsageError(`extra operand '${names[1]}'`);
		return names.map((from) => ({ from, to: target }));
	}
	const isDirectory =
		stat?.kind === 'directory' && (followsLink || options.has('t') || sync.lstat(path).kind === 'directory');
	if (isDirectory) return names.map((from) => ({ from, to: joined(target, lastName(from)) }));
	if (options.has('t') || names.length > 1)
		return `target ${options.has('t') ? 'directory ' : ''}'${target}': ${stat ? 'Not a directory' : absence(sync, path)}`;
	return names.map((from) => ({ from, to: target }));
}
