import { arrayKey, placeOf } from '../expansion/parameter.ts';
import { quoteWord } from '../expansion/quote.ts';
import { BadSubscript, ShellError } from '../state/control.ts';
import type { BuiltIn } from '../state/host.ts';
import {
	isSetOption,
	isShopt,
	optionOfLetter,
	SET_OPTIONS,
	SHOPT_NAMES,
	type SetOption,
	type SetOptions
} from '../state/options.ts';
import { setPosixMode } from '../state/posix-mode.ts';
import { restrict } from '../state/restricted.ts';
import type { Shell } from '../state/shell.ts';
import { ReadonlyVariable } from '../state/variables.ts';
import { setLine } from './declare.ts';
import { listedVariables } from './listed-variables.ts';
import { hash } from './hash.ts';
import { listFunctions } from './functions.ts';
import { encode } from '#computer/process/text.ts';
import { usageOf } from './usage.ts';
import { tooManyArguments } from './too-many-arguments.ts';
import { umask } from './umask.ts';

/**
 * Applies one `-eux`, `+e`, `-o pipefail` of `set` or of the shell's own command line. Returns the number of words
 * consumed, 0 if it is not an option.
 */
export function applyOption(shell: Shell, words: readonly string[]): number {
	const [flag = ''] = words;
	if (!/^[-+][a-zA-Z]+$/.test(flag)) return 0;
	const on = flag.startsWith('-');
	let taken = 1;
	for (const letter of flag.slice(1)) {
		if (letter === 'o') {
			const next = words[taken];
			if (next === undefined || !isSetOption(next)) return 0;
			setOption(shell, next, on);
			taken++;
			continue;
		}
		if (letter === 'r' && on) {
			restrict(shell);
			continue;
		}
		const option = optionOfLetter(letter);
		if (!option) return 0;
		setOption(shell, option, on);
	}
	return taken;
}

