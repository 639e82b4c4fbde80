import { invalidArgument, nodeError } from '../../runtime/errors.ts';

interface OptionConfig {
	type: 'string' | 'boolean';
	short?: string;
	multiple?: boolean;
	default?: unknown;
}
interface Config {
	args?: string[];
	options?: Record<string, OptionConfig>;
	strict?: boolean;
	allowPositionals?: boolean;
	allowNegative?: boolean;
	tokens?: boolean;
}
type Token =
	| { kind: 'option'; name: string; rawName: string; index: number; value?: string; inlineValue?: boolean }
	| { kind: 'positional'; index: number; value: string }
	| { kind: 'option-terminator'; index: number };

/** `util.parseArgs`. */
export function parseArgs(config: Config = {}, standardArgs: string[] = []) {
	const args = config.args ?? standardArgs;
	const options = config.options ?? {};
	const strict = config.strict ?? true;
	const allowPositionals = config.allowPositionals ?? !strict;
	for (const [name, option] of Object.entries(options)) {
		if (option.type !== 'string' && option.type !== 'boolean') {
			throw invalidArgument(`options.${name}.type`, "one of 'string' or 'boolean'", option.type);
		}
	}
	const tokens = tokenise(args, options);
	const values: Record<string, unknown> = Object.create(null);
	const positionals: string[] = [];
	for (const token of tokens) {
		if (token.kind === 'positional') {
			if (!allowPositionals) throw unexpectedPositional(token.value);
			positionals.push(token.value);
		} else if (token.kind === 'option') store(token, options, values, strict, config.allowNegative ?? false);
	}
	for (const [name, option] of Object.entries(options)) {
		if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
	}
	return config.tokens ? { values, positionals, tokens } : { values, positionals };
}

function tokenise(args: string[], options: Record<string, OptionConfig>): Token[] {
	const tokens: Token[] = [];
	const queue = [...args];
	let index = -1;
	const takesValue = (name: string) => options[name]?.type === 'string';
	const isValue = (next: string | undefined) => next !== undefined && (next === '-' || !next.startsWith('-'));
	const option = (name: string, rawName: string) => {
		const at = index;
		if (takesValue(name) && isValue(queue[0])) {
			index++;
			tokens.push({ kind: 'option', name, rawName, index: at, value: queue.shift(), inlineValue: false });
		} else tokens.push({ kind: 'option', name, rawName, index: at });
	};
	while (queue.length > 0) {
		const argument = queue.shift() ?? '';
		index++;
		if (argument === '--') {
			tokens.push({ kind: 'option-terminator', index });
			for (const value of queue.splice(0)) tokens.push({ kind: 'positional', index: ++index, value });
		} else if (argument.startsWith('--')) {
			const at = argument.indexOf('=', 3);
			const name = at < 0 ? argument.slice(2) : argument.slice(2, at);
			if (at < 0) option(name, argument);
			else
				tokens.push({
					kind: 'option',
					name,
					rawName: `--${name}`,
					index,
					value: argument.slice(at + 1),
					inlineValue: true
				});
		} else if (argument.startsWith('-') && argument.length > 1) {
			shorts(argument.slice(1));
		} else tokens.push({ kind: 'positional', index, value: argument });
	}
	return tokens;

	function shorts(letters: string): void {
		for (const [position, letter] of [...letters].entries()) {
			const name = Object.keys(options).find((long) => options[long]?.short === letter) ?? letter;
			const rest = letters.slice(position + 1);
			if (takesValue(name) && rest) {
				const value = rest.startsWith('=') ? rest.slice(1) : rest;
				tokens.push({ kind: 'option', name, rawName: `-${letter}`, index, value, inlineValue: true });
				return;
			}
			option(name, `-${letter}`);
		}
	}
}

function store(
	token: Extract<Token, { kind: 'option' }>,
	options: Record<string, OptionConfig>,
	values: Record<string, unknown>,
	strict: boolean,
	allowNegative: boolean
): void {
	let { name } = token;
	let value: unknown = token.value ?? true;
	if (allowNegative && !options[name] && name.startsWith('no-') && options[name.slice(3)]) {
		name = name.slice(3);
		value = false;
	}
	const option = options[name];
	if (strict) {
		if (!option) {
			const words = `Unknown option '${token.rawName}'. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- "${token.rawName}"`;
			throw nodeError(TypeError, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', words);
		}
		const shown = `${option.short ? `-${option.short}, ` : ''}--${name}`;
		if (option.type === 'string' && typeof value !== 'string') {
			const words = `Option '${shown} <value>' argument missing`;
			throw nodeError(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE', words);
		}
		if (option.type === 'boolean' && token.value !== undefined) {
			const words = `Option '${shown}' does not take an argument`;
			throw nodeError(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE', words);
		}
	}
	if (name === '__proto__') return;
	if (option?.multiple) values[name] = [...((values[name] as unknown[] | undefined) ?? []), value];
	else values[name] = value;
}

function unexpectedPositional(value: string): Error {
	const words = `Unexpected argument '${value}'. This command does not take positional arguments`;
	return nodeError(TypeError, 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', words);
}
