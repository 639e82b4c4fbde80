import { encode } from '#computer/process/text.ts';
import type { BuiltIn, Call } from '#computer/shell/state/host.ts';

/** Arguments are invalid for a command. */
export class UsageError extends Error {
	/**
	 * @param showsHint whether `Try 'NAME --help'` follows: for an error in the form of the command line, not in an
	 * option's value
	 */
	constructor(
		message: string,
		readonly showsHint = FORM_ERRORS.test(message),
		/** Exit status, if it differs from that of the command's other usage errors. */
		readonly status?: number
	) {
		super(message);
	}
}

/**
 * Thrown for `--help` or `--version`, if a command's specification has none; other users of the parser treat it as a
 * usage error.
 */
class AskedAboutItself extends UsageError {
	constructor(readonly option: 'help' | 'version') {
		super(`unrecognized option '--${option}'`);
	}
}

const FORM_ERRORS = /^(?:(?:missing|extra) .*operand|(?:un\w+ |invalid )?option |you must specify|cannot combine )/;

/** Options of one call in the given order, and its operands. */
export class Options {
	constructor(
		readonly given: readonly { name: string; value: string }[],
		readonly operands: readonly string[],
		/** Options and operands in the given order; an operand has no name. */
		readonly order: readonly { name: string | null; value: string }[] = given
	) {}

	has(...names: string[]): boolean {
		return this.given.some((option) => names.includes(option.name));
	}

	/** The last value of an option. */
	get(name: string): string | undefined {
		return this.given.findLast((option) => option.name === name)?.value;
	}

	all(name: string): string[] {
		return this.given.filter((option) => option.name === name).map((option) => option.value);
	}

	/** Returns the last given of these options. */
	last(...names: string[]): string | undefined {
		return this.given.findLast((option) => names.includes(option.name))?.name;
	}

	/** Integer value of an option. @throws UsageError */
	number(name: string, otherwise: number): number {
		const text = this.get(name);
		if (text === undefined) return otherwise;
		if (!/^[-+]?\d+$/.test(text)) throw new UsageError(`invalid number: '${text}'`);
		return Number(text);
	}
}

interface Known {
	name: string;
	takes: 'nothing' | 'value' | 'maybe';
}

const tables = new Map<string, Map<string, Known>>();

/**
 * Parses `i|ignore-case e|regexp= color=?`: names of one option joined by `|`; `=` requires a value, `=?` allows one.
 */
function tableOf(specification: string): Map<string, Known> {
	let table = tables.get(specification);
	if (table) return table;
	table = new Map();
	for (const entry of specification.split(/\s+/).filter(Boolean)) {
		const [, names = '', mark] = /^(.*?)(=\??)?$/.exec(entry) ?? [];
		const [name = '', ...others] = names.split('|');
		const known: Known = { name, takes: mark === '=' ? 'value' : mark === '=?' ? 'maybe' : 'nothing' };
		for (const one of [name, ...others]) table.set(one, known);
	}
	tables.set(specification, table);
	return table;
}

/**
 * Parses arguments like GNU's commands: options may be anywhere, short ones combined, long ones abbreviated.
 * @param specification see `tableOf`; a leading `+` ends the options at the first operand
 * @throws UsageError
 */
export function parseOptions(args: readonly string[], specification: string): Options {
	const strict = specification.startsWith('+');
	const table = tableOf(strict ? specification.slice(1) : specification);
	const given: { name: string; value: string }[] = [];
	const operands: string[] = [];
	const order: { name: string | null; value: string }[] = [];
	const operand = (...values: string[]) => {
		operands.push(...values);
		for (const value of values) order.push({ name: null, value });
	};
	const option = (name: string, value: string) => {
		given.push({ name, value });
		order.push({ name, value });
	};
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			operand(...args.slice(index + 1));
			break;
		}
		if (!arg.startsWith('-') || arg === '-') {
			if (strict) {
				operand(...args.slice(index));
				break;
			}
			operand(arg);
			continue;
		}
		if (arg.startsWith('--')) {
			const at = arg.indexOf('=');
			const known = longOption(table, at < 0 ? arg.slice(2) : arg.slice(2, at));
			if (known.takes === 'value' && at < 0 && index + 1 >= args.length)
				throw new UsageError(`option '--${longName(table, known)}' requires an argument`);
			if (known.takes === 'nothing' && at >= 0)
				throw new UsageError(`option '--${longName(table, known)}' doesn't allow an argument`);
			const value = at >= 0 ? arg.slice(at + 1) : known.takes === 'value' ? (args[++index] ?? '') : '';
			option(known.name, value);
			continue;
		}
		for (let at = 1; at < arg.length; at++) {
			const letter = arg[at] ?? '';
			const known = table.get(letter);
			if (!known) throw new UsageError(`invalid option -- '${letter}'`);
			if (known.takes === 'nothing') {
				option(known.name, '');
				continue;
			}
			const rest = arg.slice(at + 1);
			if (rest === '' && known.takes === 'value' && index + 1 >= args.length)
				throw new UsageError(`option requires an argument -- '${letter}'`);
			option(known.name, rest !== '' || known.takes === 'maybe' ? rest : (args[++index] ?? ''));
			break;
		}
	}
	return new Options(given, operands, order);
}

