import { complain } from '../execution/script.ts';
import { quoteWord } from '../expansion/quote.ts';
import type { BuiltIn } from '../state/host.ts';
import { isSetOption, isShopt, optionOfLetter, SET_OPTIONS, SHOPT_NAMES } from '../state/options.ts';
import type { Shell } from '../state/shell.ts';
import { setLine } from './declare.ts';
import { listFunctions } from './functions.ts';
import { changedMode, modeText } from '../utilities/files/modes.ts';

/** Applies one `-eux`, `+e`, `-o pipefail` of `set` or of the shell's own command line. Returns how many words it took, 0 if none. */
export function applyOption(shell: Shell, words: readonly string[]): number {
	const [flag = '', value] = words;
	if (!/^[-+][a-zA-Z]+$/.test(flag)) return 0;
	const on = flag.startsWith('-');
	let taken = 1;
	for (const letter of flag.slice(1)) {
		if (letter === 'o') {
			if (value === undefined || !isSetOption(value)) return 0;
			shell.options[value] = on;
			taken = 2;
			continue;
		}
		const option = optionOfLetter(letter);
		if (!option) return 0;
		shell.options[option] = on;
	}
	return taken;
}

const set: BuiltIn = async (call) => {
	const { shell, args } = call;
	if (args.length === 0) {
		for (const name of shell.variables.names()) {
			const variable = shell.variables.described(name);
			if (variable) await call.out(setLine(name, variable));
		}
		if (!shell.options.posix) await call.out(listFunctions(shell));
		return 0;
	}
	let index = 0;
	while (index < args.length) {
		const word = args[index] ?? '';
		if (word === '--' || word === '-') {
			shell.positional = args.slice(index + 1);
			return 0;
		}
		if ((word === '-o' || word === '+o') && args[index + 1] === undefined) {
			const lines = Object.keys(SET_OPTIONS).filter(isSetOption).sort();
			await call.out(
				lines
					.map((name) =>
						word === '-o'
							? `${name.padEnd(15)}\t${shell.options[name] ? 'on' : 'off'}\n`
							: `set ${shell.options[name] ? '-' : '+'}o ${name}\n`
					)
					.join('')
			);
			return 0;
		}
		const taken = applyOption(shell, args.slice(index));
		if (taken === 0) {
			if (/^[-+]./.test(word)) {
				await call.complain(`${word === '-o' ? args[index + 1] : word}: invalid option${word === '-o' ? ' name' : ''}`);
				return 2;
			}
			shell.positional = args.slice(index);
			return 0;
		}
		index += taken;
	}
	return 0;
};

const shopt: BuiltIn = async (call) => {
	const { shell } = call;
	const flags = call.args.filter((arg) => /^-[supqo]+$/.test(arg)).join('');
	const names = call.args.filter((arg) => !arg.startsWith('-'));
	const on = (name: string) => (isShopt(name) ? shell.shopt.has(name) : isSetOption(name) && shell.options[name]);
	let status = 0;
	for (const name of names.length ? names : SHOPT_NAMES) {
		if (!isShopt(name) && !isSetOption(name)) {
			await call.complain(`${name}: invalid shell option name`);
			status = 1;
		} else if (/[su]/.test(flags) && names.length) {
			const value = flags.includes('s');
			if (isSetOption(name)) shell.options[name] = value;
			else if (value) shell.shopt.add(name);
			else shell.shopt.delete(name);
		} else {
			if (names.length && !on(name)) status = 1;
			if (!flags.includes('q')) await call.out(`${name.padEnd(15)}\t${on(name) ? 'on' : 'off'}\n`);
		}
	}
	return status;
};

const getopts: BuiltIn = async ({ shell, args, complain }) => {
	const [specification = '', name = 'opt', ...given] = args;
	const words = given.length ? given : shell.positional;
	const index = Number(shell.variables.get('OPTIND') ?? 1);
	const offset = Number(shell.variables.get('_OPTOFFSET') ?? 1);
	const word = words[index - 1];
	shell.variables.unset('OPTARG');
	const finish = (next: number) => {
		shell.variables.set('OPTIND', String(next));
		shell.variables.set('_OPTOFFSET', '1');
	};
	if (word === undefined || !/^-./.test(word) || word === '--') {
		if (word === '--') finish(index + 1);
		shell.variables.set(name, '?');
		return 1;
	}
	const letter = word[offset] ?? '';
	const silent = specification.startsWith(':');
	const at = letter === ':' ? -1 : specification.indexOf(letter, silent ? 1 : 0);
	const last = offset + 1 >= word.length;
	if (at < 0) {
		shell.variables.set(name, '?');
		if (silent) shell.variables.set('OPTARG', letter);
		else await complain(`illegal option -- ${letter}`);
	} else if (specification[at + 1] === ':') {
		const value = last ? words[index] : word.slice(offset + 1);
		if (value === undefined) {
			shell.variables.set(name, silent ? ':' : '?');
			if (silent) shell.variables.set('OPTARG', letter);
			else await complain(`option requires an argument -- ${letter}`);
			finish(index + 1);
			return 0;
		}
		shell.variables.set(name, letter);
		shell.variables.set('OPTARG', value);
		finish(index + (last ? 2 : 1));
		return 0;
	} else shell.variables.set(name, letter);
	if (last) finish(index + 1);
	else shell.variables.set('_OPTOFFSET', String(offset + 1));
	return 0;
};

