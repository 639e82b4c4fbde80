import { absolute } from '#computer/abi/paths.ts';
import { decode, encode } from '../bytes.ts';
import { fatal, GitError } from '../errors.ts';
import { TRAILER_RULES, TrailerEditor, trailerRule, type TrailerRules } from '../history/trailer-edit.ts';
import { shownTrailers } from '../history/trailer-list.ts';
import type { Command, Invocation } from '../invocation.ts';
import { parseOptions } from '../options.ts';

const USAGE =
	'interpret-trailers [--in-place] [--trim-empty] [(--trailer <token>[(=|:)<value>])...] [--parse] [<file>...]';

/** `git interpret-trailers`: adds trailers to messages, or prints the existing ones. */
export const interpretTrailers: Command = (git, args) => {
	const { rest, trailers } = trailersOf(args);
	const options = parseOptions(USAGE, rest, {
		inPlace: '--in-place',
		trimEmpty: '--trim-empty',
		onlyTrailers: '--only-trailers',
		onlyInput: '--only-input',
		unfold: '--unfold',
		parse: '--parse',
		noDivider: '--no-divider'
	});
	const isParsed = options.has('parse');
	const onlyInput = options.has('onlyInput') || isParsed;
	if (onlyInput && trailers.length > 0)
		throw new GitError(`fatal: --trailer with --only-input does not make sense\n\nusage: git ${USAGE}`, 129);
	const files: (string | null)[] = options.operands.length > 0 ? options.operands : [null];
	if (options.has('inPlace') && files[0] === null) throw fatal('no input file given for in-place editing');
	const editor = new TrailerEditor(git);
	const form = {
		...{ keys: null, only: true, unfold: options.has('unfold') || isParsed, showsKey: true, showsValue: true },
		...{ separator: null, keySeparator: null }
	};
	for (const file of files) {
		const text = readText(git, file);
		const end = options.has('noDivider') ? -1 : text.search(/^---(?=\s)/m);
		const message = end < 0 ? text : text.slice(0, end);
		const edited = onlyInput ? message : editor.add(message, trailers);
		const isOnly = options.has('onlyTrailers') || isParsed;
		const shown = isOnly ? shownTrailers(git.repository, edited, form) : edited + text.slice(message.length);
		const result = options.has('trimEmpty') ? shown.replace(/^[A-Za-z0-9-]+:[ \t]*\n/gm, '') : shown;
		if (options.has('inPlace')) git.context.sync.writeFile(absolute(file!, git.cwd), encode(result));
		else git.out(result);
	}
	return 0;
};

/** Splits off the trailer arguments, each with the rules given before it. */
function trailersOf(args: readonly string[]): {
	rest: string[];
	trailers: { text: string; rules: Partial<TrailerRules> }[];
} {
	const rest: string[] = [];
	const trailers: { text: string; rules: Partial<TrailerRules> }[] = [];
	let rules: Partial<TrailerRules> = {};
	const left = [...args];
	for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
		const [, name = '', attached] = /^--(?:no-)?(trailer|where|if-exists|if-missing)(?:=(.*))?$/s.exec(arg) ?? [];
		if (name === '') {
			rest.push(arg);
			continue;
		}
		const isTakenBack = arg.startsWith('--no-');
		const value = isTakenBack ? '' : (attached ?? left.shift() ?? '');
		if (name === 'trailer') {
			if (isTakenBack) trailers.length = 0;
			else trailers.push({ text: value, rules });
		} else if (isTakenBack)
			rules = Object.fromEntries(Object.entries(rules).filter(([key]) => key !== KEYS[name as keyof typeof KEYS]));
		else rules = { ...rules, ...ruleOf(name, value) };
	}
	return { rest, trailers };
}

const KEYS = { where: 'where', 'if-exists': 'ifExists', 'if-missing': 'ifMissing' } as const;

function ruleOf(name: string, value: string): Partial<TrailerRules> {
	const key = KEYS[name as keyof typeof KEYS];
	const word = trailerRule<string>(TRAILER_RULES[key], value);
	if (word === null) throw new GitError(`error: option \`${name}' does not take '${value}'`, 129);
	return { [key]: word };
}

function readText(git: Invocation, file: string | null): string {
	if (file === null) return decode(git.input());
	const path = absolute(file, git.cwd);
	if (git.context.sync.statOrNull(path)?.kind !== 'file')
		throw fatal(`could not read input file '${file}': No such file or directory`);
	return decode(git.context.sync.readFile(path));
}
