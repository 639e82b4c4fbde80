import { splitCommand, type SimpleCommand } from './command-words.ts';

const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh']);

/** Options of xargs that take a value of their own. */
const XARGS_WITH_VALUE = /^-[nPLIdsEaR]$|^--(?:max-args|max-procs|max-lines|replace|delimiter|max-chars|arg-file)$/;
/** What find may do besides looking. */
const FIND_WRITES = /^-(?:delete|fprint|fprint0|fprintf|fls)$/;
const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/;

/**
 * What a program that runs others is told to run: the script of `bash -c`, the command behind `env`,
 * `xargs`, `timeout`, `nice`, `time`, `command`, and those of `find -exec`.
 *
 * @returns the commands; `undefined` for a program that runs no other; `null` where it cannot be told
 */
export function carriedCommands(command: SimpleCommand): SimpleCommand[] | null | undefined {
	const program = command.words[0] ?? '';
	const carrier = Object.hasOwn(CARRIERS, program) ? CARRIERS[program] : undefined;
	if (SHELLS.has(program)) return scriptOf(command);
	return carrier?.(command);
}

const CARRIERS: Readonly<Record<string, (command: SimpleCommand) => SimpleCommand[] | null>> = {
	env: (command) =>
		behind(
			command,
			command.words.findIndex((word, index) => index > 0 && word !== '-i')
		),
	command: (command) => behind(command, 1),
	nice: (command) => behind(command, command.words[1] === '-n' ? 3 : 1),
	timeout: (command) => behind(command, /^\d+(?:\.\d+)?[smh]?$/.test(command.words[1] ?? '') ? 2 : -1),
	xargs: throughXargs,
	find: throughFind
};

/** The command that begins at a word, which must be plain: no option and no variable. */
function behind(command: SimpleCommand, at: number): SimpleCommand[] | null {
	const first = command.words[at];
	if (at < 1 || first === undefined || command.expanded[at] || first.startsWith('-') || first.includes('='))
		return null;
	return [part(command, at, command.words.length)];
}

function part({ words, expanded }: SimpleCommand, from: number, to: number): SimpleCommand {
	return { words: words.slice(from, to), expanded: expanded.slice(from, to), writesFile: false, setsVariables: false };
}

function scriptOf({ words, expanded }: SimpleCommand): SimpleCommand[] | null {
	const script = words[2];
	if (!/^-[el]*c$/.test(words[1] ?? '') || script === undefined || expanded[1] || expanded[2]) return null;
	return splitCommand(script);
}

function throughXargs(command: SimpleCommand): SimpleCommand[] | null {
	const { words, expanded } = command;
	let at = 1;
	while (words[at]?.startsWith('-')) {
		if (expanded[at]) return null;
		at += XARGS_WITH_VALUE.test(words[at] ?? '') ? 2 : 1;
	}
	const inner = behind(command, at)?.[0];
	// What it reads becomes part of a script, or of the words.
	if (!inner || SHELLS.has(inner.words[0] ?? '')) return null;
	return [{ ...inner, words: [...inner.words, '$()'], expanded: [...inner.expanded, true] }];
}

function throughFind(command: SimpleCommand): SimpleCommand[] | null {
	const { words, expanded } = command;
	if (expanded.includes(true) || words.some((word) => FIND_WRITES.test(word))) return null;
	const inner: SimpleCommand[] = [];
	for (let at = 1; at < words.length; at++) {
		if (!FIND_RUNS.test(words[at] ?? '')) continue;
		const end = words.findIndex((word, index) => index > at && (word === ';' || word === '+'));
		const run = end === -1 ? undefined : part(command, at + 1, end);
		// A file's name would become part of a script, or the program.
		if (!run || SHELLS.has(run.words[0] ?? '') || run.words[0]?.includes('{}')) return null;
		inner.push(run);
		at = end;
	}
	return inner;
}
