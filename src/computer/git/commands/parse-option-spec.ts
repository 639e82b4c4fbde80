import { fatal, GitError } from '../errors.ts';

/** Option of a script, from its specification. */
interface SpecOption {
	short: string;
	long: string;
	takes: 'nothing' | 'value' | 'maybe';
	/** Name of its value; null for the default, `...`. */
	hint: string | null;
	help: string;
	isHidden: boolean;
	/** The option cannot be negated with `--no-`. */
	isFixed: boolean;
}

/** Line of the usage. */
type SpecLine = SpecOption | { title: string };

/** Specification of a script's options (git-rev-parse(1), "PARSEOPT"). */
export interface OptionSpecification {
	usage: string[];
	blurb: string[];
	lines: SpecLine[];
}

export interface ParseHow {
	keepsDashes: boolean;
	stopsAtOperand: boolean;
	/** Prints options in their long form, with values attached. */
	isLong: boolean;
}

const COLUMN = 26;
const FLAGS = /[*=?!]/;

/** Parses a specification. @throws GitError if it is malformed */
export function readSpecification(lines: readonly string[]): OptionSpecification {
	const end = lines.indexOf('--');
	if (end < 0) throw fatal('premature end of input');
	if (end === 0) throw fatal("no usage string given before the `--' separator");
	const head = lines.slice(0, end);
	const gap = head.indexOf('');
	const rows = lines.slice(end + 1).flatMap((line): SpecLine[] => (line === '' ? [] : [specLine(line)]));
	return { usage: gap < 0 ? head : head.slice(0, gap), blurb: gap < 0 ? [] : head.slice(gap + 1), lines: rows };
}

function specLine(line: string): SpecLine {
	const space = line.search(/\s/);
	// A line that begins with a space or has no help text is a title.
	if (space <= 0) return { title: line.trim() };
	const spec = line.slice(0, space);
	const help = line.slice(space).trimStart();
	const flagAt = spec.search(FLAGS);
	const names = flagAt < 0 ? spec : spec.slice(0, flagAt);
	if (names === '') throw fatal('missing opt-spec before option flags');
	const [, flags = '', hint = ''] = /^([*=?!]*)(.*)$/s.exec(flagAt < 0 ? '' : spec.slice(flagAt)) ?? [];
	const [first = '', second] = names.split(',', 2);
	const short = first.length === 1 ? first : '';
	return {
		short,
		long: short === '' ? first : (second ?? ''),
		takes: flags.includes('=') ? 'value' : flags.includes('?') ? 'maybe' : 'nothing',
		hint: hint === '' ? null : hint,
		help,
		isHidden: flags.includes('*'),
		isFixed: flags.includes('!')
	};
}

/** Usage text of a script. */
function specifiedUsage({ usage, blurb, lines }: OptionSpecification, showsHidden = false): string {
	const head = usage.map((line, i) => `${i === 0 ? 'usage: ' : '   or: '}${line.trimEnd()}\n`);
	const text = blurb.length === 0 ? [] : ['\n', ...blurb.map((line) => (line === '' ? '\n' : `    ${line}\n`))];
	const rows = lines.flatMap((line) => {
		if ('title' in line) return [`\n${line.title}\n`];
		return line.isHidden && !showsHidden ? [] : [usageRow(line)];
	});
	const gap = rows.length > 0 && !rows[0]!.startsWith('\n') ? '\n' : '';
	return `${[...head, ...text, gap, ...rows].join('')}\n`;
}

function usageRow(option: SpecOption): string {
	const { short, long, takes, help } = option;
	const names = [...(short === '' ? [] : [`-${short}`]), ...(long === '' ? [] : [`--${long}`])].join(', ');
	const shown = `    ${names}${takes === 'nothing' ? '' : shownHint(option)}`;
	const [first = '', ...more] = help.split('\n');
	const start = shown.length < COLUMN ? shown.padEnd(COLUMN) : `${shown}\n${' '.repeat(COLUMN)}`;
	return `${start}${[first, ...more.map((line) => ' '.repeat(COLUMN) + line)].join('\n')}\n`;
}

function shownHint({ takes, hint, long }: SpecOption): string {
	const isLiteral = hint !== null && /[()<>[\]|]/.test(hint);
	const value = hint === null ? '...' : isLiteral ? hint : `<${hint}>`;
	if (takes === 'value') return ` ${value}`;
	return long === '' ? `[${value}]` : `[=${value}]`;
}

/** Returns normalized arguments as a shell `set` command: the options in one form, `--`, and the operands. */
export function normalizedArguments(
	specification: OptionSpecification,
	args: readonly string[],
	how: ParseHow
): string {
	const options = specification.lines.flatMap((line) => ('title' in line ? [] : [line]));
	const reader = new ArgumentReader(specification, options, how);
	return reader.read(args);
}

