import { splitCommand, type SimpleCommand } from './command-words.ts';

/** Commands that only look. With options that write or run something they are not on the list. */
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

/** Options that make a harmless command write a file or run another. */
const HARMFUL_OPTION = /^(?:-o|--output(?:=.*)?|--pre(?:=.*)?|--ext-diff|--textconv|--compress-program(?:=.*)?|-o.+)$/;

/** Programs whose second word says what they do. */
const WITH_SUBCOMMAND = new Set([
	'git',
	'npm',
	'pnpm',
	'yarn',
	'bun',
	'cargo',
	'go',
	'docker',
	'kubectl',
	'pip',
	'dotnet',
	'deno'
]);

/** Programs that run what they are given: a rule for their name alone would allow anything. */
const RUNS_ANYTHING = new Set([
	'bash',
	'sh',
	'zsh',
	'eval',
	'exec',
	'env',
	'xargs',
	'sudo',
	'node',
	'python',
	'python3',
	'perl',
	'ruby',
	'find',
	'npx',
	'source',
	'.',
	'command',
	'nohup',
	'timeout',
	'ssh',
	'awk',
	'sed'
]);

/** Between the rules of one pattern. */
const AND = ' && ';

/**
 * Whether a command line may run without asking: each simple command in it is harmless or begins
 * with the words of a rule, and none writes a file by redirection. A rule equal to the line always does.
 */
export function isCommandAllowed(line: string, rules: Iterable<string>): boolean {
	const known = [...rules].flatMap((rule) => [rule, ...rule.split(AND)]);
	if (known.includes(line.trim())) return true;
	const commands = splitCommand(line);
	if (!commands || commands.length === 0) return false;
	return commands.every((command) => isAllowed(command, known));
}

/** What *Always allow* would remember for a command line: the beginning of each command not allowed yet. */
export function commandPattern(line: string, rules: Iterable<string>): string {
	const known = [...rules];
	const commands = splitCommand(line);
	if (!commands || commands.length === 0) return line.trim();
	const open = commands.filter((command) => !isAllowed(command, known));
	if (open.some(({ writesFile, setsVariables }) => writesFile || setsVariables)) return line.trim();
	const patterns = open.map((command) => patternOf(command));
	return patterns.some((pattern) => pattern === null) ? line.trim() : [...new Set(patterns)].join(AND);
}

function isAllowed({ words, writesFile, setsVariables }: SimpleCommand, rules: readonly string[]): boolean {
	if (writesFile || setsVariables) return false;
	const harmless = HARMLESS.some((rule) => beginsWith(words, rule)) && !words.some((word) => HARMFUL_OPTION.test(word));
	return harmless || rules.some((rule) => !/[*?[]/.test(rule) && beginsWith(words, rule));
}

function beginsWith(words: readonly string[], rule: string): boolean {
	const wanted = rule.trim().split(/\s+/);
	return wanted[0] !== '' && wanted.every((word, index) => words[index] === word);
}

/** `null` where only the whole line will do. */
function patternOf({ words }: SimpleCommand): string | null {
	const [program = '', second = ''] = words;
	if (RUNS_ANYTHING.has(program) || program.includes('$()') || /[*?[\s]/.test(program)) return null;
	if (!WITH_SUBCOMMAND.has(program)) return program;
	if (!/^[a-z][\w:-]*$/.test(second)) return null;
	const third = words[2] ?? '';
	return second === 'run' && /^[\w:-]+$/.test(third) ? `${program} run ${third}` : `${program} ${second}`;
}
