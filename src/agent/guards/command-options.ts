/** A command without its program, as the line gives it. */
export interface Arguments {
	words: readonly string[];
	/** For each word, whether it may become an option, or several words, when it runs. */
	expanded: readonly boolean[];
}

/** Whether a long option is one of these, or short for one: most programs take any unambiguous beginning. */
function isLong(word: string, names: readonly string[]): boolean {
	const name = word.split('=')[0] ?? '';
	return name.startsWith('--') && name.length > 2 && names.some((long) => long.startsWith(name));
}

const anyLong =
	(...names: string[]) =>
	({ words, expanded }: Arguments): boolean =>
		expanded.includes(true) || words.some((word) => isLong(word, names));

const anyMatch =
	(form: RegExp) =>
	({ words, expanded }: Arguments): boolean =>
		expanded.includes(true) || words.some((word) => form.test(word));

const either =
	(...checks: ((args: Arguments) => boolean)[]) =>
	(args: Arguments): boolean =>
		checks.some((check) => check(args));

const GIT_LONG = anyLong(
	'--output',
	'--ext-diff',
	'--textconv',
	'--upload-pack',
	'--receive-pack',
	'--exec',
	'--exec-path',
	'--open-files-in-pager',
	'--template',
	'--config',
	'--config-env'
);

/** By subcommand: short options that run or write something. */
const GIT_SHORT: Readonly<Record<string, RegExp>> = {
	rebase: /^-[^-]*x/,
	grep: /^-[^-]*O/,
	clone: /^-[^-]*[cu]/,
	archive: /^-o/,
	'format-patch': /^-o/
};

function gitDoesMore(args: Arguments): boolean {
	const short = GIT_SHORT[args.words[0] ?? ''];
	// `ext::` and the like name a program where an address should stand.
	return GIT_LONG(args) || args.words.some((word) => word.includes('::') || (short?.test(word) ?? false));
}

/** What comes before `--` is for npm itself. */
function npmDoesMore({ words, expanded }: Arguments): boolean {
	const end = words.indexOf('--');
	const own = end === -1 ? words.length : end;
	const form =
		/^--?(?:script-shell|shell|node-options|node-arg|userconfig|globalconfig|prefix|dir|cwd|git|editor|viewer|browser|init-module|require|config)\b|^-[Cr]$/i;
	return words.some((word, index) => index < own && (form.test(word) || (expanded[index] ?? false)));
}

/**
 * For programs that mostly do what their name says: whether these arguments make them write a file or run
 * another program. An argument nobody can foresee counts as such.
 */
const DOES_MORE: Readonly<Record<string, (args: Arguments) => boolean>> = {
	git: gitDoesMore,
	npm: npmDoesMore,
	pnpm: npmDoesMore,
	yarn: npmDoesMore,
	bun: npmDoesMore,
	// Single letters may stand together: `-uo file`.
	sort: either(anyLong('--output', '--compress-program'), anyMatch(/^-[^-]*o/)),
	rg: anyMatch(/^--(?:pre|hostname-bin)(?:=|$)/),
	// Its second file is the one it writes.
	uniq: ({ words, expanded }) => expanded.includes(true) || words.filter((word) => !/^[-+]./.test(word)).length > 1,
	date: either(anyLong('--set'), anyMatch(/^-[^-]*s|^\d{8}/)),
	file: either(anyLong('--compile'), anyMatch(/^-[^-]*C/)),
	// A name with an index is evaluated, and with it a command in the index.
	printf: ({ words, expanded }) => words.some((word) => word.startsWith('-v')) || (expanded[0] ?? false),
	test: anyMatch(/^-[vR]$/),
	'[': anyMatch(/^-[vR]$/),
	make: anyMatch(/=|^-[^-]*[fCIE]|^--(?:f|m|d|e|i)/),
	cargo: either(anyLong('--config', '--manifest-path'), anyMatch(/^-[ZC]/)),
	go: anyMatch(/^--?(?:exec|toolexec|C|modfile|overlay|ldflags|gcflags)(?:=|$)/)
};

/** Whether a program is given arguments with which it does more than its name says. */
export function doesMore(program: string, args: Arguments): boolean {
	return Object.hasOwn(DOES_MORE, program) && (DOES_MORE[program]?.(args) ?? true);
}
