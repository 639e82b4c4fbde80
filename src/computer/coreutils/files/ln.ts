import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { backUp, backupOf } from './backup.ts';
import { relativePath } from './real-path.ts';
import { joined, placesOf } from './target.ts';

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
		const isCreated = created.has(call.shell.path(to)) && backupOf(options)?.numbering !== 'always';
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

/** Makes one link. Returns what went wrong, or null. */
async function link(call: Call, options: Options, from: string, to: string): Promise<string | null> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const [source, destination] = [shell.path(from), shell.path(to)];
	const isSymbolic = options.has('s');
	const kind = isSymbolic ? 'symbolic' : 'hard';
	const problem = (text: string) =>
		isSymbolic
			? `failed to create ${kind} link '${to}': ${text}`
			: `failed to create ${kind} link '${to}' => '${from}': ${text}`;
	const lstat = (path: string) => {
		try {
			return sync.lstat(path);
		} catch {
			// Nothing there.
			return null;
		}
	};
	const stat = isSymbolic ? null : options.has('L') ? sync.statOrNull(source) : lstat(source);
	if (!isSymbolic && !stat) return `failed to access '${from}': No such file or directory`;
	if (stat?.kind === 'directory') return `${from}: hard link not allowed for directory`;
	const there = lstat(destination);
	const backup = backupOf(options);
	if (there) {
		if (backup === null && !options.has('f')) return problem('File exists');
		if (there.kind === 'directory') return `${to}: cannot overwrite directory`;
		if (stat && there.inode === stat.inode)
			return destination === source ? `'${from}' and '${to}' are the same file` : null;
	}
	try {
		const kept = there && backup !== null ? backUp(sync, destination, backup) : null;
		if (there && kept === null) sync.unlink(destination);
		const shown = isSymbolic && options.has('r') ? relativePath(shell.path(joined(to, '..')), source) : from;
		if (isSymbolic) sync.symlink(shown, destination);
		else sync.link(options.has('L') ? sync.realpath(source) : source, destination);
		if (options.has('v'))
			await call.out(`'${to}' ${isSymbolic ? '->' : '=>'} '${shown}'${kept === null ? '' : ` ~ '${to}${kept}'`}\n`);
		return null;
	} catch (error) {
		return problem(reason(error));
	}
}
