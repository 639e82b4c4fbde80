import { ShellError } from '../state/control.ts';
import type { Call } from '../state/host.ts';

/** Options of a builtin with their values, and the remaining arguments. */
export interface BuiltInOptions {
	flags: Map<string, string>;
	rest: string[];
}

/**
 * Parses options such as `-rd '' -p text`.
 *
 * @param letters option letters of the builtin, followed by a colon if the option takes a value
 */
export function readOptions(args: readonly string[], letters: string): BuiltInOptions | { fault: string } {
	const flags = new Map<string, string>();
	let index = 0;
	for (; /^-./.test(args[index] ?? ''); index++) {
		const text = args[index] ?? '';
		if (text === '--') {
			index++;
			break;
		}
		for (let at = 1; at < text.length; at++) {
			const letter = text[at] ?? '';
			const known = letter === ':' ? -1 : letters.indexOf(letter);
			if (known < 0) return { fault: `-${letter}: invalid option` };
			// Of options that exclude each other, the last one wins.
			flags.delete(letter);
			if (letters[known + 1] !== ':') {
				flags.set(letter, '');
				continue;
			}
			const value = at + 1 < text.length ? text.slice(at + 1) : args[++index];
			if (value === undefined) return { fault: `-${letter}: option requires an argument` };
			flags.set(letter, value);
			break;
		}
	}
	return { flags, rest: args.slice(index) };
}

/** Options of the builtins that parse them in the usual way; the others have numbers, `+` or words among them. */
const OPTIONS: ReadonlyMap<string, string> = new Map([
	['.', ''],
	['alias', 'p'],
	['builtin', ''],
	['cd', 'eLP@'],
	['command', 'pVv'],
	['disown', 'ahr'],
	['enable', 'adnpsf:'],
	['eval', ''],
	['exec', 'cla:'],
	['getopts', ''],
	['hash', 'dlrtp:'],
	['help', 'dms'],
	['jobs', 'lnprsx'],
	['mapfile', 'd:u:n:O:tC:c:s:'],
	['printf', 'v:'],
	['pwd', 'LP'],
	['read', 'ersa:d:i:n:p:t:u:N:'],
	['readarray', 'd:u:n:O:tC:c:s:'],
	['shopt', 'psuoq'],
	['source', ''],
	['suspend', 'f'],
	['times', ''],
	['trap', 'lp'],
	['type', 'afptP'],
	['umask', 'Sp'],
	['unalias', 'a'],
	['unset', 'fnv'],
	['wait', 'fnp:']
]);

/** Options of a builtin that have been validated already. */
export function optionsOf({ name, args }: Call): BuiltInOptions {
	const read = readOptions(args, OPTIONS.get(name) ?? '');
	if ('fault' in read) throw new ShellError(read.fault, 2);
	return read;
}

/** Error message for the options of a builtin; null if they are valid. */
export function faultOfOptions(name: string, args: readonly string[]): string | null {
	const letters = OPTIONS.get(name);
	if (letters === undefined) return null;
	const read = readOptions(args, letters);
	return 'fault' in read ? read.fault : null;
}
