import type { BuiltIn, Call } from '#computer/shell/state/host.ts';

/** Arguments that make no sense to a command. */
export class UsageError extends Error {}

/** The options of one call, in the order in which they came, and what is no option. */
export class Options {
	constructor(
		readonly given: readonly { name: string; value: string }[],
		readonly operands: readonly string[]
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

	/** A whole number. @throws UsageError */
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

/** `i|ignore-case e|regexp= color=?`: names of one option joined by `|`; `=` takes a value, `=?` may. */
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
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			operands.push(...args.slice(index + 1));
			break;
		}
		if (!arg.startsWith('-') || arg === '-') {
			if (strict) {
				operands.push(...args.slice(index));
				break;
			}
			operands.push(arg);
			continue;
		}
		if (arg.startsWith('--')) {
			const at = arg.indexOf('=');
			const known = longOption(table, at < 0 ? arg.slice(2) : arg.slice(2, at));
			if (known.takes === 'value' && at < 0 && index + 1 >= args.length)
				throw new UsageError(`option '${arg}' requires an argument`);
			const value = at >= 0 ? arg.slice(at + 1) : known.takes === 'value' ? (args[++index] ?? '') : '';
			given.push({ name: known.name, value });
			continue;
		}
		for (let at = 1; at < arg.length; at++) {
			const letter = arg[at] ?? '';
			const known = table.get(letter);
			if (!known) throw new UsageError(`invalid option -- '${letter}'`);
			if (known.takes === 'nothing') {
				given.push({ name: known.name, value: '' });
				continue;
			}
			const rest = arg.slice(at + 1);
			if (rest === '' && known.takes === 'value' && index + 1 >= args.length)
				throw new UsageError(`option requires an argument -- '${letter}'`);
			given.push({ name: known.name, value: rest !== '' || known.takes === 'maybe' ? rest : (args[++index] ?? '') });
			break;
		}
	}
	return new Options(given, operands);
}

function longOption(table: Map<string, Known>, name: string): Known {
	const exact = name.length > 1 ? table.get(name) : undefined;
	if (exact) return exact;
	const starts = [...table].filter(([known]) => known.length > 1 && known.startsWith(name)).map(([, known]) => known);
	const [first] = starts;
	if (!first || starts.some((other) => other !== first)) throw new UsageError(`unrecognized option '--${name}'`);
	return first;
}

/** A utility whose options are read by `parseOptions`; wrong ones are reported and give `usageStatus`. */
export function utility(
	specification: string,
	run: (call: Call, options: Options) => number | Promise<number>,
	usageStatus = 1
): BuiltIn {
	return async (call) => {
		try {
			return await run(call, parseOptions(call.args, specification));
		} catch (error) {
			if (!(error instanceof UsageError)) throw error;
			await call.complain(error.message);
			return usageStatus;
		}
	};
}
