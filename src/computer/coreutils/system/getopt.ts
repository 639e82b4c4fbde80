import type { BuiltIn } from '#computer/shell/state/host.ts';
import { encode } from '#computer/process/text.ts';
import { parseOptions, UsageError } from '../options.ts';
import { shellWord } from '#environment/shell-word.ts';

type Takes = 'nothing' | 'value' | 'maybe';

/** Parses `ab:c::` or `long,name:,other::` into names and the arguments they take. */
function readNames(text: string, isLong: boolean): [string, Takes][] {
	const found = text.matchAll(isLong ? /([^,:\s]+)(:{0,2})/g : /([^:])(:{0,2})/g);
	return [...found].map(([, name = '', marks]) => [name, marks === '' ? 'nothing' : marks === ':' ? 'value' : 'maybe']);
}

const OWN = '+o|options= l|long|longoptions= n|name= q|quiet Q|quiet-output u|unquoted s|shell= T|test a|alternative';

/** `getopt` of util-linux: puts the arguments of a script in order, quoted for `eval set --`. */
export const getopt: BuiltIn = async (call) => {
	const { args } = call;
	if (args.length === 0) {
		await call.complain('missing optstring argument');
		return 2;
	}
	// Without options of its own, the first argument lists those of the script, and nothing is quoted.
	const isOld = !/^-/.test(args[0] ?? '');
	let own;
	try {
		own = isOld ? null : parseOptions(args, OWN);
	} catch (error) {
		if (!(error instanceof UsageError)) throw error;
		await call.complain(error.message);
		return 2;
	}
	if (own?.has('T')) return 4;
	const rest = isOld ? args.slice(1) : [...own!.operands];
	if (isOld && rest[0] === '--') rest.shift();
	const given = isOld ? args[0]! : (own!.get('o') ?? rest.shift() ?? '');
	const mode = /^[+-]/.exec(given)?.[0] ?? '';
	const short = new Map(readNames(given.slice(mode.length), false));
	const long = new Map((own?.all('l') ?? []).flatMap((names) => readNames(names, true)));
	const isBare = isOld || own!.has('u');
	const quote = (text: string): string => (isBare ? text : shellWord(text));
	const { words, operands, wrong } = arrange(rest, { short, long, mode, quote, isAlternative: own?.has('a') === true });
	const name = own?.get('n') ?? 'getopt';
	const message = own?.has('q') ? '' : wrong.map((sentence) => `${name}: ${sentence}\n`).join('');
	await call.shell.descriptors.get(2)?.write(encode(message));
	if (!own?.has('Q')) await call.out(` ${[...words, '--', ...operands.map(quote)].join(' ')}\n`);
	return wrong.length > 0 ? 1 : 0;
};

interface Wanted {
	short: ReadonlyMap<string, Takes>;
	long: ReadonlyMap<string, Takes>;
	/** `+`: the first operand ends the options. `-`: operands stay in place. */
	mode: string;
	quote: (text: string) => string;
	/** Set if a long option may start with one dash. */
	isAlternative: boolean;
}

function arrange(args: readonly string[], wanted: Wanted): { words: string[]; operands: string[]; wrong: string[] } {
	const { short, long, mode, quote, isAlternative } = wanted;
	const result = { words: [] as string[], operands: [] as string[], wrong: [] as string[] };
	const { words, operands, wrong } = result;
	for (let index = 0; index < args.length; index++) {
		const arg = args[index] ?? '';
		if (arg === '--') {
			operands.push(...args.slice(index + 1));
			break;
		}
		if (!/^-./.test(arg)) {
			if (mode === '+') {
				operands.push(...args.slice(index));
				break;
			}
			(mode === '-' ? words : operands).push(mode === '-' ? quote(arg) : arg);
			continue;
		}
		const isLong = arg.startsWith('--') || (isAlternative && !short.has(arg[1] ?? ''));
		if (isLong) {
			const [, typed = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
			const names = long.has(typed) ? [typed] : [...long.keys()].filter((name) => name.startsWith(typed));
			const [name] = names;
			if (name === undefined) wrong.push(`unrecognized option '--${typed}'`);
			else if (names.length > 1) {
				const possible = names.map((each) => `'--${each}'`).join(' ');
				wrong.push(`option '--${typed}' is ambiguous; possibilities: ${possible}`);
			} else {
				const takes = long.get(name);
				if (takes === 'nothing' && value !== undefined) wrong.push(`option '--${name}' doesn't allow an argument`);
				else if (takes === 'nothing') words.push(`--${name}`);
				else if (value !== undefined || takes === 'maybe') words.push(`--${name}`, quote(value ?? ''));
				else if (index + 1 < args.length) words.push(`--${name}`, quote(args[++index] ?? ''));
				else wrong.push(`option '--${name}' requires an argument`);
			}
			continue;
		}
		for (let at = 1; at < arg.length; at++) {
			const letter = arg[at] ?? '';
			const takes = short.get(letter);
			const after = arg.slice(at + 1);
			if (takes === undefined) wrong.push(`invalid option -- '${letter}'`);
			else if (takes === 'nothing') words.push(`-${letter}`);
			else {
				if (after !== '' || takes === 'maybe') words.push(`-${letter}`, quote(after));
				else if (index + 1 < args.length) words.push(`-${letter}`, quote(args[++index] ?? ''));
				else wrong.push(`option requires an argument -- '${letter}'`);
				break;
			}
		}
	}
	return result;
}
