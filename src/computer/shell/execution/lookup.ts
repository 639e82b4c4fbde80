import { SEARCH_PATH } from '#computer/abi/paths.ts';
import { UTILITIES } from '#computer/abi/utilities.ts';
import type { FunctionDefinition } from '../ast/nodes.ts';
import type { BuiltIn } from '../state/host.ts';
import { SPECIAL_BUILTINS } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';

/** Longest file name and longest path. */
const NAME_BYTES = 255;
const PATH_BYTES = 4095;

/** Result of a command lookup in a shell. */
export type Found =
	| { kind: 'function'; definition: FunctionDefinition }
	| { kind: 'builtin'; run: BuiltIn }
	| { kind: 'utility'; run: BuiltIn; path: string; written?: never }
	| { kind: 'program'; path: string; written?: never }
	| { kind: 'file'; path: string; executable: boolean; written?: string }
	| { kind: 'directory'; path: string; written?: never }
	| { kind: 'too-long' }
	| { kind: 'none' };

/** Virtual directories of the sandbox's commands. */
const SYSTEM = new Set(['/usr/bin', '/bin', '/usr/local/bin']);

/** The builtin of that name, unless it is disabled. */
export const builtinNamed = (shell: Shell, name: string): BuiltIn | undefined =>
	shell.disabledBuiltins.has(name) ? undefined : shell.host.builtins.get(name);

/**
 * Looks a command up. `skip` excludes functions (`command`) or everything except files and programs (`env`, `xargs`).
 */
export function findCommand(shell: Shell, name: string, skip: 'nothing' | 'functions' | 'builtins' = 'nothing'): Found {
	if (skip === 'nothing' && shell.options.posix && SPECIAL_BUILTINS.has(name)) {
		const run = builtinNamed(shell, name);
		if (run) return { kind: 'builtin', run };
	}
	if (skip === 'nothing') {
		const definition = shell.functions.get(name);
		if (definition) return { kind: 'function', definition };
	}
	if (name.includes('/')) return inVolume(shell, shell.path(name));
	if (skip !== 'builtins') {
		const run = builtinNamed(shell, name);
		if (run) return { kind: 'builtin', run };
	}
	let forbidden: Found | undefined;
	for (const directory of (shell.variables.get('PATH') ?? SEARCH_PATH).split(':')) {
		if (SYSTEM.has(directory)) {
			const found = ofSystem(shell, name, directory);
			if (found) return found;
		}
		const file = inVolume(shell, shell.path(`${directory || '.'}/${name}`));
		if (file.kind === 'file' && file.executable)
			return directory.startsWith('/') ? file : { ...file, written: `${directory || '.'}/${name}` };
		if (file.kind === 'file') forbidden ??= file;
	}
	return forbidden ?? { kind: 'none' };
}

/** Finds a command at its cached location, as long as PATH is unchanged. */
export function findHashed(shell: Shell, name: string, skip: 'nothing' | 'functions'): Found {
	const { hash } = shell;
	hash.follow(shell.variables.get('PATH'));
	const known = hash.get(name);
	const isChecked = shell.options.posix || shell.shopt.has('checkhash');
	if (known !== undefined && isChecked && !shell.host.context.sync.statOrNull(shell.path(known))) hash.delete(name);
	// A command found in the working directory is looked up each time: it may be a different one now.
	else if (
		known !== undefined &&
		!known.startsWith('./') &&
		!(skip === 'nothing' && shell.functions.has(name)) &&
		!builtinNamed(shell, name)
	) {
		hash.hit(name);
		return inVolume(shell, shell.path(known));
	}
	const found = findCommand(shell, name, skip);
	const isFound = found.kind === 'file' ? found.executable : 'path' in found && found.kind !== 'directory';
	if (isFound && 'path' in found && !name.includes('/')) hash.set(name, found.written ?? found.path, 1);
	return found;
}

/** @param directory as spelled; `/usr/local/bin` contains no commands of the system */
function ofSystem(shell: Shell, name: string, directory: string): Found | null {
	const path = `${directory === '/bin' ? '/bin' : '/usr/bin'}/${name}`;
	if (shell.host.programs.has(name)) return { kind: 'program', path };
	const run = utilityNamed(shell, name);
	return run ? { kind: 'utility', run, path } : null;
}

/** Command of that name that is part of the shell here and a separate program elsewhere. */
export function utilityNamed({ host }: Shell, name: string): BuiltIn | undefined {
	return host.utilities.get(name) ?? (UTILITIES.has(name) ? host.builtins.get(name) : undefined);
}

function inVolume(shell: Shell, path: string): Found {
	const [, directory = '', name = ''] = /^(.*)\/([^/]+)$/.exec(path) ?? [];
	// Entries there are only names of commands; the directory cannot be written.
	const command = SYSTEM.has(directory) ? ofSystem(shell, name, directory) : null;
	if (command) return command;
	if (name.length > NAME_BYTES || path.length > PATH_BYTES) return { kind: 'too-long' };
	const stat = shell.host.context.sync.statOrNull(path);
	if (stat?.kind === 'directory') return { kind: 'directory', path };
	return stat ? { kind: 'file', path, executable: (stat.mode & 0o111) !== 0 } : { kind: 'none' };
}