class ArgumentReader {
	readonly #found: string[] = [];
	readonly #operands: string[] = [];

	constructor(
		private readonly specification: OptionSpecification,
		private readonly options: readonly SpecOption[],
		private readonly how: ParseHow
	) {}

	read(args: readonly string[]): string {
		const left = [...args];
		for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
			if (arg === '--' || arg === '--end-of-options') {
				if (this.how.keepsDashes && arg === '--') this.#operands.push(arg);
				this.#operands.push(...left.splice(0));
			} else if (arg.startsWith('--')) this.#long(arg.slice(2), left);
			else if (arg.startsWith('-') && arg !== '-') this.#letters(arg.slice(1), left);
			else if (this.how.stopsAtOperand) this.#operands.push(arg, ...left.splice(0));
			else this.#operands.push(arg);
		}
		const operands = this.#operands.map((text) => ` ${quoted(text)}`);
		return `set --${this.#found.join('')} --${operands.join('')}\n`;
	}

	#long(text: string, left: string[]): void {
		const [, name = text, value] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
		if (name === 'help-all') throw new GitError(specifiedUsage(this.specification, true), 129, 'help');
		const found = this.#named(name);
		if (!found && name === 'help') throw new GitError(specifiedUsage(this.specification), 129, 'help');
		if (!found) throw this.#wrong(`unknown option \`${text}'`);
		const { option, isTakenBack } = found;
		if (option.long === 'help' && option.short === 'h')
			throw new GitError(specifiedUsage(this.specification), 129, 'help');
		if (isTakenBack) {
			this.#found.push(` --no-${option.long}`);
			return;
		}
		if (value !== undefined && option.takes === 'nothing')
			throw new GitError(`error: option \`${name}' takes no value`, 129);
		const given = value ?? (option.takes === 'value' ? left.shift() : undefined);
		if (option.takes === 'value' && given === undefined)
			throw new GitError(`error: option \`${option.long}' requires a value`, 129);
		this.#add(option, given);
	}

	/** Finds an option by its name or an unambiguous prefix. */
	#named(name: string): { option: SpecOption; isTakenBack: boolean } | null {
		const all = this.options.flatMap((option) => {
			if (option.long === '') return [];
			const own = { name: option.long, option, isTakenBack: false };
			if (option.isFixed) return [own];
			const opposite = option.long.startsWith('no-') ? option.long.slice(3) : `no-${option.long}`;
			return [own, { name: opposite, option, isTakenBack: true }];
		});
		const exact = all.find((one) => one.name === name);
		if (exact) return exact;
		const near = all.filter((one) => one.name.startsWith(name));
		if (near.length === 0) return null;
		if (new Set(near.map(({ option }) => option)).size > 1)
			throw new GitError(
				`error: ambiguous option: ${name} (could be --${near[0]!.name} or --${near[1]!.name})\n${specifiedUsage(this.specification)}`,
				129
			);
		return near[0]!;
	}

	#letters(text: string, left: string[]): void {
		for (let at = 0; at < text.length; at++) {
			const letter = text[at]!;
			const option = this.options.find(({ short }) => short === letter);
			if (letter === 'h' && (!option || option.long === 'help'))
				throw new GitError(specifiedUsage(this.specification), 129, 'help');
			if (!option) throw this.#wrong(`unknown switch \`${letter}'`);
			if (option.takes === 'nothing') {
				this.#add(option, undefined);
				continue;
			}
			const rest = text.slice(at + 1);
			const value = rest !== '' ? rest : option.takes === 'value' ? left.shift() : undefined;
			if (option.takes === 'value' && value === undefined)
				throw new GitError(`error: switch \`${letter}' requires a value`, 129);
			this.#add(option, value);
			return;
		}
	}

	#add({ short, long, takes }: SpecOption, value: string | undefined): void {
		const isLong = this.how.isLong ? long !== '' : short === '';
		const name = isLong ? `--${long}` : `-${short}`;
		if (value === undefined) this.#found.push(` ${name}`);
		else if (this.how.isLong) this.#found.push(` ${name}${isLong ? '=' : ''}${quoted(value)}`);
		else if (takes === 'maybe' && value === '') this.#found.push(` ${name} ''`);
		else this.#found.push(` ${name} ${quoted(value)}`);
	}

	#wrong(text: string): GitError {
		return new GitError(`error: ${text}\n${specifiedUsage(this.specification)}`.replace(/\n$/, ''), 129);
	}
}

const quoted = (text: string): string =>
	text === '' ? "''" : `'${text.replace(/['!]/g, (letter) => `'\\${letter}'`)}'`;
