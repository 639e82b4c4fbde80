import type { FunctionDefinition, SimpleCommand } from '../ast/nodes.ts';
import { exportFunction } from '../ast/print.ts';
import { encode } from '#computer/process/text.ts';
import type { Descriptors } from '../streams/descriptors.ts';
import type { Stream } from '../streams/open-file.ts';
import { CommandHash } from './command-hash.ts';
import type { Control } from './control.ts';
import type { Host } from './host.ts';
import type { Jobs } from './jobs.ts';
import { DEFAULT_SHOPT, initialOptions, isSetOption, SET_OPTIONS, type SetOptions, type ShoptName } from './options.ts';
import { POSIX_VARIABLE, setPosixMode } from './posix-mode.ts';
import { RandomNumbers } from './random.ts';
import { Variables } from './variables.ts';

/** Function or sourced file being run. */
export interface Call {
	name: string;
	/** File in which a function was defined. */
	source: string;
	/** Line it was called from. */
	line: number;
	isFunction: boolean;
	/** Arguments, if `extdebug` stores them. */
	args?: readonly string[];
	/** Options that `local -` restores when the function ends. */
	options?: SetOptions;
}

/** First number of subshells, which are not processes of the kernel. */
const SUBSHELLS_FROM = 1 << 23;
let subshells = 0;
const nextSubshellPid = (pid: number) => SUBSHELLS_FROM + pid * 4096 + (++subshells % 4096);

/** State of a shell or subshell, used by the executor; a subshell is a fork of it. */
export class Shell {
	variables = new Variables();
	functions = new Map<string, FunctionDefinition>();
	/** Functions that child shells inherit (`export -f`). */
	exportedFunctions = new Set<string>();
	/** Functions that inherit the DEBUG and RETURN traps (`declare -ft`). */
	tracedFunctions = new Set<string>();
	readonlyFunctions = new Set<string>();
	aliases = new Map<string, string>();
	/** Builtins disabled by `enable -n`. */
	disabledBuiltins = new Set<string>();
	options: SetOptions = initialOptions();
	shopt = new Set<ShoptName>(DEFAULT_SHOPT);
	/** Cached command locations. */
	hash = new CommandHash();
	traps = new Map<string, string>();
	/** Signals that were ignored when the shell started, without their prefix. */
	ignoredAtStart: ReadonlySet<string> = new Set();
	/** `$0` and `$1` …. */
	name = 'bash';
	positional: string[] = [];
	directoryStack: string[] = [];
	cwd = '/';
	/** `$?` and `PIPESTATUS`. */
	status = 0;
	pipeStatus: number[] = [];
	/** `$?` when the running trap started; the result of `exit` and `return` in it. */
	statusAtTrap: number | null = null;
	/** `$!`. */
	lastBackground: number | null = null;
	/** Status of the last `$(…)`, which becomes the status of an assignment without a command. */
	substitutionStatus: number | null = null;
	interactive = false;
	/** Set by `set -r`. */
	restricted = false;
	/** Limits of `ulimit` by letter; only that of open files is enforced, on redirections. */
	limits = new Map<string, { soft: number; hard: number }>();
	/** Permissions that new files do not get. */
	umask = 0o022;
	/** Sum of the increments by `nice`. */
	niceness = 0;
	line = 0;
	/** Source text of the statement being run. */
	statement = '';
	/** `$BASH_COMMAND`: the command being run, or the one for which a trap runs. */
	command = '';
	/** Functions and sourced files being run, innermost first. */
	calls: Call[] = [];
	/** Functions that were running when `exit` was called. */
	callsAtExit: Call[] = [];
	/** `$BASHPID`. */
	pid: number;
	/** Traps of the parent, which `trap` lists until a subshell sets one. */
	inheritedTraps = new Map<string, string>();
	/** Running DEBUG, ERR and RETURN traps, which are not called recursively. */
	runningTraps = new Set<string>();
	/** Number of `+` before a traced command. */
	traceDepth = 1;
	/** Above 0 while a condition is evaluated, in which `set -e` is ignored. */
	conditionDepth = 0;
	/** Set if the status of the current command is that of a failed redirection. */
	redirectionFailed = false;
	loopDepth = 0;
	/** Set inside of a compound command whose standard input is redirected: jobs in it keep that input. */
	hasOwnInput = false;
	sourceDepth = 0;
	subshellDepth = 0;
	/** Number of bombs ended before this subshell was created: see `Forks`. */
	generation = 0;
	/** Work of process substitutions to do after the command has ended. */
	afterCommand: (() => Promise<void>)[] = [];
	/**
	 * Set after a syntax error in a text, and after any other error that ends a shell in POSIX mode that calls a
	 * special builtin.
	 */
	endsPosix = false;
	/** Last command of the whole shell. */
	lastCommand: SimpleCommand | null = null;
	/** Set if the shell has nothing to do after the words that are run next. */
	isThrough = false;
	/** Pipes of process substitutions opened by the running utility, which are closed with it. */
	openedPipes: Stream[] | null = null;
	/** Processes started from here that have not ended yet. A job has its own set. */
	processes = new Set<number>();
	/** Called for each process this shell starts. */
	spawned: () => void = () => {};
	/** True inside a job started with `&`: its children leave the terminal's group. */
	background = false;
	/** True inside a job of a script, which Ctrl-C does not reach: its processes are not ended by SIGINT. */
	ignoresInterrupt = false;

