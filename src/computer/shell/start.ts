import { HOME, SEARCH_PATH } from '#computer/abi/paths.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { ShellSyntaxError } from './parser/error.ts';
import { parse } from './parser/parse.ts';
import { followHistorySize } from './builtins/history.ts';
import { builtins } from './builtins/index.ts';
import { setOption } from './builtins/settings.ts';
import { evaluate, runWords } from './execution/run-words.ts';
import { Control } from './state/control.ts';
import { Forks } from './state/forks.ts';
import { CommandHistory } from './state/history.ts';
import type { Host } from './state/host.ts';
import { Jobs } from './state/jobs.ts';
import { isSetOption } from './state/options.ts';
import { Shell } from './state/shell.ts';
import { Descriptors } from './streams/descriptors.ts';
import { StandardStreams } from './streams/kernel-streams.ts';
import { OpenFile } from './streams/open-file.ts';
import { HOST_NAME } from '#computer/abi/host-name.ts';
import { utilities } from '#computer/coreutils/index.ts';

const DEFAULTS: Record<string, string> = {
	PATH: SEARCH_PATH,
	HOME,
	USER: 'user',
	SHELL: '/bin/bash'
};

const OWN_VALUES = {
	BASH: '/bin/bash',
	BASH_VERSION: '5.2.15(1)-release',
	OSTYPE: 'linux-gnu',
	HOSTTYPE: 'x86_64',
	MACHTYPE: 'x86_64-pc-linux-gnu',
	HOSTNAME: HOST_NAME,
	UID: '1000',
	EUID: '1000'
};

/** Creates a shell for the process it runs in: descriptors 0 to 2, the environment, the working directory. */
export function createShell(context: ProcessContext): Shell {
	const standard = new StandardStreams(context.async);
	const host: Host = {
		context,
		standard,
		builtins: new Map(builtins),
		utilities: new Map(utilities),
		programs: new Set(context.sync.programs().filter((name) => !builtins.has(name))),
		forks: new Forks(),
		history: new CommandHistory(),
		completions: new Map(),
		background: new Set(),
		substitutions: new Map(),
		isInteractive: false,
		commandsFrom: '',
		ownVariables: new Map(),
		run: runWords,
		evaluate
	};
	// `bash -c …` run by the shell itself is a separate process.
	for (const name of ['bash', 'sh']) host.programs.add(name);
	const descriptors = new Descriptors();
	descriptors.set(0, new OpenFile(standard.input));
	descriptors.set(1, new OpenFile(standard.output));
	descriptors.set(2, new OpenFile(standard.error));
	for (const number of context.descriptors ?? []) descriptors.set(number, new OpenFile(standard.inherited(number)));
	const shell: Shell = new Shell(
		host,
		descriptors,
		new Control(undefined, () => shell.interactive && context.interrupted()),
		new Jobs()
	);
	shell.cwd = workingDirectory(context);
	shell.umask = context.umask;
	shell.ignoredAtStart = new Set(context.ignored.map((signal) => signal.slice(3)));
	importEnvironment(shell, context);
	setOwnVariables(shell, context);
	followHistorySize(shell);
	host.ownVariables = shell.variables.snapshot();
	return shell;
}

/** Sets the variables and functions from the environment. */
function importEnvironment(shell: Shell, context: ProcessContext): void {
	for (const [name, value] of Object.entries({
		...(context.env['PATH'] === undefined ? DEFAULTS : {}),
		...context.env
	})) {
		if (!/^[A-Za-z_]\w*$/.test(name) || OWN.has(name)) continue;
		shell.variables.set(name, value);
		shell.variables.declare(name, { exported: true });
	}
	for (const [name, value] of Object.entries(context.env)) {
		const exported = /^BASH_FUNC_([^\s;&|<>()$"'`=]+)%%$/.exec(name)?.[1];
		if (exported && value.startsWith('() {')) importFunction(shell, exported, value);
	}
}

/** Sets the variables that every shell has. */
function setOwnVariables(shell: Shell, context: ProcessContext): void {
	shell.variables.set('PWD', shell.cwd);
	shell.variables.declare('PWD', { exported: true });
	const level = Number(context.env['SHLVL'] ?? 0) + 1;
	shell.variables.set('SHLVL', String(level));
	shell.variables.declare('SHLVL', { exported: true });
	shell.variables.set('IFS', ' \t\n');
	shell.variables.set('OPTIND', '1');
	shell.variables.set('OPTERR', '1');
	if (context.env['PS4'] === undefined) shell.variables.set('PS4', '+ ');
	if (context.env['SHELL'] === undefined) shell.variables.set('SHELL', '/bin/bash');
	// As in bash: the shell has it, its programs do not.
	if (context.env['TERM'] === undefined) shell.variables.set('TERM', 'dumb');
	for (const [name, value] of Object.entries(OWN_VALUES)) {
		if (context.env[name] === undefined || OWN.has(name)) shell.variables.set(name, value);
	}
	for (const name of (context.env['SHELLOPTS'] ?? '').split(':')) if (isSetOption(name)) setOption(shell, name, true);
	for (const [index, part] of ['5', '2', '15', '1', 'release', 'x86_64-pc-linux-gnu'].entries()) {
		shell.variables.setElement('BASH_VERSINFO', index, part);
	}
	shell.variables.set('PPID', String(context.parent));
	for (const name of ['UID', 'EUID', 'PPID']) shell.variables.declare(name, { readonly: true, integer: true });
	shell.variables.declare('BASH_VERSINFO', { readonly: true });
}

/** Working directory as spelled in PWD, if that is correct; otherwise without symbolic links. */
function workingDirectory({ cwd, env, sync }: ProcessContext): string {
	const given = env['PWD'];
	if (given === undefined) return sync.statOrNull(cwd) ? sync.realpath(cwd) : cwd;
	if (given === cwd || !given.startsWith('/')) return cwd;
	const [here, there] = [sync.statOrNull(cwd), sync.statOrNull(given)];
	return here && here.inode === there?.inode ? given : cwd;
}

/** Variables that only the shell itself sets. */
const OWN = new Set(['BASH', 'SHELLOPTS', 'BASHOPTS', 'UID', 'EUID', 'PPID', 'BASH_VERSINFO']);

/**
 * Imports a function that a parent shell has exported. Anything but a single function is ignored, as in bash since
 * 2014.
 */
function importFunction(shell: Shell, name: string, value: string): void {
	const source = `${name} ${value}`;
	try {
		const [statement, ...more] = parse(source).statements;
		const command = statement?.pipelines[0]?.commands[0];
		if (more.length || statement?.pipelines.length !== 1 || command?.type !== 'FunctionDef') return;
		shell.functions.set(name, command);
		shell.exportedFunctions.add(name);
	} catch (error) {
		if (!(error instanceof ShellSyntaxError)) throw error;
	}
}
