import { arrayElements } from '../expansion/parameter.ts';
import type { Shell } from '../state/shell.ts';
import type { Variable } from '../state/variables.ts';

/** Arrays whose elements the shell computes on access. */
const MADE: ReadonlySet<string> = new Set(
	'BASH_ARGC BASH_ARGV BASH_LINENO BASH_SOURCE DIRSTACK FUNCNAME GROUPS PIPESTATUS'.split(' ')
);
const MADE_ASSOCIATIVE: ReadonlySet<string> = new Set(['BASH_ALIASES', 'BASH_CMDS']);

/** Arrays that are listed without elements: bash only computes those when they are accessed by name. */
const EMPTY_IN_LISTS: ReadonlySet<string> = new Set(['DIRSTACK', 'GROUPS']);

/** Returns a variable as `declare -p name` shows it; undefined if there is none. */
export function describedVariable(shell: Shell, name: string): Variable | undefined {
	const known = shell.variables.described(name);
	if (known || (!MADE.has(name) && !MADE_ASSOCIATIVE.has(name))) return known;
	const items = arrayElements(shell, name);
	if (name === 'PIPESTATUS' && items.length === 0) return undefined;
	if (MADE_ASSOCIATIVE.has(name)) return { value: undefined, associative: new Map(items) };
	const indexed = new Map(items.map(([key, value]): [number, string] => [Number(key), value]));
	return { value: undefined, indexed, ...(name === 'FUNCNAME' && items.length === 0 ? { isUnset: true } : {}) };
}

/** All variables sorted by name, as `set` and `declare` list them. */
export function listedVariables(shell: Shell): [string, Variable][] {
	// Names such as `RANDOM` are not listed before something is assigned to them.
	const known = shell.variables.names().filter((name) => shell.variables.raw(name) !== undefined);
	const names = [...new Set([...known, ...MADE, ...MADE_ASSOCIATIVE])].sort();
	return names.flatMap((name): [string, Variable][] => {
		const variable = describedVariable(shell, name);
		if (!variable) return [];
		const isEmpty = EMPTY_IN_LISTS.has(name) && variable.indexed;
		return [[name, isEmpty ? { ...variable, indexed: new Map() } : variable]];
	});
}
