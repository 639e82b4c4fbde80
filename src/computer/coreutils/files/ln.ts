import { dirname } from '#computer/abi/paths.ts';
import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { backUp, backupOf } from './backup.ts';
import { relativePath, resolve } from './real-path.ts';
import { isOneEntry, lstatOrNull } from './same-file.ts';
import { placesOf } from './target.ts';

const SPECIFICATION =
	's|symbolic f|force i|interactive n|no-dereference r|relative v|verbose t|target-directory= T|no-target-directory ' +
	'L|logical P|physical b backup=? S|suffix= d|F|directory';

/** `ln`: hard links, or symbolic ones with `-s`. */
export const ln = utility(SPECIFICATION, async (call, options) => {
	const operands = [...options.operands];
	if (operands.length === 0) throw new UsageError('missing file operand');
	if (operands.length === 1 && !options.has('t', 'T')) operands.push('.');
	const places = placesOf(call, options, operands, { followsLink: !options.has('n') });
	if (typeof places === 'string') {
		await call.complain(places);
		return 1;
	}
	let status = 0;
	const created = new Set<string>();
	for (const { from, to } of places) {
		const isCreated = created.has(call.shell.path(to)) && backupOf(call, options)?.numbering !== 'always';
		const problem = isCreated
			? `will not overwrite just-created '${to}' with '${from}'`
			: await link(call, options, from, to);
		created.add(call.shell.path(to));
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

/** Errors whose message names only the new link. */
const SHORT = /^(?:File exists|No space left on device|Read-only file system)$/;

/** Target of a relative link, computed with the links on both paths resolved. */
function relativeTarget(call: Call, from: string, to: string): string {
	const { shell } = call;
	const directory = dirname(shell.path(to));
	const [base, target] = [resolve(call, directory, 'any'), resolve(call, from, 'any')];
	return relativePath('path' in base ? base.path : directory, 'path' in target ? target.path : shell.path(from));
}

/** Returns whether the destination is the source itself, so that removing it would leave nothing to link to. */
function isOnlyName(call: Call, options: Options, from: string, to: string): boolean {
	const { shell } = call;
	const { sync } = shell.host.context;
	const [isSymbolic, backsUp] = [options.has('s'), backupOf(call, options) !== null];
	if (isSymbolic ? backsUp || !options.has('f') : !options.has('f') && !backsUp) return false;
	const [source, destination] = [shell.path(from), shell.path(to)];
	const stat = isSymbolic ? sync.statOrNull(source) : lstatOrNull(sync, source);
	if (!stat || stat.inode !== lstatOrNull(sync, destination)?.inode) return false;
	return stat.links === 1 || isOneEntry(sync, source, destination);
}

/** Creates one link. Returns the error, or null. */
async function link(call: Call, options: Options, from: string, to: string): Promise<string | null> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const [source, destination] = [shell.path(from), shell.path(to)];
	const isSymbolic = options.has('s');
	const kind = isSymbolic ? 'symbolic' : 'hard';
	const problem = (text: string) =>
		isSymbolic || SHORT.test(text)
			? `failed to create ${kind} link '${to}': ${text}`
			: `failed to create ${kind} link '${to}' => '${from}': ${text}`;
	const lstat = (path: string) => lstatOrNull(sync, path);
	const follows = options.last('L', 'P') === 'L' || from.endsWith('/');
	const stat = isSymbolic ? null : follows ? sync.statOrNull(source) : lstat(source);
	if (!isSymbolic && !stat) return `failed to access '${from}': No such file or directory`;
	if (stat?.kind === 'directory') return `${from}: hard link not allowed for directory`;
	const there = lstat(destination);
	if (!there && !isSymbolic && to.endsWith('/')) return problem('No such file or directory');
	const backup = backupOf(call, options);
	if (there) {
		if (backup === null && !options.has('f')) return problem('File exists');
		if (there.kind === 'directory') return `${to}: cannot overwrite directory`;
		if (isOnlyName(call, options, from, to)) return `'${from}' and '${to}' are the same file`;
		if (stat && there.inode === stat.inode && backup === null) return null;
	}
	try {
		const kept = there && backup !== null ? backUp(sync, destination, backup) : null;
		if (there && kept === null) sync.unlink(destination);
		const shown = isSymbolic && options.has('r') ? relativeTarget(call, from, to) : from;
		if (isSymbolic) sync.symlink(shown, destination);
		else sync.link(follows ? sync.realpath(source) : source, destination);
		if (options.has('v'))
			await call.out(`'${to}' ${isSymbolic ? '->' : '=>'} '${shown}'${kept === null ? '' : ` ~ '${to}${kept}'`}\n`);
		return null;
	} catch (error) {
		return problem(reason(error));
	}
}
