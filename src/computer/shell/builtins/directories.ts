import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

async function change(call: Call, target: string, shown: boolean): Promise<number> {
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
	moveTo(shell, path);
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

const cd: BuiltIn = async (call) => {
	const { shell } = call;
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
	const status = await change(call, target, back);
	if (status === 0 && physical) moveTo(shell, shell.host.context.sync.realpath(shell.cwd));
	return status;
};

const tilde = (shell: Shell, path: string) => {
	const home = shell.variables.get('HOME') ?? '';
	return home && (path === home || path.startsWith(`${home}/`)) ? `~${path.slice(home.length)}` : path;
};

const showStack = (call: Call) =>
	call.out(`${[call.shell.cwd, ...call.shell.directoryStack].map((path) => tilde(call.shell, path)).join(' ')}\n`);

/** The status for arguments that the stack's builtins do not take; null where they are right. */
async function wrongArguments(call: Call, args: readonly string[], most: number): Promise<number | null> {
	const isOption = /^-./.test(args[0] ?? '') && most > 0 && args[0] !== '-n';
	if (!isOption && args.length <= most) return null;
	await call.complain(isOption || most === 0 ? `${args[0]}: invalid argument` : 'too many arguments');
	return isOption || most === 0 ? 2 : 1;
}

export const directoryBuiltins: Record<string, BuiltIn> = {
	cd,
	pwd: async ({ shell, args, out }) => {
		await out(`${args.includes('-P') ? shell.host.context.sync.realpath(shell.cwd) : shell.cwd}\n`);
		return 0;
	},
	pushd: async (call) => {
		const { shell } = call;
		const args = call.args[0] === '--' ? call.args.slice(1) : call.args;
		const wrong = await wrongArguments(call, args, 1);
		if (wrong !== null) return wrong;
		const target = args[0] ?? shell.directoryStack.shift();
		if (target === undefined) {
			await call.complain('no other directory');
			return 1;
		}
		const before = shell.cwd;
		const status = await change(call, target, false);
		if (status !== 0) return status;
		shell.directoryStack.unshift(before);
		await showStack(call);
		return 0;
	},
	popd: async (call) => {
		const wrong = await wrongArguments(call, call.args[0] === '--' ? call.args.slice(1) : call.args, 0);
		if (wrong !== null) return wrong;
		const target = call.shell.directoryStack.shift();
		if (target === undefined) {
			await call.complain('directory stack empty');
			return 1;
		}
		const status = await change(call, target, false);
		if (status === 0) await showStack(call);
		return status;
	},
	dirs: async (call) => {
		if (call.args.includes('-c')) call.shell.directoryStack = [];
		else if (/^-\w*[vp]/.test(call.args[0] ?? '')) {
			const stack = [call.shell.cwd, ...call.shell.directoryStack];
			const numbered = call.args[0]?.includes('v') ?? false;
			for (const [index, path] of stack.entries())
				await call.out(`${numbered ? `${String(index).padStart(2)}  ` : ''}${path}\n`);
		} else {
			const words = call.args.filter((arg) => arg !== '-l');
			if (words.length > 0) return (await wrongArguments(call, words, 0)) ?? 1;
			if (call.args.length === 0) await showStack(call);
			else await call.out(`${[call.shell.cwd, ...call.shell.directoryStack].join(' ')}\n`);
		}
		return 0;
	}
};
