import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

/** Permission bit of a directory that the user, who owns all files, may go into. */
const OWNER_MAY_ENTER = 0o100;

async function change(call: Call, target: string, shown: boolean, physical = false): Promise<number> {
	const { shell } = call;
	const path = shell.path(target);
	// What `..` leaves has to be there.
	const left = target.split('/').findIndex((part, index, all) => part !== '..' && all[index + 1] === '..');
	const before =
		left < 0
			? null
			: target
					.split('/')
					.slice(0, left + 1)
					.join('/');
	if (before && !shell.host.context.sync.statOrNull(shell.path(before))) {
		await call.complain(`${target}: No such file or directory`);
		return 1;
	}
	const stat = shell.host.context.sync.statOrNull(path);
	if (stat?.kind !== 'directory') {
		await call.complain(`${target}: ${stat ? 'Not a directory' : 'No such file or directory'}`);
		return 1;
	}
	if (!(stat.mode & OWNER_MAY_ENTER)) {
		await call.complain(`${target}: Permission denied`);
		return 1;
	}
	moveTo(shell, physical ? shell.host.context.sync.realpath(path) : path);
	if (shown) await call.out(`${path}\n`);
	return 0;
}

/** Makes `path` the working directory and says so in PWD and OLDPWD. */
export function moveTo(shell: Shell, path: string): void {
	shell.variables.set('OLDPWD', shell.cwd);
	shell.cwd = path;
	shell.variables.set('PWD', path);
	shell.variables.declare('PWD', { exported: true });
	shell.variables.declare('OLDPWD', { exported: true });
}

/** `cd`, also of `pushd`. */
export const cd: BuiltIn = async (call) => {
	const { shell } = call;
	if (shell.restricted) {
		await call.complain('restricted');
		return 1;
	}
	const args = call.args.filter((arg) => !/^-[LPe@]+$/.test(arg) && arg !== '--');
	if (args.length > 1) {
		await call.complain('too many arguments');
		return 1;
	}
	const physical = call.args.includes('-P');
	let [target = shell.variables.get('HOME')] = args;
	if (target === undefined) {
		await call.complain('HOME not set');
		return 1;
	}
	if (target === '') return 0;
	const back = target === '-';
	if (back) target = shell.variables.get('OLDPWD');
	if (target === undefined) {
		await call.complain('OLDPWD not set');
		return 1;
	}
	if (!/^\.{0,2}\//.test(target) && !back) {
		for (const base of (shell.variables.get('CDPATH') ?? '').split(':').filter(Boolean)) {
			const path = shell.path(`${base}/${target}`);
			if (shell.host.context.sync.statOrNull(path)?.kind === 'directory') return change(call, path, true);
		}
	}
	return change(call, target, back, physical);
};

const pwd: BuiltIn = async ({ shell, args, out }) => {
	await out(`${args.includes('-P') ? shell.host.context.sync.realpath(shell.cwd) : shell.cwd}\n`);
	return 0;
};

/** Builtins for the working directory. */
export const directoryBuiltins: Record<string, BuiltIn> = { cd, pwd };
