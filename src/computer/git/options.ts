import { fatal, GitError } from './errors.ts';

/**
 * Options of a command: property → its spellings, then `=` if it takes a value, `?` if the value is optional
 * (only attached: `--stat=80`, `-M50`), `=?` if it is optional as the last argument. With `!`, the `--no-` form
 * resets values given before.
 */
export type OptionSpec = Record<string, string>;

/** Thrown if the usage is requested: it goes to stdout, with the exit code of a usage error. */
export class UsageAsked extends Error {
	override readonly name = 'UsageAsked';
}

/** Parsed arguments. */
export class Options<Name extends string> {
	readonly operands: string[] = [];
	/** Arguments after `--`; null without `--`. */
	paths: string[] | null = null;
	readonly #given = new Map<string, string[]>();
	readonly #takenBack = new Set<string>();
	#order: { name: string; value: string }[] = [];

	has(name: Name): boolean {
		return this.#given.has(name);
	}

	/** Returns whether `--no-` reset the option, so that settings do not apply either. */
	isTakenBack(name: Name): boolean {
		return this.#takenBack.has(name);
	}

	/** Last value given. */
	get(name: Name): string | undefined {
		return this.#given.get(name)?.at(-1);
	}

	all(name: Name): string[] {
		return this.#given.get(name) ?? [];
	}

	/** Last one given of several options. */
	latest<Asked extends Name>(...names: readonly Asked[]): Asked | undefined {
		return this.inOrder(...names).at(-1)?.name;
	}

	/** Several options with their values, in the order given. */
	inOrder<Asked extends Name>(...names: readonly Asked[]): { name: Asked; value: string }[] {
		return this.#order.flatMap(({ name, value }) => {
			const found = names.find((one) => one === name);
			return found === undefined ? [] : [{ name: found, value }];
		});
	}

	add(name: string, value: string): void {
		this.#order.push({ name, value });
		this.#given.set(name, [...(this.#given.get(name) ?? []), value]);
	}

	takeBack(name: string): void {
		this.#order = this.#order.filter((one) => one.name !== name);
		this.#given.delete(name);
		this.#takenBack.add(name);
	}
}

/**
 * Parses a command's arguments. An unknown option is an error with exit code 129, as in git.
 * @param usage name of the command, for the message
 */
export function parseOptions<Spec extends OptionSpec>(
	usage: string,
	args: readonly string[],
	spec: Spec
): Options<keyof Spec & string> {
	if (args.length === 1 && args[0] === '-h') throw new UsageAsked(`usage: git ${usage}\n`);
	const known = new Map<string, { name: string; takes: string }>();
	for (const [name, text] of Object.entries(spec)) {
		const words = text.split(' ');
		const takes = words.find((word) => /^[=?]+$/.test(word)) ?? '';
		for (const word of words) {
			if (word !== takes && word !== '!') known.set(word, { name, takes });
			if (word.startsWith('--') && words.includes('!')) known.set(`--no-${word.slice(2)}`, { name, takes: '!' });
		}
	}
	const options = new Options<keyof Spec & string>();
	const left = [...args];
	const value = (spelling: string): string => {
		const next = left.shift();
		if (next === undefined) throw new GitError(`error: ${describe(spelling)} requires a value`, 129);
		return next;
	};
	for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
		if (arg === '--') {
			options.paths = left.splice(0);
		} else if (arg === '--end-of-options') {
			const end = left.indexOf('--');
			options.operands.push(...left.splice(0, end < 0 ? left.length : end));
		} else if (arg.startsWith('--')) {
			const equals = arg.indexOf('=');
			const spelling = equals < 0 ? arg : arg.slice(0, equals);
			const option = known.get(spelling) ?? abbreviated(known, spelling);
			if (!option || (equals >= 0 && /^!?$/.test(option.takes)))
				throw unknown(usage, arg, equals >= 0 ? option : undefined);
			if (equals >= 0) options.add(option.name, arg.slice(equals + 1));
			else if (option.takes === '!') options.takeBack(option.name);
			else if (option.takes === '=?') options.add(option.name, left.shift() ?? '');
			else options.add(option.name, option.takes === '=' ? value(spelling) : '');
		} else if (arg.startsWith('-') && arg !== '-') {
			readLetters(arg, usage, known, options, value);
		} else options.operands.push(arg);
	}
	return options;
}

type Known = Map<string, { name: string; takes: string }>;

function readLetters(
	arg: string,
	usage: string,
	known: Known,
	options: { add(name: string, value: string): void },
	value: (spelling: string) => string
): void {
	const whole = known.get('-<number>');
	if (whole && /^-\d+$/.test(arg)) return options.add(whole.name, arg.slice(1));
	for (let i = 1; i < arg.length; i++) {
		const spelling = `-${arg[i]}`;
		const option = known.get(spelling);
		if (!option) throw unknown(usage, spelling);
		const rest = arg.slice(i + 1);
		if (option.takes === '') {
			options.add(option.name, '');
			continue;
		}
		return options.add(option.name, rest !== '' || option.takes === '?' ? rest : value(spelling));
	}
}

function abbreviated(known: Known, spelling: string) {
	if (spelling.length < 4) return undefined;
	const names = new Set([...known].filter(([word]) => word.startsWith(spelling)).map(([, option]) => option));
	return new Set([...names].map(({ name }) => name)).size === 1 ? [...names][0] : undefined;
}

function unknown(usage: string, arg: string, noValue?: { name: string }): GitError {
	if (noValue) return new GitError(`error: option \`${arg.slice(2).split('=')[0]}' takes no value`, 129);
	return new GitError(`error: unknown ${describe(arg)}\nusage: git ${usage}`, 129);
}

const describe = (arg: string) => (arg.startsWith('--') ? `option \`${arg.slice(2)}'` : `switch \`${arg.slice(1)}'`);

/** @throws GitError for two options that exclude each other. @param pairs their names and spellings */
export function refuseTogether<Name extends string>(
	options: Options<Name>,
	pairs: readonly (readonly [first: Name, second: Name, one: string, other: string])[]
): void {
	for (const [first, second, one, other] of pairs)
		if (options.has(first) && options.has(second))
			throw fatal(`options '${one}' and '${other}' cannot be used together`);
}
