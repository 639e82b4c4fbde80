import type { ProcessContext } from '#computer/process/program.ts';
import type { StandardStreams } from '../streams/kernel-streams.ts';
import type { SubstitutedFile } from '../streams/substituted-file.ts';
import type { Forks } from './forks.ts';
import type { CommandHistory } from './history.ts';
import type { Job } from './jobs.ts';
import type { Shell } from './shell.ts';
import type { Variable } from './variables.ts';

/** Runs words as a command in a shell, as needed by builtins like `xargs`. */
export type RunWords = (shell: Shell, words: string[]) => Promise<number>;

/** Command that is part of the shell program: a builtin or a small utility. Returns the exit status. */
export type BuiltIn = (call: Call) => number | Promise<number>;

/** One call of a built-in command. */
export interface Call {
	shell: Shell;
	name: string;
	args: string[];
	/** Writes text on stdout. */
	out(text: string): void | Promise<void>;
	/** Writes `name: text` and a newline on stderr. */
	complain(text: string): void | Promise<void>;
}

/** State shared by all shells of this process. */
export interface Host {
	context: ProcessContext;
	standard: StandardStreams;
	/** Commands that change the shell itself (`cd`, `export` …). */
	builtins: Map<string, BuiltIn>;
	/** Commands that read and write streams and could be programs (`cat`, `head` …). */
	utilities: Map<string, BuiltIn>;
	/** Programs of the kernel, each a process. */
	programs: Set<string>;
	forks: Forks;
	history: CommandHistory;
	/** Specifications of `complete` by command, in its output format. */
	completions: Map<string, string>;
	/** Running background jobs, including those in subshells and after `disown`. */
	background: Set<Job>;
	/** Files of `<(…)` and `>(…)` in use, by path. */
	substitutions: Map<string, SubstitutedFile>;
	/** Set in an interactive shell, for its subshells too. */
	isInteractive: boolean;
	/** Source of the commands, as a letter of `$-`: `c` an argument, `s` the input, none a script. */
	commandsFrom: '' | 'c' | 's';
	/** Initial variables of every shell. */
	ownVariables: ReadonlyMap<string, Variable>;
	run: RunWords;
	/** Runs source text in this shell, as `eval` does. */
	evaluate(shell: Shell, source: string, line?: number, origin?: string): Promise<number>;
}
