import { invalidArgument, invalidValue, nodeError } from '../../runtime/errors.ts';
import { boolean, optional, plainObject, string } from '../../runtime/validate.ts';
import { tokenise, type OptionConfig, type OptionToken, type Token } from './argument-tokens.ts';

interface Config {
	args?: string[];
	options?: Record<string, OptionConfig>;
	strict?: boolean;
	allowPositionals?: boolean;
	allowNegative?: boolean;
	tokens?: boolean;
}
interface Usage {
	options: Record<string, OptionConfig>;
	allowPositionals: boolean;
	allowNegative: boolean;
}

/** `util.parseArgs`. */
export function parseArgs(config: Config = {}, standardArgs: string[] = []) {
	const strict = config.strict ?? true;
	const { args = standardArgs, options = {}, allowPositionals = !strict, allowNegative = false } = config;
	checkConfig({ ...config, args, options });
	const usage: Usage = { options, allowPositionals, allowNegative };
	const tokens: Token[] = tokenise(args, options);
	const values: Record<string, unknown> = Object.create(null);
	const positionals: string[] = [];
	for (const token of tokens) {
		if (token.kind === 'positional') {
			if (!allowPositionals) throw unexpectedPositional(token.value);
			positionals.push(token.value);
		} else if (token.kind === 'option') {
			if (strict) checkUsage(token, usage);
			store(token, usage, values);
		}
	}
	for (const [name, option] of Object.entries(options)) {
		if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
	}
	return config.tokens ? { values, positionals, tokens } : { values, positionals };
}

function checkConfig({ args, options = {}, ...flags }: Config): void {
	if (!Array.isArray(args)) throw invalidArgument('args', 'an instance of Array', args);
	for (const name of ['strict', 'allowPositionals', 'tokens', 'allowNegative'] as const)
		optional(boolean)(flags[name], name);
	plainObject(options, 'options');
	for (const [name, option] of Object.entries(options)) {
		plainObject(option, `options.${name}`);
		const { type, short, multiple = false } = option;
		if (type !== 'string' && type !== 'boolean') {
			throw invalidArgument(`options.${name}.type`, "('string|boolean')", type);
		}
		optional(string)(short, `options.${name}.short`);
		if (short !== undefined && short.length !== 1)
			throw invalidValue(`options.${name}.short`, short, 'must be a single character');
		boolean(multiple, `options.${name}.multiple`);
		if (option.default !== undefined) checkDefault(option, `options.${name}.default`);
	}
}

function checkDefault(option: OptionConfig, name: string): void {
	const check = option.type === 'string' ? string : boolean;
	if (!option.multiple) return check(option.default, name);
	if (!Array.isArray(option.default)) throw invalidArgument(name, 'an instance of Array', option.default);
	for (const [index, value] of option.default.entries()) check(value, `${name}[${index}]`);
}

/** @throws NodeError ERR_PARSE_ARGS_UNKNOWN_OPTION, ERR_PARSE_ARGS_INVALID_OPTION_VALUE */
function checkUsage(token: OptionToken, { options, allowPositionals, allowNegative }: Usage): void {
	const { rawName, value } = token;
	const positive = allowNegative && token.name.startsWith('no-') ? token.name.slice(3) : null;
	const isKnown = Object.hasOwn(options, token.name);
	const name = isKnown || positive === null ? token.name : positive;
	const option = Object.hasOwn(options, name) ? options[name] : undefined;
	if (!option || (!isKnown && option.type !== 'boolean')) {
		const advice = `. To specify a positional argument starting with a '-', place it at the end of the command after '--', as in '-- ${JSON.stringify(rawName)}`;
		const words = `Unknown option '${rawName}'${allowPositionals ? advice : ''}`;
		throw nodeError(TypeError, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', words);
	}
	const shown = `${option.short ? `-${option.short}, ` : ''}--${name}`;
	if (option.type === 'string' && value === undefined) throw badValue(`Option '${shown} <value>' argument missing`);
	if (option.type === 'boolean' && value !== undefined) throw badValue(`Option '${shown}' does not take an argument`);
	if (token.inlineValue || value === undefined || !/^-./s.test(value)) return;
	const example = rawName.startsWith('--') ? `'${rawName}=-XYZ'` : `'--${token.name}=-XYZ' or '${rawName}-XYZ'`;
	throw badValue(`Option '${rawName}' argument is ambiguous.
Did you forget to specify the option argument for '${rawName}'?
To specify an option argument starting with a dash use ${example}.`);
}

const badValue = (words: string) => nodeError(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE', words);

/** Stores a value. The token of a negated option gets the option's own name. */
function store(token: OptionToken, { options, allowNegative }: Usage, values: Record<string, unknown>): void {
	if (token.name === '__proto__') return;
	let value: unknown = token.value ?? true;
	if (allowNegative && token.name.startsWith('no-') && token.value === undefined) {
		token.name = token.name.slice(3);
		value = false;
	}
	const { name } = token;
	const isMultiple = Object.hasOwn(options, name) && options[name]?.multiple;
	if (isMultiple) values[name] = [...((values[name] as unknown[] | undefined) ?? []), value];
	else values[name] = value;
}

function unexpectedPositional(value: string): Error {
	const words = `Unexpected argument '${value}'. This command does not take positional arguments`;
	return nodeError(TypeError, 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL', words);
}