const ulimit: BuiltIn = async (call) => {
	const { limits } = call.shell;
	let kinds = '';
	let resource = 'f';
	let at = 0;
	for (; /^-[a-zA-Z]+$/.test(call.args[at] ?? ''); at++) {
		for (const letter of (call.args[at] ?? '').slice(1)) {
			if (letter === 'S' || letter === 'H') kinds += letter;
			else resource = letter;
		}
	}
	if (/^-./.test(call.args[at] ?? '') && call.args[at] !== '--') {
		await call.complain(`${call.args[at]}: invalid option`);
		return 2;
	}
	const [text] = call.args.slice(call.args[at] === '--' ? at + 1 : at);
	const limit = limits.get(resource) ?? { soft: Infinity, hard: Infinity };
	const show = (value: number) => (value === Infinity ? 'unlimited' : String(value));
	if (text === undefined) {
		await call.out(`${show(kinds.includes('H') ? limit.hard : limit.soft)}\n`);
		return 0;
	}
	const value = text === 'unlimited' ? Infinity : text === 'hard' ? limit.hard : text === 'soft' ? limit.soft : /^\d+$/.test(text) ? Number(text) : NaN; // prettier-ignore
	if (Number.isNaN(value)) {
		await call.complain(`${text}: invalid number`);
		return 1;
	}
	const [setsSoft, setsHard] = [kinds === '' || kinds.includes('S'), kinds === '' || kinds.includes('H')];
	if (value > limit.hard) {
		await call.complain('cannot modify limit: Operation not permitted');
		return 1;
	}
	limits.set(resource, { soft: setsSoft ? value : limit.soft, hard: setsHard ? value : limit.hard });
	return 0;
};

/** Builtins for variables, options and aliases. */
export const settingBuiltins: Record<string, BuiltIn> = {
	set,
	shopt,
	getopts,
	unset: ({ shell, args }) => {
		const functions = args.includes('-f');
		let status = 0;
		for (const name of args.filter((arg) => !/^-[fvn]$/.test(arg))) {
			const element = /^(\w+)\[(.*)\]$/.exec(name);
			const variable = shell.variables.find(element?.[1] ?? name);
			if ((functions || !variable) && shell.readonlyFunctions.has(name)) {
				complain(shell, `unset: ${name}: cannot unset: readonly function`);
				status = 1;
			} else if (functions) shell.functions.delete(name);
			else if (element && variable?.associative)
				variable.associative.delete((element[2] ?? '').replace(/^(['"])(.*)\1$/, '$2'));
			else if (element) variable?.indexed?.delete(Number(element[2]));
			else if (!variable && shell.functions.has(name)) shell.functions.delete(name);
			else shell.variables.unset(name);
			if (!shell.functions.has(name)) shell.exportedFunctions.delete(name);
		}
		return status;
	},
	shift: ({ shell, args }) => {
		const count = Number(args[0] ?? 1);
		if (count > shell.positional.length) return 1;
		shell.positional = shell.positional.slice(count);
		return 0;
	},
	alias: async (call) => {
		const { shell, args } = call;
		const show = (name: string) => call.out(`alias ${name}=${quoteWord(shell.aliases.get(name) ?? '', true)}\n`);
		if (args.length === 0) for (const name of [...shell.aliases.keys()].sort()) await show(name);
		let status = 0;
		for (const arg of args.filter((one) => one !== '-p')) {
			const at = arg.indexOf('=');
			if (at > 0) shell.aliases.set(arg.slice(0, at), arg.slice(at + 1));
			else if (shell.aliases.has(arg)) await show(arg);
			else {
				await call.complain(`${arg}: not found`);
				status = 1;
			}
		}
		return status;
	},
	unalias: ({ shell, args }) => {
		if (args.includes('-a')) shell.aliases.clear();
		for (const name of args) shell.aliases.delete(name);
		return 0;
	},
	umask: async (call) => {
		const { shell, args } = call;
		const text = args.find((arg) => !/^-[Sp]$/.test(arg));
		if (text !== undefined) {
			const mode = /^[0-7]+$/.test(text) ? parseInt(text, 8) : changedMode(0o777 & ~shell.umask, text, true);
			if (mode === null) {
				await call.complain(`\`${text}': invalid symbolic mode operator`);
				return 1;
			}
			shell.umask = /^[0-7]+$/.test(text) ? mode & 0o777 : 0o777 & ~mode;
		} else if (args.includes('-S')) {
			const allowed = modeText({ kind: 'file', mode: 0o777 & ~shell.umask })
				.slice(1)
				.replaceAll('-', '.');
			const part = (at: number) => allowed.slice(at, at + 3).replaceAll('.', '');
			await call.out(`u=${part(0)},g=${part(3)},o=${part(6)}\n`);
		} else await call.out(`${args.includes('-p') ? 'umask ' : ''}${shell.umask.toString(8).padStart(4, '0')}\n`);
		return 0;
	},
	ulimit,
	times: async (call) => {
		await call.out('0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n');
		return 0;
	},
	hash: () => 0
};
