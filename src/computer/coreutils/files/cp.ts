import type { Call } from '#computer/shell/state/host.ts';
import { shellEscapedAlways as quoted } from '../shell-escape.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { backupName } from './backup.ts';
import { COPY_SPECIFICATION, copyManner, type CopyManner } from './copy-options.ts';
import { CopyTree } from './copy-tree.ts';
import { joined, placesOf, type Place } from './target.ts';

/** `cp`. */
export const cp = utility(COPY_SPECIFICATION, async (call, options) => {
	const manner = copyManner(call, options);
	const operands = options.has('strip-trailing-slashes')
		? options.operands.map((name) => name.replace(/(.)\/+$/, '$1'))
		: [...options.operands];
	const [from, to] = operands;
	const { sync } = call.shell.host.context;
	if (manner.force && manner.backup && operands.length === 2 && from !== undefined && from === to) {
		const path = call.shell.path(from);
		const copy = from + backupName(sync, path, manner.backup);
		if (sync.statOrNull(path)?.kind === 'file') return new CopyTree(call, { ...manner, backup: null }).copy(from, copy);
	}
	const places = options.has('parents')
		? parentPlaces(call, options, operands)
		: placesOf(call, options, operands, { followsLink: true });
	if (typeof places === 'string') {
		await call.complain(places);
		return 1;
	}
	const tree = new CopyTree(call, manner);
	let status = 0;
	for (const place of places) {
		const finish = options.has('parents') ? await makeParents(call, manner, place) : [];
		status = (await tree.copy(place.from, place.to)) || status;
		for (const one of finish) one();
	}
	return status;
});

/** Destinations for `--parents`: below a directory, with the whole path of each source. @throws UsageError */
function parentPlaces(call: Call, options: Options, operands: readonly string[]): Place[] {
	const names = [...operands];
	const target = options.get('t') ?? names.pop();
	if (target === undefined) throw new UsageError('missing file operand');
	if (names.length === 0) throw new UsageError(`missing destination file operand after ${quoted(target)}`);
	if (call.shell.host.context.sync.statOrNull(call.shell.path(target))?.kind !== 'directory')
		throw new UsageError('with --parents, the destination must be a directory', true);
	return names.map((from) => ({ from, to: joined(target, from.replace(/\/+$/, '').replace(/^\/+/, '')) }));
}

/**
 * Creates the parent directories of a destination like those of its source. Only the owner has access until their
 * contents are complete.
 *
 * @returns functions that set the final permissions and times
 */
async function makeParents(call: Call, manner: CopyManner, { from, to }: Place): Promise<(() => void)[]> {
	const finish: (() => void)[] = [];
	const { shell } = call;
	const { sync } = shell.host.context;
	const parts = from.replace(/\/+$/, '').split('/').slice(0, -1);
	const top = to.slice(0, to.length - from.replace(/\/+$/, '').replace(/^\/+/, '').length);
	for (const [index] of parts.entries()) {
		const source = parts.slice(0, index + 1).join('/');
		if (source === '') continue;
		const directory = top + source.replace(/^\/+/, '');
		const stat = sync.statOrNull(shell.path(source));
		if (stat?.kind !== 'directory') return finish;
		if (!sync.statOrNull(shell.path(directory))) {
			const mode = (manner.ignoresMode ? 0o777 : stat.mode & 0o777) & ~shell.umask;
			sync.mkdir(shell.path(directory), { mode: 0o700 });
			finish.push(() => sync.chmod(shell.path(directory), mode));
			if (manner.verbose) await call.out(`${source} -> ${directory}\n`);
		}
		finish.push(() => {
			if (manner.preserves.has('mode')) sync.chmod(shell.path(directory), stat.mode & 0o7777);
			if (manner.preserves.has('timestamps')) sync.utimes(shell.path(directory), stat.accessedMs, stat.modifiedMs);
		});
	}
	return finish;
}
