import { carriedCommands } from './command-carriers.ts';
import { doesMore } from './command-options.ts';
import { splitCommand, type SimpleCommand } from './command-words.ts';

/** Commands that only look, unless {@link doesMore} says otherwise. */
const HARMLESS: readonly string[] = [
	'ls',
	'cat',
	'head',
	'tail',
	'wc',
	'pwd',
	'echo',
	'printf',
	'grep',
	'rg',
	'which',
	'file',
	'stat',
	'du',
	'df',
	'date',
	'true',
	'false',
	'test',
	'[',
	'cd',
	'sort',
	'uniq',
	'cut',
	'tr',
	'diff',
	'cmp',
	'basename',
	'dirname',
	'git status',
	'git diff',
	'git log',
	'git show',
	'git rev-parse',
	'git ls-files',
	'git blame'
];

/** Programs whose second word says what they do. */
const WITH_SUBCOMMAND = new Set(['git', 'npm', 'pnpm', 'yarn', 'bun', 'cargo', 'go', 'pip', 'dotnet', 'deno']);

/** Subcommands that run, or prepare to run, what they are given. */
const SUBCOMMANDS_THAT_RUN = new Set([
	...['config', 'submodule', 'bisect', 'filter-branch', 'difftool', 'mergetool', 'hook', 'send-email', 'daemon'].map(
		(name) => `git ${name}`
	),
	...['npm', 'pnpm', 'yarn', 'bun'].flatMap((manager) =>
		['exec', 'x', 'dlx', 'create', 'init', 'config', 'set', 'explore', 'node', 'pkg'].map(
			(name) => `${manager} ${name}`
		)
	),
	'go run',
	'go generate',
	'deno run',
	'deno eval',
	'deno task',
	'pip config'
]);

/**
 * Programs that run what they are given, change what later commands mean, send things away or destroy: a rule
 * for their name alone would allow anything, so only the whole line is remembered.
 */
const RUNS_ANYTHING = new Set(
	[
		'bash sh dash zsh ksh fish csh tcsh pwsh busybox eval exec env xargs sudo doas su source . command builtin nohup',
		'timeout nice ionice stdbuf setsid time watch parallel script expect strace unshare chroot find fd ssh awk gawk mawk sed ed vi vim',
		'node python python2 python3 perl ruby php lua tclsh osascript deno npx pnpx bunx tsx ts-node uv uvx pipx',
		'docker podman kubectl helm curl wget nc ncat socat scp sftp rsync telnet ftp tar gdb',
		'export declare typeset local readonly alias unalias set unset shopt enable trap hash read mapfile readarray let coproc function for case select',
		'rm rmdir dd shred truncate mv cp ln install tee chmod chown mkfs kill pkill killall shutdown reboot crontab at'
	].flatMap((line) => line.split(' '))
);

/** Between the beginnings of one pattern. */
const AND = ' && ';
/** Behind each of them: whatever follows. */
const ANYTHING = ' *';

/** Where a line of commands runs. */
export interface CommandPlace {
	/** Whether that is the workspace or below it: what `npm test` does elsewhere nobody allowed. Default true. */
	inWorkspace?: boolean;
}

/**
 * Whether a command line may run without asking: each simple command in it is harmless or begins
 * with the words of a rule, and none writes a file by redirection. A rule equal to the line always does.
 *
 * @param rules `npm test *` for what begins with these words, anything else for that line alone
 */
export function isCommandAllowed(
	line: string,
	rules: Iterable<string>,
	{ inWorkspace = true }: CommandPlace = {}
): boolean {
	const remembered = [...rules];
	if (inWorkspace && remembered.includes(line.trim())) return true;
	const commands = splitCommand(line);
	if (!commands || commands.length === 0) return false;
	const known = inWorkspace && !commands.some(leaves) ? prefixesIn(remembered) : [];
	return commands.every((command) => isAllowed(command, known));
}

/**
 * What *Always allow* would remember for a command line: the beginning of each command not allowed yet, or the line
 * where a beginning would allow more than it shows.
 */
export function commandPattern(line: string, rules: Iterable<string>): string {
	const known = prefixesIn(rules);
	const commands = splitCommand(line);
	if (!commands || commands.length === 0 || commands.some(leaves)) return line.trim();
	const open = commands.filter((command) => !isAllowed(command, known));
	const patterns = open.map((command) => patternOf(command));
	if (patterns.some((pattern) => pattern === null)) return line.trim();
	return [...new Set(patterns)].map((pattern) => `${pattern}${ANYTHING}`).join(AND);
}