	constructor(
		readonly host: Host,
		public descriptors: Descriptors,
		public control: Control,
		public jobs: Jobs
	) {
		this.pid = host.context.pid;
		let started = performance.now();
		this.variables.assigned.set('SECONDS', (value) => (started = performance.now() - (Number(value) || 0) * 1000));
		const random = new RandomNumbers();
		this.variables.assigned.set('RANDOM', (value) => random.seed(value));
		this.variables.assigned.set('BASH_ARGV0', (value) => (this.name = value));
		this.variables.dynamic.set('BASH_ARGV0', () => this.name);
		this.variables.assigned.set('FUNCNAME', () => undefined);
		this.#numberLines();
		this.variables.assigned.set('LINENO', () => undefined);
		this.variables.dynamic.set('RANDOM', () => String(random.next()));
		this.variables.dynamic.set('SECONDS', () => String(Math.floor((performance.now() - started) / 1000)));
		this.#followVariables();
		this.variables.dynamic.set('EPOCHSECONDS', () => String(Math.floor(Date.now() / 1000)));
		this.variables.dynamic.set('EPOCHREALTIME', () => (Date.now() / 1000).toFixed(6));
	}

	/** True while a DEBUG, ERR or RETURN trap runs. */
	get inTrap(): boolean {
		return this.runningTraps.size > 0;
	}

	/** Exit status of a shell that is ended by a failed expansion. */
	get statusOfFatal(): number {
		const isWhole = this.host.commandsFrom === 'c' && this.subshellDepth === 0;
		return isWhole && !this.options.errexit ? 127 : 1;
	}

	/** Creates a subshell: an independent copy of the state. */
	fork(): Shell {
		this.host.forks.began();
		const copy = new Shell(this.host, this.descriptors.fork(), this.control.fork(), this.jobs.fork());
		copy.variables = this.variables.fork();
		copy.#followVariables();
		if (copy.variables.dynamic.has('LINENO')) copy.#numberLines();
		copy.functions = new Map(this.functions);
		copy.exportedFunctions = new Set(this.exportedFunctions);
		copy.tracedFunctions = new Set(this.tracedFunctions);
		copy.readonlyFunctions = new Set(this.readonlyFunctions);
		copy.aliases = new Map(this.aliases);
		copy.disabledBuiltins = new Set(this.disabledBuiltins);
		copy.options = { ...this.options };
		copy.shopt = new Set(this.shopt);
		copy.hash = this.hash.fork();
		copy.name = this.name;
		copy.positional = [...this.positional];
		copy.directoryStack = [...this.directoryStack];
		copy.cwd = this.cwd;
		copy.restricted = this.restricted;
		copy.status = this.status;
		copy.pipeStatus = this.pipeStatus;
		copy.lastBackground = this.lastBackground;
		copy.line = this.line;
		copy.command = this.command;
		copy.calls = [...this.calls];
		copy.traceDepth = this.traceDepth;
		copy.pid = nextSubshellPid(this.host.context.pid);
		this.#inheritTraps(copy);
		copy.ignoredAtStart = this.ignoredAtStart;
		copy.conditionDepth = this.conditionDepth;
		copy.sourceDepth = this.sourceDepth;
		copy.hasOwnInput = this.hasOwnInput;
		copy.subshellDepth = this.subshellDepth + 1;
		copy.generation = this.subshellDepth === 0 ? this.host.forks.generation : this.generation;
		copy.background = this.background;
		copy.ignoresInterrupt = this.ignoresInterrupt;
		copy.umask = this.umask;
		copy.niceness = this.niceness;
		copy.limits = new Map(this.limits);
		copy.processes = this.processes;
		copy.spawned = this.spawned;
		return copy;
	}

