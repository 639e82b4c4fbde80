import type { FunctionDefinition } from '../ast/nodes.ts';
import { exportFunction } from '../ast/written/function.ts';
import type { Descriptors } from '../streams/descriptors.ts';
import type { Control } from './control.ts';
import type { Host } from './host.ts';
import type { Jobs } from './jobs.ts';
import { initialOptions, type SetOptions, type ShoptName } from './options.ts';
import { Variables } from './variables.ts';

/** Everything a shell or subshell knows. The executor works on it; a subshell is a fork of it. */
export class Shell {
	variables = new Variables();
	functions = new Map<string, FunctionDefinition>();
	/** Names of those that child shells know too (`export -f`), and that cannot be changed (`readonly -f`). */
	exportedFunctions = new Set<string>();
	readonlyFunctions = new Set<string>();
	aliases = new Map<string, string>();
	options: SetOptions = initialOptions();
	shopt = new Set<ShoptName>(['globskipdots', 'sourcepath', 'interactive_comments']);
	traps = new Map<string, string>();
	/** `$0` and `$1` …. */
	name = 'bash';
	positional: string[] = [];
	directoryStack: string[] = [];
	cwd = '/';
	/** `$?` and `PIPESTATUS`. */
	status = 0;
	pipeStatus: number[] = [0];
	/** `$!`. */
	lastBackground: number | null = null;
	/** Status of the last `$(…)`, which an assignment alone takes as its own. */
	substitutionStatus: number | null = null;
	interactive = false;
	/** Permissions that new files do not get. */
	umask = 0o022;
	line = 0;
	/** The statement being run, as it is written. */
	statement = '';
	/** `$BASH_COMMAND`: the command being run, or the one a trap was called for. */
	command = '';
	/** Names of the functions being run, innermost first. */
	callStack: string[] = [];
	/** Above 0 while a condition is evaluated, where `set -e` does not count. */
	conditionDepth = 0;
	loopDepth = 0;
	sourceDepth = 0;
	subshellDepth = 0;
	/** Of the bombs that were ended, how many this subshell comes after: see `Forks`. */
	generation = 0;
	/** What process substitution leaves to do when the command has ended. */
	afterCommand: (() => Promise<void>)[] = [];
	/** Processes started from here and not yet ended. A job has a set of its own. */
	processes = new Set<number>();
	/** Told of each process this shell starts. */
	spawned: () => void = () => {};
	/** True inside a job started with `&`: its children leave the terminal's group. */
	background = false;

	constructor(
		readonly host: Host,
		public descriptors: Descriptors,
		public control: Control,
		public jobs: Jobs
	) {
		const started = performance.now();
		this.variables.dynamic.set('RANDOM', () => String(Math.floor(Math.random() * 32768)));
		this.variables.dynamic.set('SECONDS', () => String(Math.floor((performance.now() - started) / 1000)));
		this.variables.dynamic.set('EPOCHSECONDS', () => String(Math.floor(Date.now() / 1000)));
		this.variables.dynamic.set('EPOCHREALTIME', () => (Date.now() / 1000).toFixed(6));
	}

	/** A subshell: the same to look at, its own to change. */
	fork(): Shell {
		this.host.forks.began();
		const copy = new Shell(this.host, this.descriptors.fork(), this.control.fork(), this.jobs.fork());
		copy.variables = this.variables.fork();
		copy.functions = new Map(this.functions);
		copy.exportedFunctions = new Set(this.exportedFunctions);
		copy.readonlyFunctions = new Set(this.readonlyFunctions);
		copy.aliases = new Map(this.aliases);
		copy.options = { ...this.options };
		copy.shopt = new Set(this.shopt);
		copy.name = this.name;
		copy.positional = [...this.positional];
		copy.directoryStack = [...this.directoryStack];
		copy.cwd = this.cwd;
		copy.status = this.status;
		copy.pipeStatus = this.pipeStatus;
		copy.lastBackground = this.lastBackground;
		copy.line = this.line;
		copy.command = this.command;
		copy.callStack = [...this.callStack];
		copy.conditionDepth = this.conditionDepth;
		copy.loopDepth = this.loopDepth;
		copy.sourceDepth = this.sourceDepth;
		copy.subshellDepth = this.subshellDepth + 1;
		copy.generation = this.subshellDepth === 0 ? this.host.forks.generation : this.generation;
		copy.background = this.background;
		copy.umask = this.umask;
		copy.processes = this.processes;
		copy.spawned = this.spawned;
		return copy;
	}

	/** After a fork has ended: its descriptors are closed. */
	dispose(): void {
		this.host.forks.ended();
		this.descriptors.dispose();
		this.control.end();
	}

	/** What a child process gets: exported variables, and functions as bash hands them on. */
	environment(): Record<string, string> {
		const environment = this.variables.environment();
		for (const name of this.exportedFunctions) {
			const definition = this.functions.get(name);
			if (definition) environment[`BASH_FUNC_${name}%%`] = exportFunction(definition);
		}
		return environment;
	}

	/** A path as the kernel takes it: absolute, without dots. */
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
