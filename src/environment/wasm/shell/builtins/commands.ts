import { printFunction } from '../ast/print.ts';
import { findCommand } from '../execution/lookup.ts';
import type { BuiltIn } from '../state/host.ts';
import type { Shell } from '../state/shell.ts';

const KEYWORDS = new Set(
	'if then else elif fi case esac for select while until do done in function time { } ! [[ ]]'.split(' ')
);

/** Where a command is, as `which` prints it; null when it is none or part of the shell. */
export function pathOf(shell: Shell, name: string): string | null {
	const found = findCommand(shell, name, 'builtins');
	return 'path' in found && found.kind !== 'directory' ? found.path : null;
}

function describe(shell: Shell, name: string): { kind: string; text: string; short: string } | null {
	const alias = shell.aliases.get(name);
	if (alias !== undefined)
		return { kind: 'alias', text: `${name} is aliased to \`${alias}'`, short: `alias ${name}='${alias}'` };
	if (KEYWORDS.has(name)) return { kind: 'keyword', text: `${name} is a shell keyword`, short: name };
	const found = findCommand(shell, name);
	if (found.kind === 'function')
		return { kind: 'function', text: `${name} is a function\n${printFunction(found.definition)}`, short: name };
	if (found.kind === 'builtin' || SHELL_OWN.has(name))
		return { kind: 'builtin', text: `${name} is a shell builtin`, short: name };
	if (found.kind === 'none' || found.kind === 'directory') return null;
	return { kind: 'file', text: `${name} is ${found.path}`, short: found.path };
}

/** Utilities here that are builtins in bash. */
const SHELL_OWN = new Set(['echo', 'printf', 'kill', 'test', '[']);

const type: BuiltIn = async (call) => {
	const { shell } = call;
	const flags = call.args.filter((arg) => /^-[vVtapPf]+$/.test(arg)).join('');
	let status = 0;
	for (const name of call.args.filter((arg) => !/^-[vVtapPf]+$/.test(arg))) {
		const found = describe(shell, name);
		if (!found) {
			status = 1;
			if (call.name === 'type' && !/[tpP]/.test(flags)) await call.complain(`${name}: not found`);
			continue;
		}
		if (flags.includes('t')) await call.out(`${found.kind}\n`);
		else if (/[pP]/.test(flags))
			await call.out(found.kind === 'file' || flags.includes('P') ? `${pathOf(shell, name) ?? ''}\n` : '');
		else await call.out(`${flags.includes('v') ? found.short : found.text}\n`);
	}
	return status;
};

export const commandBuiltins: Record<string, BuiltIn> = { type };

/** `which`: a program beside bash that knows only PATH. */
export const which: BuiltIn = async (call) => {
	let status = 0;
	for (const name of call.args.filter((arg) => !arg.startsWith('-'))) {
		const path = pathOf(call.shell, name) ?? (SHELL_OWN.has(name) ? `/usr/bin/${name}` : null);
		if (path) await call.out(`${path}\n`);
		else status = 1;
	}
	return status;
};