	/** Drops what a script without `#!` does not inherit: it runs as in a new shell. */
	forgetUnexported(): void {
		this.variables.forgetUnexported(this.host.ownVariables);
		for (const name of [...this.functions.keys()]) if (!this.exportedFunctions.has(name)) this.functions.delete(name);
		this.aliases.clear();
		const ignored = [...this.traps].flatMap(([name, action]) => (action === '' ? [name] : []));
		this.ignoredAtStart = new Set([...this.ignoredAtStart, ...ignored]);
		for (const name of this.traps.keys()) if (!ignored.includes(name)) this.traps.delete(name);
		this.calls = [];
		this.options = initialOptions();
		// bash does not reset this option.
		const skipsDots = this.shopt.has('globskipdots');
		this.shopt = new Set(DEFAULT_SHOPT);
		if (!skipsDots) this.shopt.delete('globskipdots');
	}

	/** Makes LINENO the line of this shell; once it is unset, it is an ordinary variable. */
	#numberLines(): void {
		this.variables.dynamic.set('LINENO', () => String(this.line));
	}

	/** Connects special variables with the state of this shell. */
	#followVariables(): void {
		this.variables.onCircular = (name) => this.complain(`warning: ${name}: circular name reference`);
		this.variables.followed.set('PATH', () => this.hash.clear());
		this.variables.followed.set(POSIX_VARIABLE, (value) => {
			if (this.options.posix !== (value !== undefined)) setPosixMode(this, value !== undefined);
		});
		this.#addOptions();
	}

	/** Adds SHELLOPTS and BASHOPTS, which cannot be assigned. */
	#addOptions(): void {
		this.variables.dynamic.set('SHELLOPTS', () =>
			Object.keys(SET_OPTIONS)
				.filter((name) => isSetOption(name) && this.options[name])
				.sort()
				.join(':')
		);
		this.variables.dynamic.set('BASHOPTS', () => [...this.shopt].sort().join(':'));
		for (const name of ['SHELLOPTS', 'BASHOPTS']) this.variables.declare(name, { readonly: true });
	}

	#inheritTraps(copy: Shell): void {
		for (const [name, action] of this.traps) {
			const isInherited =
				name === 'ERR'
					? this.options.errtrace
					: name === 'DEBUG' || name === 'RETURN'
						? this.options.functrace
						: action === '';
			if (isInherited) copy.traps.set(name, action);
		}
		copy.inheritedTraps = new Map(this.traps.size > 0 ? this.traps : this.inheritedTraps);
		copy.runningTraps = new Set(this.runningTraps);
	}

	/** File that contains the current command. */
	get source(): string {
		return this.calls[0]?.source ?? (this.host.commandsFrom === '' ? this.name : 'environment');
	}

	/** Bottom frame of all calls, if the commands come from a script. */
	mainFrame(value: string): string[] {
		return this.host.commandsFrom === '' ? [value] : [];
	}

	/** Name of the script responsible for an error: the sourced file or that of the function being run. */
	get nameInMessages(): string {
		return this.calls[0]?.source || this.name;
	}

	/**
	 * Writes a message of the shell itself on its stderr.
	 *
	 * @param origin origin of the text that caused it, unless it is the script's
	 */
	complain(message: string, origin = ''): void {
		const place = `${origin === '' ? '' : `${origin}: `}line ${this.line || 1}`;
		const prefix = this.interactive ? 'bash' : `${this.nameInMessages}: ${place}`;
		const written = this.descriptors.get(2)?.write(encode(`${prefix}: ${message}\n`));
		if (written) written.catch(() => undefined);
	}

	/** Closes the descriptors of an ended fork. */
	dispose(): void {
		this.host.forks.ended();
		this.descriptors.dispose();
		this.control.end();
	}

	/** Environment of a child process: exported variables, and functions in bash's encoding. */
	environment(): Record<string, string> {
		const environment = this.variables.environment();
		// Entries that are not valid variables are passed on unchanged.
		for (const [name, value] of Object.entries(this.host.context.env))
			if (!/^(?:[A-Za-z_]\w*|BASH_FUNC_.*)$/s.test(name)) environment[name] = value;
		for (const name of this.exportedFunctions) {
			const definition = this.functions.get(name);
			if (definition) environment[`BASH_FUNC_${name}%%`] = exportFunction(definition);
		}
		return environment;
	}

	/** Converts a path for the kernel: absolute, without dots. */
	path(path: string): string {
		return normalize(path.startsWith('/') ? path : `${this.cwd}/${path}`);
	}
}

export function normalize(path: string): string {
	const parts: string[] = [];
	for (const part of path.split('/')) {
		if (part === '' || part === '.') continue;
		if (part === '..') parts.pop();
		else parts.push(part);
	}
	return `/${parts.join('/')}`;
}
