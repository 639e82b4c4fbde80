import type { BuiltIn, Call } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';
import { optionsOf } from './read-options.ts';

/** Permission bit of a directory that its owner may enter; the user owns all files. */
const OWNER_MAY_ENTER = 0o100;

interface Manner {
	/** Set if the new directory is printed. */
	shown: boolean;
	/** Set if `..` is resolved after following links, and PWD contains no links. */
	physical: boolean;
}

async function change(call: Call, target: string, { shown, physical }: Manner): Promise<number> {
	const { shell } = call;
	const { sync } = shell.host.context;
	const missing = missingOnTheWay(shell, target, physical);
	const path = physical && missing === null ? physicalPath(shell, target) : shell.path(target);
	const stat = sync.statOrNull(path);
	if (missing !== null || stat?.kind !== 'directory') {
		const isThere = sync.statOrNull(missing ?? path) !== null;
		await call.complain(`${target}: ${isThere ? 'Not a directory' : 'No such file or directory'}`);
		return 1;
	}
	if (!(stat.mode & OWNER_MAY_ENTER)) {
		await call.complain(`${target}: Permission denied`);
		return 1;
	}
	moveTo(shell, path);
	if (shown) await call.out(`${path}\n`);
	return 0;
}

/** The first path that a `..` in `target` would leave and that is not a directory; null if there is none. */
function missingOnTheWay(shell: Shell, target: string, physical: boolean): string | null {
	const parts = target.split('/');
	for (const [index, part] of parts.entries()) {
		if (part !== '..' || index === 0) continue;
		const before = parts.slice(0, index).join('/') || '/';
		const path = physical ? physicalPath(shell, before) : shell.path(before);
		if (shell.host.context.sync.statOrNull(path)?.kind !== 'directory') return path;
	}
	return null;
}

/** Resolves an absolute path: each link is followed before the `..` after it. */
function physicalPath(shell: Shell, target: string): string {
	const { sync } = shell.host.context;
	let path = target.startsWith('/') ? '/' : sync.realpath(shell.cwd);
	for (const part of target.split('/')) {
		if (part === '' || part === '.') continue;
		path = shell.path(part === '..' ? `${path}/..` : `${path}/${part}`);
		if (sync.statOrNull(path)) path = sync.realpath(path);
	}
	return path;
}

/** Changes the working directory and updates PWD and OLDPWD. */
export function moveTo(shell: Shell, path: string): void {
	shell.variables.set('OLDPWD', shell.cwd);
	shell.cwd = path;
	shell.variables.set('PWD', path);
	shell.variables.declare('PWD', { exported: true });
	shell.variables.declare('OLDPWD', { exported: true });
}

/** `cd`, also used by `pushd`. */
export const cd: BuiltIn = async (call) => {
	const { shell } = call;
	if (shell.restricted) {
		await call.complain('restricted');
		return 1;
	}
	const { flags, rest: args } = optionsOf(call);
	if (args.length > 1) {
		await call.complain('too many arguments');
		return 1;
	}
	const physical = isPhysical(shell, [...flags.keys()]);
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
	if (!/^\.{0,2}(?:\/|$)/.test(target) && !back) {
		for (const base of shell.variables.get('CDPATH')?.split(':') ?? []) {
			const path = base === '' ? target : `${base}/${target}`;
			if (shell.host.context.sync.statOrNull(shell.path(path))?.kind !== 'directory') continue;
			return change(call, path, { shown: base !== '', physical });
		}
	}
	return change(call, target, { shown: back, physical });
};

/** Returns whether links are followed: the last of `-L` and `-P` decides, otherwise `set -P`. */
const isPhysical = (shell: Shell, flags: readonly string[]): boolean => {
	const last = flags.findLast((flag) => flag === 'L' || flag === 'P');
	return last ? last === 'P' : shell.options.physical;
};

const pwd: BuiltIn = async (call) => {
	const { shell, out } = call;
	const { flags } = optionsOf(call);
	await out(`${isPhysical(shell, [...flags.keys()]) ? shell.host.context.sync.realpath(shell.cwd) : shell.cwd}\n`);
	return 0;
};

/** Builtins for the working directory. */
export const directoryBuiltins: Record<string, BuiltIn> = { cd, pwd };
