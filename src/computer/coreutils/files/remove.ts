import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

const SPECIFICATION =
	'r|R|recursive f|force d|dir v|verbose i I interactive=? one-file-system preserve-root=? no-preserve-root';

/** `rm`. A link is itself, wherever it leads. `-i` asks, which just-bash's does. */
export const rm = utility(SPECIFICATION, async (call, options) => {
	if (options.has('i')) return call.shell.host.tools.run(call.shell, 'rm', call.args);
	const forced = options.has('f');
	if (options.operands.length === 0 && !forced) throw new UsageError('missing operand');
	let status = 0;
	for (const name of options.operands) {
		const removed: string[] = [];
		const problem = remove(call, name, {
			recursive: options.has('r'),
			forced,
			directories: options.has('d'),
			report: options.has('v') ? (text) => void removed.push(text) : null
		});
		if (removed.length > 0) await call.out(removed.join(''));
		if (problem === null) continue;
		await call.complain(problem);
		status = 1;
	}
	return status;
});

interface How {
	recursive: boolean;
	forced: boolean;
	directories: boolean;
	report: ((text: string) => void) | null;
}

/** Gives what went wrong, or null. */
function remove({ shell }: Call, name: string, how: How): string | null {
	const { sync } = shell.host.context;
	const bare = name.replace(/\/+$/, '') || '/';
	if (how.recursive && /^\.{1,2}$/.test(bare.split('/').at(-1) ?? ''))
		return `refusing to remove '.' or '..' directory: skipping '${name}'`;
	const path = shell.path(bare);
	if (how.recursive && path === '/') return "it is dangerous to operate recursively on '/'";
	try {
		const { kind } = sync.lstat(path);
		if (kind !== 'directory') {
			if (name !== bare) return `cannot remove '${name}': Not a directory`;
			sync.unlink(path);
			how.report?.(`removed '${name}'\n`);
			return null;
		}
		if (!how.recursive && !how.directories) return `cannot remove '${name}': Is a directory`;
		const below = how.report && how.recursive ? sync.walk(path).reverse() : [];
		if (how.recursive) sync.remove(path, { recursive: true });
		else sync.rmdir(path);
		for (const { path: full, stat } of below) how.report?.(line(stat.kind, `${bare}${full.slice(path.length)}`));
		how.report?.(line('directory', bare));
		return null;
	} catch (error) {
		const why = reason(error);
		return how.forced && /^(No such file|Not a directory)/.test(why) ? null : `cannot remove '${name}': ${why}`;
	}
}

const line = (kind: string, name: string) => `removed ${kind === 'directory' ? 'directory ' : ''}'${name}'\n`;
