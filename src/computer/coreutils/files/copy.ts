import { reason } from '#computer/shell/execution/redirections.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';

/** `cp`. */
export const cp = utility(
	'r|R|recursive a|archive f|force i|interactive n|no-clobber p v|verbose t|target-directory= T|no-target-directory u|update d L|dereference ' +
		'P|no-dereference H l|link s|symbolic-link preserve=? no-preserve= x parents backup=? reflink=? strip-trailing-slashes b sparse=',
	async (call, options) => {
		const names = [...options.operands];
		const { shell } = call;
		const { sync } = shell.host.context;
		const target = options.get('t') ?? names.pop();
		if (target === undefined) throw new UsageError('missing file operand');
		if (names.length === 0) throw new UsageError(`missing destination file operand after '${target}'`);
		const into = !options.has('T') && (options.has('t') || sync.statOrNull(shell.path(target))?.kind === 'directory');
		if (!into && names.length > 1) {
			await call.complain(
				`target '${target}': ${sync.statOrNull(shell.path(target)) ? 'Not a directory' : 'No such file or directory'}`
			);
			return 1;
		}
		let status = 0;
		const keeps = options.has('a', 'P', 'd');
		const dereferences = options.has('L') || !(keeps || options.has('r'));
		const fail = async (text: string) => {
			await call.complain(text);
			status = 1;
		};
		const copyOne = async (from: string, to: string, depth: number): Promise<void> => {
			const [source, destination] = [shell.path(from), shell.path(to)];
			const stat = dereferences ? sync.statOrNull(source) : lstat(call, source);
			if (!stat) return fail(`cannot stat '${from}': No such file or directory`);
			if (stat.kind === 'directory') {
				if (!options.has('r', 'a')) return fail(`-r not specified; omitting directory '${from}'`);
				if (`${destination}/`.startsWith(`${source}/`) && depth === 0 && source !== destination)
					return fail(`cannot copy a directory, '${from}', into itself, '${to}'`);
				const there = sync.statOrNull(destination);
				if (there && there.kind !== 'directory')
					return fail(`cannot overwrite non-directory '${to}' with directory '${from}'`);
				if (!there) sync.mkdir(destination, { mode: stat.mode & 0o7777 });
				if (options.has('v') && !there) await call.out(`'${from}' -> '${to}'\n`);
				for (const { name } of sync.readdir(source)) await copyOne(join(from, name), join(to, name), depth + 1);
				if (options.has('a', 'p')) sync.utimes(destination, stat.modifiedMs, stat.modifiedMs);
				return;
			}
			const there = sync.statOrNull(destination);
			if (there?.kind === 'directory') return fail(`cannot overwrite directory '${to}' with non-directory '${from}'`);
			if (there && options.has('n')) return;
			if (there && options.has('u') && there.modifiedMs >= stat.modifiedMs) return;
			if (source === destination || (there && there.inode === stat.inode && !options.has('l')))
				return fail(`'${from}' and '${to}' are the same file`);
			if (stat.kind === 'symlink') {
				if (lstat(call, destination)) sync.unlink(destination);
				sync.symlink(sync.readlink(source), destination);
			} else if (options.has('s', 'l')) {
				if (options.has('s')) sync.symlink(from, destination);
				else sync.link(source, destination);
			} else {
				sync.writeFile(destination, sync.readFile(source), { mode: stat.mode & 0o777 });
				if (options.has('a', 'p', 'preserve')) {
					sync.chmod(destination, stat.mode & 0o7777);
					sync.utimes(destination, stat.modifiedMs, stat.modifiedMs);
				}
			}
			if (options.has('v')) await call.out(`'${from}' -> '${to}'\n`);
		};
		for (const name of names) {
			try {
				const base = name.replace(/\/+$/, '').split('/').at(-1) ?? name;
				const to = options.has('parents') ? join(target, name) : into && base !== '.' ? join(target, base) : target;
				if (options.has('parents')) sync.mkdir(shell.path(to).replace(/\/[^/]*$/, ''), { recursive: true });
				await copyOne(name, to, 0);
			} catch (error) {
				await fail(`cannot create regular file '${target}': ${reason(error)}`);
			}
		}
		return status;
	}
);

const join = (directory: string, name: string) => `${directory.replace(/\/$/, '')}/${name}`;

function lstat(call: Call, path: string) {
	try {
		return call.shell.host.context.sync.lstat(path);
	} catch {
		// Nothing there.
		return null;
	}
}