/**
 * The beginnings that a pattern allows, each the words of a command; `null` where it is for one line only.
 */
export function commandBeginnings(pattern: string): string[][] | null {
	const parts = pattern.split(AND).map((part) => part.trim());
	const beginnings = parts.map((part) =>
		part.endsWith(ANYTHING) ? part.slice(0, -ANYTHING.length).split(/\s+/) : null
	);
	// Several lines are a command with what is typed into it, remembered whole.
	if (pattern.includes('\n')) return null;
	return beginnings.every((words) => words !== null && words[0] !== '' && isPrefix(words))
		? beginnings.flatMap((words) => (words ? [words] : []))
		: null;
}

function prefixesIn(rules: Iterable<string>): string[][] {
	return [...rules].flatMap((rule) => commandBeginnings(rule) ?? []);
}

/** Whether words name what runs, so that whatever comes behind them is only about how. */
function isPrefix(words: readonly string[]): boolean {
	const [program = '', second = ''] = words;
	if (words.some((word) => /[$`'"\\;|&<>(){}*?]/.test(word)) || program.includes('=')) return false;
	if (program === 'python' || program === 'python3') return second === '-m' && words.length > 2;
	if (RUNS_ANYTHING.has(program)) return false;
	if (!WITH_SUBCOMMAND.has(program)) return true;
	if (second === '' || second.startsWith('-') || SUBCOMMANDS_THAT_RUN.has(`${program} ${second}`)) return false;
	return !isRun(second) || /^\w/.test(words[2] ?? '');
}

const isRun = (subcommand: string): boolean => subcommand === 'run' || subcommand === 'run-script';

function isAllowed(command: SimpleCommand, prefixes: readonly string[][]): boolean {
	const { words, expanded, writesFile, setsVariables } = command;
	if (writesFile || setsVariables || expanded[0]) return false;
	const carried = carriedCommands(command);
	if (carried !== undefined) return carried?.every((inner) => isAllowed(inner, prefixes)) ?? false;
	if (doesMore(words[0] ?? '', { words: words.slice(1), expanded: expanded.slice(1) })) return false;
	return (
		HARMLESS.some((rule) => beginsWith(command, rule.split(' '))) ||
		prefixes.some((prefix) => beginsWith(command, prefix)) ||
		printsLines(command)
	);
}

function beginsWith({ words, expanded }: SimpleCommand, wanted: readonly string[]): boolean {
	return wanted.every((word, index) => words[index] === word && !expanded[index]);
}

/** `sed -n 10,20p file`, by which models read: the one use of sed that only looks. */
function printsLines({ words, expanded }: SimpleCommand): boolean {
	const [program, option, script = '', ...files] = words;
	return (
		program === 'sed' &&
		option === '-n' &&
		/^\d+(?:,(?:\d+|\$))?p$/.test(script) &&
		!expanded.includes(true) &&
		!files.some((file) => file.startsWith('-'))
	);
}

/** Whether it goes where the workspace's rules do not hold. */
function leaves({ words, expanded }: SimpleCommand): boolean {
	if (words[0] === 'pushd' || words[0] === 'popd') return true;
	if (words[0] !== 'cd') return false;
	const target = words.at(-1) ?? '';
	return words.length !== 2 || expanded.includes(true) || /^[/~-]/.test(target) || target.split('/').includes('..');
}

/** `null` where only the whole line will do. */
function patternOf(command: SimpleCommand): string | null {
	const { words, expanded, writesFile, setsVariables } = command;
	const [program = '', second = '', third = ''] = words;
	if (writesFile || setsVariables || expanded[0] || carriedCommands(command) !== undefined) return null;
	if (doesMore(program, { words: words.slice(1), expanded: expanded.slice(1) })) return null;
	const pattern = WITH_SUBCOMMAND.has(program)
		? isRun(second)
			? [program, second, third]
			: [program, second]
		: [program];
	if (expanded.slice(0, pattern.length).includes(true) || !/^[\w./@+-]+$/.test(program)) return null;
	if (pattern.slice(1).some((word) => !/^[A-Za-z][\w:.-]*$/.test(word))) return null;
	return isPrefix(pattern) ? pattern.join(' ') : null;
}