const set: BuiltIn = async (call) => {
	const { shell, args } = call;
	if (args.length === 0) {
		for (const [name, variable] of listedVariables(shell)) await call.out(setLine(name, variable));
		if (!shell.options.posix) await call.out(listFunctions(shell));
		return 0;
	}
	let index = 0;
	while (index < args.length) {
		const word = args[index] ?? '';
		if (word === '--') {
			shell.positional = args.slice(index + 1);
			return 0;
		}
		if (word === '-') {
			shell.options.xtrace = shell.options.verbose = false;
			if (index + 1 < args.length) shell.positional = args.slice(index + 1);
			return 0;
		}
		if (word === '+') {
			index++;
			continue;
		}
		if ((word === '-o' || word === '+o') && args[index + 1] === undefined) {
			const lines = Object.keys(SET_OPTIONS).filter(isSetOption).sort();
			await call.out(
				lines
					.map((name) =>
						word === '-o'
							? `${name.padEnd(15)}\t${isOptionOn(shell, name) ? 'on' : 'off'}\n`
							: `set ${isOptionOn(shell, name) ? '-' : '+'}o ${name}\n`
					)
					.join('')
			);
			return 0;
		}
		const taken = applyOption(shell, args.slice(index));
		if (taken === 0) {
			if (/^[-+]./.test(word)) {
				const isNamed = word === '-o' || word === '+o';
				await call.complain(
					isNamed ? `${args[index + 1]}: invalid option name` : `${word.slice(0, 2)}: invalid option`
				);
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
	let flags = '';
	let at = 0;
	for (; /^-[supqo]+$/.test(call.args[at] ?? ''); at++) flags += call.args[at];
	if (/^-[^-]/.test(call.args[at] ?? '')) {
		await call.complain(`-${call.args[at]?.replace(/[-supqo]/g, '').charAt(0)}: invalid option`);
		return 2;
	}
	const given = call.args.slice(call.args[at] === '--' ? at + 1 : at);
	const ofSet = flags.includes('o');
	const isKnown = ofSet ? isSetOption : isShopt;
	const isOn = (name: string) =>
		ofSet ? isSetOption(name) && isOptionOn(shell, name) : isShopt(name) && shell.shopt.has(name);
	const show = (name: string) => {
		const on = isOn(name);
		if (!flags.includes('p')) return `${name.padEnd(15)}\t${on ? 'on' : 'off'}\n`;
		return ofSet ? `set ${on ? '-' : '+'}o ${name}\n` : `shopt -${on ? 's' : 'u'} ${name}\n`;
	};
	const change = /[su]/.exec(flags)?.[0];
	if (flags.includes('s') && flags.includes('u')) {
		await call.complain('cannot set and unset shell options simultaneously');
		return 1;
	}
	let status = 0;
	if (given.length === 0) {
		const names = ofSet ? Object.keys(SET_OPTIONS).sort() : [...SHOPT_NAMES];
		const wanted = names.filter((name) => change === undefined || isOn(name) === (change === 's'));
		if (!flags.includes('q')) await call.out(wanted.map(show).join(''));
		return 0;
	}
	for (const name of given) {
		if (!isKnown(name)) {
			await call.complain(`${name}: invalid ${ofSet ? '' : 'shell '}option name`);
			status = 1;
		} else if (change !== undefined) {
			if (ofSet) setOption(shell, name, change === 's');
			else if (isShopt(name)) shell.shopt[change === 's' ? 'add' : 'delete'](name);
		} else {
			if (!isOn(name)) status = 1;
			if (!flags.includes('q')) await call.out(show(name));
		}
	}
	return status;
};

/** Returns whether an option of `set -o` is on. IGNOREEOF is equivalent to its variable. */
export const isOptionOn = (shell: Shell, name: SetOption): boolean =>
	name === 'ignoreeof' ? shell.variables.get('IGNOREEOF') !== undefined : shell.options[name];

/** Restores options, with their side effects. */
export function restoreOptions(shell: Shell, options: SetOptions): void {
	for (const name of ['ignoreeof', 'posix'] as const)
		if (options[name] !== isOptionOn(shell, name)) setOption(shell, name, options[name]);
	shell.options = { ...options };
}

/** Turns an option on or off, with its side effects; the two editing modes exclude each other. */
export function setOption(shell: Shell, name: string, on: boolean): void {
	if (!isSetOption(name)) return;
	shell.options[name] = on;
	if (name === 'ignoreeof') {
		if (!on) shell.variables.unset('IGNOREEOF');
		else if (!isOptionOn(shell, name)) shell.variables.set('IGNOREEOF', '10');
	}
	if (name === 'posix') setPosixMode(shell, on);
	if (on && name === 'vi') shell.options.emacs = false;
	if (on && name === 'emacs') shell.options.vi = false;
}

/** Sets OPTARG, or removes it, which not even `readonly` prevents. */
function setArgument(shell: Shell, value: string | undefined): void {
	try {
		if (value !== undefined) return shell.variables.set('OPTARG', value);
		const variable = shell.variables.raw('OPTARG');
		if (variable) variable.readonly = false;
		shell.variables.unsetRaw('OPTARG');
	} catch (error) {
		if (!(error instanceof ReadonlyVariable)) throw error;
		shell.complain(error.message);
	}
}

const getopts: BuiltIn = async ({ shell, args: written, complain }) => {
	const args = written[0] === '--' ? written.slice(1) : written;
	if (args === written && /^-./.test(written[0] ?? '')) {
		await complain(`${written[0]?.slice(0, 2)}: invalid option`);
		return 2;
	}
	const [specification = '', name, ...given] = args;
	if (name === undefined) {
		await shell.descriptors.get(2)?.write(encode(usageOf('getopts')));
		return 2;
	}
	/** Complains about the script's options: under the script's name, and unless OPTERR is 0. */
	const complainOfOption = async (text: string) => {
		if (shell.variables.get('OPTERR') !== '0')
			await shell.descriptors.get(2)?.write(encode(`${shell.name}: ${text}\n`));
	};
	const words = given.length ? given : shell.positional;
	const isName = /^[A-Za-z_]\w*$/.test(name);
	/** Sets the variable. An invalid name only fails now, when the option has been consumed. */
	const assign = async (value: string): Promise<number> => {
		if (isName) shell.variables.set(name, value);
		else await complain(`\`${name}': not a valid identifier`);
		return isName ? 0 : 1;
	};
	const stored = Number(shell.variables.get('OPTIND') ?? 1) || 1;
	const index = Math.min(stored, words.length + 1);
	if (shell.variables.get('OPTIND') !== String(index)) shell.variables.set('OPTIND', String(index));
	const offset = Number(shell.variables.get('_OPTOFFSET') ?? 1);
	const word = words[index - 1];
	const finish = (next: number) => {
		shell.variables.set('OPTIND', String(next));
		shell.variables.set('_OPTOFFSET', '1');
	};
	if (word === undefined || !/^-./.test(word) || word === '--') {
		if (word === '--') finish(index + 1);
		setArgument(shell, undefined);
		await assign('?');
		return 1;
	}
	const letter = word[offset] ?? '';
	const silent = specification.startsWith(':');
	const at = letter === ':' ? -1 : specification.indexOf(letter, silent ? 1 : 0);
	const last = offset + 1 >= word.length;
	let status = 0;
	if (at < 0) {
		status = await assign('?');
		setArgument(shell, silent ? letter : undefined);
		if (!silent) await complainOfOption(`illegal option -- ${letter}`);
	} else if (specification[at + 1] === ':') {
		const value = last ? words[index] : word.slice(offset + 1);
		if (value === undefined) {
			setArgument(shell, silent ? letter : undefined);
			if (!silent) await complainOfOption(`option requires an argument -- ${letter}`);
			finish(index + 1);
			return assign(silent ? ':' : '?');
		}
		setArgument(shell, value);
		finish(index + (last ? 2 : 1));
		return assign(letter);
	} else {
		setArgument(shell, undefined);
		status = await assign(letter);
	}
	if (last) finish(index + 1);
	else shell.variables.set('_OPTOFFSET', String(offset + 1));
	return status;
};

/** Resources whose limit is in kibibytes. */
const UNITS = new Set(['c', 'd', 'f', 'l', 'm', 's', 'v']);

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
	// Sizes are in units of 1,024 bytes, and their number of bytes must fit into 64 bits.
	if (/^\d+$/.test(text) && BigInt(text) * (UNITS.has(resource) ? 1024n : 1n) >= 2n ** 64n) {
		await call.complain(`${text}: limit out of range`);
		return 1;
	}
	const value =
		text === 'unlimited'
			? Infinity
			: text === 'hard'
				? limit.hard
				: text === 'soft'
					? limit.soft
					: /^\d+$/.test(text)
						? Number(text)
						: NaN;
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

const unset: BuiltIn = async ({ shell, args, complain }) => {
	let flags = '';
	let at = 0;
	for (; /^-[fvn]+$/.test(args[at] ?? ''); at++) flags += args[at];
	if (args[at] === '--') at++;
	if (flags.includes('f') && flags.includes('v')) {
		await complain('cannot simultaneously unset a function and a variable');
		return 1;
	}
	let status = 0;
	for (const name of args.slice(at)) {
		try {
			status = (await unsetOne(shell, name, flags)) || status;
		} catch (error) {
			if (!(error instanceof ReadonlyVariable) && !(error instanceof ShellError)) throw error;
			if (error instanceof BadSubscript) await complain(`[${placeOf(name).subscript}]: bad array subscript`);
			else
				await complain(
					error instanceof ShellError ? error.message : `${error.variable}: cannot unset: readonly variable`
				);
			status = 1;
		}
	}
	return status;
};

/** Version of bash selected by BASH_COMPAT, without its point: 51. */
const compatibility = (shell: Shell): number =>
	Number((shell.variables.get('BASH_COMPAT') ?? '').replace('.', '')) || 52;

async function unsetOne(shell: Shell, name: string, flags: string): Promise<number> {
	const { variables } = shell;
	if (flags.includes('n')) {
		variables.unsetRaw(name);
		return 0;
	}
	const place = placeOf(flags.includes('f') ? name : variables.resolve(name));
	const variable = variables.find(place.name);
	if (place.subscript !== null && !flags.includes('f')) {
		if (!variable) return 0;
		if (variable.readonly) throw new ReadonlyVariable(place.name);
		const isArray = variable.indexed !== undefined || variable.associative !== undefined;
		const isWhole = /^[@*]$/.test(place.subscript);
		if (!isArray && (isWhole || (await arrayKey(shell, place.name, place.subscript)) !== 0)) {
			shell.complain(`unset: ${place.name}: not an array variable`);
			return 1;
		}
		if (variable.indexed && isWhole && compatibility(shell) <= 51) variables.unset(place.name);
		else if (variable.indexed && isWhole) variable.indexed.clear();
		else {
			const key = await arrayKey(shell, place.name, place.subscript);
			if (variable.associative) variable.associative.delete(String(key));
			else if (variable.indexed) variable.indexed.delete(Number(key));
			else variables.unset(place.name);
		}
		return 0;
	}
	const isFunction = flags.includes('f') || (!flags.includes('v') && !variable && shell.functions.has(name));
	if (isFunction && shell.readonlyFunctions.has(name)) {
		shell.complain(`unset: ${name}: cannot unset: readonly function`);
		return 1;
	}
	if (isFunction) {
		shell.functions.delete(name);
		shell.exportedFunctions.delete(name);
		shell.tracedFunctions.delete(name);
		return 0;
	}
	if (!/^[A-Za-z_]\w*$/.test(name)) {
		// Without -v it could be the name of a function.
		if (!flags.includes('v')) return 0;
		shell.complain(`unset: \`${name}': not a valid identifier`);
		return 1;
	}
	variables.unset(name);
	return 0;
}

/** Builtins for variables, options and aliases. */
export const settingBuiltins: Record<string, BuiltIn> = {
	set,
	shopt,
	getopts,
	unset,
	shift: async ({ shell, args, complain }) => {
		const [count = '1', ...more] = args[0] === '--' ? args.slice(1) : args;
		if (!/^[-+]?\d+$/.test(count)) {
			await complain(`${count}: numeric argument required`);
			return 1;
		}
		if (more.length > 0) return tooManyArguments(shell, complain);
		const isVerbose = shell.shopt.has('shift_verbose') || shell.options.posix || Number(count) < 0;
		if (Number(count) > shell.positional.length || Number(count) < 0) {
			if (isVerbose) await complain(`${count}: shift count out of range`);
			return 1;
		}
		shell.positional = shell.positional.slice(Number(count));
		return 0;
	},
	alias: async (call) => {
		const { shell } = call;
		const head = shell.options.posix && call.args[0] !== '-p' ? '' : 'alias ';
		const show = (name: string) => call.out(`${head}${name}=${quoteWord(shell.aliases.get(name) ?? '', true)}\n`);
		const args = call.args.filter((one, index) => !(index === 0 && (one === '-p' || one === '--')));
		if (args.length === 0 || call.args[0] === '-p')
			for (const name of [...shell.aliases.keys()].sort()) await show(name);
		let status = 0;
		for (const arg of args) {
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
	unalias: async ({ shell, args, complain }) => {
		if (args.length === 0) {
			await shell.descriptors.get(2)?.write(encode(usageOf('unalias')));
			return 2;
		}
		if (args[0] === '-a') shell.aliases.clear();
		let status = 0;
		for (const name of args.filter((arg, index) => index > 0 || (arg !== '-a' && arg !== '--'))) {
			if (shell.aliases.delete(name)) continue;
			await complain(`${name}: not found`);
			status = 1;
		}
		return status;
	},
	umask,
	hash,
	ulimit,
	times: async (call) => {
		await call.out('0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n');
		return 0;
	}
};
