import { SEARCH_PATH } from '#computer/abi/paths.ts';
import { printFunction } from '../ast/print.ts';
import { quoteWord } from '../expansion/quote.ts';
import { builtinNamed, findCommand } from '../execution/lookup.ts';
import type { BuiltIn } from '../state/host.ts';
import { KEYWORDS } from './keywords.ts';
import type { Shell } from '../state/shell.ts';

/** Path of a command as printed by `which`; null if there is none or it is a builtin. */
export function pathOf(shell: Shell, name: string): string | null {
	const found = findCommand(shell, name, 'builtins');
	return 'path' in found && found.kind !== 'directory' ? found.path : null;
}

/** Utilities here that are builtins in bash. */
const SHELL_OWN = new Set(['echo', 'printf', 'kill', 'test', '[']);

/** One meaning of a name: `text` as printed by `type`, `short` as by `command -v`. */
interface Meaning {
	kind: 'alias' | 'keyword' | 'function' | 'builtin' | 'file';
	text: string;
	short: string;
}

/** Lists all meanings of a name, in lookup order. */
function meanings(shell: Shell, name: string, flags: string): Meaning[] {
	const found: Meaning[] = [];
	const add = (kind: Meaning['kind'], text: string, short: string) => found.push({ kind, text, short });
	const alias = shell.interactive || shell.shopt.has('expand_aliases') ? shell.aliases.get(name) : undefined;
	if (alias !== undefined) add('alias', `${name} is aliased to \`${alias}'`, `alias ${name}=${quoteWord(alias, true)}`);
	if (KEYWORDS.has(name)) add('keyword', `${name} is a shell keyword`, name);
	const definition = flags.includes('f') ? undefined : shell.functions.get(name);
	if (definition) add('function', `${name} is a function\n${printFunction(definition)}`, name);
	if (builtinNamed(shell, name)) add('builtin', `${name} is a shell builtin`, name);
	shell.hash.follow(shell.variables.get('PATH'));
	const hashed = flags.includes('a') ? undefined : shell.hash.get(name);
	if (hashed !== undefined && found.length === 0) {
		shell.hash.hit(name);
		add('file', `${name} is hashed (${hashed})`, hashed);
		return found;
	}
	for (const path of filesOf(shell, name, !flags.includes('a'))) add('file', `${name} is ${path}`, path);
	return found;
}

/** Finds a command in PATH: files as PATH spells their directory, commands of the sandbox once, in `/usr/bin`. */
function filesOf(shell: Shell, name: string, takesAny = false): string[] {
	const pathAt = (path: string, isExecutable = true): string[] => {
		const found = findCommand(shell, path.includes('/') ? path : `./${path}`, 'builtins');
		if (found.kind === 'file') return found.executable === isExecutable ? [path] : [];
		return isExecutable && found.kind !== 'directory' && 'path' in found ? [found.path] : [];
	};
	if (name.includes('/')) return pathAt(name).length > 0 ? [name] : [];
	const directories = (shell.variables.get('PATH') ?? SEARCH_PATH).split(':');
	const places = directories.map((directory) => `${directory || '.'}/${name}`);
	const executable = [...new Set(places.flatMap((place) => pathAt(place)))];
	// A file that is not executable is only found if there is nothing else, and only one of them.
	return executable.length > 0 || !takesAny ? executable : places.flatMap((place) => pathAt(place, false)).slice(0, 1);
}

const type: BuiltIn = async (call) => {
	const { shell } = call;
	let flags = '';
	let at = 0;
	for (; /^-[vVtapPf]+$/.test(call.args[at] ?? ''); at++) flags += (call.args[at] ?? '').slice(1);
	if (call.args[at] === '--') at++;
	else if (/^-./.test(call.args[at] ?? '')) {
		await call.complain(`${call.args[at]}: invalid option`);
		return 2;
	}
	let status = 0;
	let some = false;
	for (const name of call.args.slice(at)) {
		const all = meanings(shell, name, flags);
		const files = all.filter(({ kind }) => kind === 'file');
		const wanted = flags.includes('P') || (flags.includes('p') && flags.includes('a')) ? files : all;
		const shown = flags.includes('a') ? wanted : wanted.slice(0, 1);
		if (shown.length === 0 && all.length > 0 && flags.includes('p') && !flags.includes('P')) {
			some = true;
			continue;
		}
		if (shown.length === 0) {
			status = 1;
			if (call.name === 'type' && !/[tpP]/.test(flags)) await call.complain(`${name}: not found`);
			else if (flags.includes('V')) await call.complain(`${name}: not found`);
			continue;
		}
		some = true;
		for (const { kind, text, short } of shown) {
			if (flags.includes('t')) await call.out(`${kind}\n`);
			else if (/[pP]/.test(flags)) await call.out(kind === 'file' ? `${short}\n` : '');
			else await call.out(`${flags.includes('v') ? short : text}\n`);
		}
	}
	return call.name === 'command' && some ? 0 : status;
};

export const commandBuiltins: Record<string, BuiltIn> = { type };

/** `which`: a program separate from bash that only knows PATH. */
export const which: BuiltIn = async (call) => {
	let status = 0;
	for (const name of call.args.filter((arg) => !arg.startsWith('-'))) {
		const path =
			filesOf(call.shell, name)[0] ?? pathOf(call.shell, name) ?? (SHELL_OWN.has(name) ? `/usr/bin/${name}` : null);
		if (path) await call.out(`${path}\n`);
		else status = 1;
	}
	return status;
};
