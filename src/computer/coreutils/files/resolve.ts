import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

/** Parts of a path that need not be there. */
type Missing = 'none' | 'last' | 'any';

/** Links that one path may lead through, as the kernel limits it. */
const MAX_LINKS = 40;

/**
 * Real path of a name, symbolic links resolved.
 *
 * @returns the path, or the reason why there is none
 */
function resolve(
	{ shell }: Call,
	name: string,
	missing: Missing,
	followsLinks = true
): { path: string } | { problem: string } {
	const { sync } = shell.host.context;
	if (name === '') return { problem: 'No such file or directory' };
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
			// A circle of links is a name like any other to who needs nothing to be there.
			const isFollowed = followsLinks && (links < MAX_LINKS || missing !== 'any');
			if (sync.lstat(full).kind === 'symlink' && isFollowed) {
				if (++links > MAX_LINKS) return { problem: 'Too many levels of symbolic links' };
				const target = sync.readlink(full);
				if (target.startsWith('/')) done.length = 0;
				left.unshift(...target.split('/'));
				continue;
			}
		} catch (error) {
			if (missing === 'none' || (missing === 'last' && !isLast)) return { problem: reason(error) };
		}
		done.push(part);
	}
	return { path: `/${done.join('/')}` };
}

/** `realpath`. */
export const realpath = utility(
	'e|canonicalize-existing m|canonicalize-missing L|logical P|physical q|quiet s|strip|no-symlinks z|zero relative-to= relative-base=',
	async (call, options) => {
		if (options.operands.length === 0) throw new UsageError('missing operand');
		const missing = ({ e: 'none', m: 'any' } as const)[options.last('e', 'm') ?? ''] ?? 'last';
		const base = options.get('relative-to') ?? options.get('relative-base');
		const from = base === undefined ? null : resolve(call, base, missing);
		let status = 0;
		for (const name of options.operands) {
			const result = resolve(call, name, missing, !options.has('s'));
			if ('problem' in result) {
				if (!options.has('q')) await call.complain(`${name}: ${result.problem}`);
				status = 1;
				continue;
			}
			const isRelative =
				from !== null &&
				'path' in from &&
				(options.has('relative-to') || `${result.path}/`.startsWith(`${from.path}/`));
			const shown = isRelative ? relativePath(from.path, result.path) : result.path;
			await call.out(shown + (options.has('z') ? '\0' : '\n'));
		}
		return status;
	}
);

/** `readlink`: a link's target, or with `-f`, `-e` and `-m` the real path. */
export const readlink = utility(
	'f|canonicalize e|canonicalize-existing m|canonicalize-missing n|no-newline q|quiet s|silent v|verbose z|zero',
	async (call, options) => {
		const { shell } = call;
		const names = options.operands;
		if (names.length === 0) throw new UsageError('missing operand');
		const mode = options.last('f', 'e', 'm');
		const end = options.has('n') && names.length === 1 ? '' : options.has('z') ? '\0' : '\n';
		let status = 0;
		for (const name of names) {
			const missing = mode === 'e' ? 'none' : mode === 'm' ? 'any' : 'last';
			const result = mode === undefined ? targetOf(shell, name) : resolve(call, name, missing);
			if ('path' in result) await call.out(result.path + end);
			else {
				if (options.has('v')) await call.complain(`${name}: ${result.problem}`);
				status = 1;
			}
		}
		return status;
	}
);

function targetOf(shell: Call['shell'], name: string): { path: string } | { problem: string } {
	try {
		return { path: shell.host.context.sync.readlink(shell.path(name)) };
	} catch (error) {
		return { problem: reason(error) };
	}
}

/** Path from a directory to a file, both absolute. */
export function relativePath(from: string, to: string): string {
	const [base, target] = [from.split('/').filter(Boolean), to.split('/').filter(Boolean)];
	let same = 0;
	while (same < base.length && base[same] === target[same]) same++;
	return [...base.slice(same).map(() => '..'), ...target.slice(same)].join('/') || '.';
}
