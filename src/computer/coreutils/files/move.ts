import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { LineSource } from '../input/line-source.ts';
import { UsageError, utility, type Options } from '../options.ts';
import { backUp, backupOf } from './backup.ts';
import { placesOf } from './target.ts';

const SPECIFICATION =
	'f|force i|interactive n|no-clobber u|update v|verbose t|target-directory= T|no-target-directory ' +
	'b backup=? S|suffix= strip-trailing-slashes Z|context';

/** `mv`. */
export const mv = utility(SPECIFICATION, async (call, options) => {
	if (options.operands.length === 0) throw new UsageError('missing file operand');
	const operands = options.has('strip-trailing-slashes')
		? options.operands.map((name) => name.replace(/(.)\/+$/, '$1'))
		: options.operands;
	const places = placesOf(call, options, operands, { followsLink: true });
	if (typeof places === 'string') {
		await call.complain(places);
		return 1;
	}
	let status = 0;
	for (const { from, to } of places) {
		const problem = await move(call, options, from, to);
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

/** Moves one file or directory. Returns what went wrong, or null. */
async function move(call: Call, options: Options, from: string, to: string): Promise<string | null> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const [source, destination] = [shell.path(from), shell.path(to)];
	const lstat = (path: string) => {
		try {
			return sync.lstat(path);
		} catch {
			// Nothing there.
			return null;
		}
	};
	const stat = lstat(source);
	if (!stat) return `cannot stat '${from}': No such file or directory`;
	const there = lstat(destination);
	if (there && !(await mayReplace(call, options, to, there.modifiedMs >= stat.modifiedMs))) return null;
	const backup = backupOf(options);
	if (source === destination || (there?.inode === stat.inode && !backup))
		return `'${from}' and '${to}' are the same file`;
	if (stat.kind === 'directory' && `${destination}/`.startsWith(`${source}/`))
		return `cannot move '${from}' to a subdirectory of itself, '${to}'`;
	if (there?.kind === 'directory' && stat.kind !== 'directory' && !backup)
		return `cannot overwrite directory '${to}' with non-directory`;
	if (there && there.kind !== 'directory' && stat.kind === 'directory' && !backup)
		return `cannot overwrite non-directory '${to}' with directory '${from}'`;
	if (!there && to.endsWith('/') && stat.kind !== 'directory')
		return `cannot move '${from}' to '${to}': Not a directory`;
	try {
		const kept = there && backup ? backUp(sync, destination, backup) : null;
		sync.rename(source, destination);
		if (options.has('v'))
			await call.out(`renamed '${from}' -> '${to}'${kept === null ? '' : ` (backup: '${to}${kept}')`}\n`);
		return null;
	} catch (error) {
		return `cannot move '${from}' to '${to}': ${reason(error)}`;
	}
}

async function mayReplace(call: Call, options: Options, to: string, isNewer: boolean): Promise<boolean> {
	if (options.has('u') && isNewer) return false;
	const last = options.last('f', 'i', 'n');
	if (last !== 'i') return last !== 'n';
	await call.shell.descriptors.get(2)?.write(new TextEncoder().encode(`mv: overwrite '${to}'? `));
	const answer = await new LineSource(call, []).next();
	return /^[yY]/.test(answer?.text ?? '');
}