function longOption(table: Map<string, Known>, name: string): Known {
	const exact = name.length > 1 ? table.get(name) : undefined;
	if (exact) return exact;
	if (name === 'help' || name === 'version') throw new AskedAboutItself(name);
	const starts = [...table].filter(([known]) => known.length > 1 && known.startsWith(name));
	const [first] = starts;
	if (!first) throw new UsageError(`unrecognized option '--${name}'`);
	if (starts.every(([, known]) => known === first[1])) return first[1];
	const possible = starts.map(([known]) => `'--${known}'`).join(' ');
	throw new UsageError(`option '--${name}' is ambiguous; possibilities: ${possible}`);
}

const longName = (table: Map<string, Known>, wanted: Known): string =>
	[...table].find(([name, known]) => known === wanted && name.length > 1)?.[0] ?? wanted.name;

/** Help text of a command, made from its options. */
function help(name: string, specification: string): string {
	const marks = { nothing: '', value: '=VALUE', maybe: '[=VALUE]' };
	const names = new Map<Known, string[]>();
	for (const [option, known] of tableOf(specification.replace(/^\+/, '')))
		names.set(known, [
			...(names.get(known) ?? []),
			option.length > 1 ? `--${option}${marks[known.takes]}` : `-${option}`
		]);
	const lines = [...names.values()].map((options) => `  ${options.join(', ')}\n`);
	return `Usage: ${name} [OPTION]... [ARGUMENT]...\n\n${lines.join('')}  --help\n  --version\n`;
}

/** Versions reported by GNU commands that are not part of coreutils. */
const VERSIONS: Readonly<Record<string, string>> = {
	gzip: 'gzip 1.12',
	...Object.fromEntries(
		['zcmp', 'zdiff', 'zegrep', 'zfgrep', 'zforce', 'zgrep', 'zless', 'zmore', 'znew'].map((name) => [
			name,
			`${name} (gzip) 1.12`
		])
	),
	grep: 'grep (GNU grep) 3.8',
	egrep: 'grep (GNU grep) 3.8',
	fgrep: 'grep (GNU grep) 3.8',
	sed: 'sed (GNU sed) 4.9',
	find: 'find (GNU findutils) 4.9.0',
	xargs: 'xargs (GNU findutils) 4.9.0',
	cmp: 'cmp (GNU diffutils) 3.8',
	diff: 'diff (GNU diffutils) 3.8',
	diff3: 'diff3 (GNU diffutils) 3.8',
	sdiff: 'sdiff (GNU diffutils) 3.8',
	patch: 'GNU patch 2.7.6',
	bc: 'bc 1.07.1'
};

const versionOf = (name: string): string => VERSIONS[name] ?? `${name} (GNU coreutils) 9.1`;

/** Commands that print their name before the hint too. */
const NAMES_ITSELF = /^(?:cmp|s?diff|diff3)$/;

const hint = (name: string) => (name === 'gzip' ? "Try `gzip --help' for more information.\n" : usualHint(name));

const usualHint = (name: string) =>
	`${NAMES_ITSELF.test(name) ? `${name}: ` : ''}Try '${name} --help' for more information.\n`;

/** Makes a command whose options are read by `parseOptions`; usage errors are reported and return `usageStatus`. */
export function utility(
	specification: string,
	run: (call: Call, options: Options) => number | Promise<number>,
	usageStatus = 1
): BuiltIn {
	return async (call) => {
		try {
			return await run(call, parseOptions(call.args, specification));
		} catch (error) {
			if (error instanceof AskedAboutItself) {
				await call.out(error.option === 'help' ? help(call.name, specification) : `${versionOf(call.name)}\n`);
				return 0;
			}
			if (!(error instanceof UsageError)) throw error;
			await call.complain(error.message);
			if (error.showsHint) await call.shell.descriptors.get(2)?.write(encode(hint(call.name)));
			return error.status ?? usageStatus;
		}
	};
}
