import { basename } from '#computer/abi/paths.ts';
import type { WireStat } from '#computer/abi/syscalls.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { applyOption } from './builtins/settings.ts';
import { setPosixMode } from './state/posix-mode.ts';
import { utilityNamed } from './execution/lookup.ts';
import { callUtility, evaluate } from './execution/run-words.ts';
import { runToEnd } from './execution/subshell.ts';
import { runPendingTraps, signalArrived } from './execution/traps.ts';
import { createShell } from './start.ts';
import { nextTask } from './state/control.ts';
import type { Shell } from './state/shell.ts';
import { decode, encode } from '#computer/process/text.ts';
import { isShopt } from './state/options.ts';
import { prepareInteractive, runInput, runPiped } from './terminal/piped.ts';
import { runInteractive } from './terminal/session.ts';

interface Invocation {
	command: string | null;
	script: string | null;
	interactive: boolean;
	login: boolean;
	stdin: boolean;
	/** `--rcfile`. */
	startFile: string | null;
	args: string[];
}

/** Main function of the program `bash`. Returns its exit code. */
export async function runShell(context: ProcessContext): Promise<number> {
	const shell = createShell(context);
	if (context.argv[0]) shell.name = context.argv[0];
	context.onSignal((signal) => signalArrived(signal.slice(3)));
	const status = await runArguments(shell, context.argv);
	await finishSubstitutions(shell);
	await giveBackInput(shell);
	await shell.host.standard.flush();
	await letJobsStart(shell);
	// Report jobs that have ended since.
	await shell.host.standard.flush();
	await finishBackground(shell, status);
	if (!shell.interactive && shell.jobs.all().length === 0 && shell.host.forks.isEmpty()) context.leavesNothing?.();
	return status;
}

/** Runs the shell, or the utility it was started as, when another program starts it. */
async function runArguments(shell: Shell, [name = '', ...args]: string[]): Promise<number> {
	const utility = utilityNamed(shell, basename(name));
	if (utility) return runToEnd(shell, () => callUtility(shell, utility, name, args));
	const invocation = readArguments(shell, args);
	// Under this name the shell is in POSIX mode.
	if (/^-?sh$/.test(basename(name))) setPosixMode(shell, true);
	if (typeof invocation !== 'string') return invoke(shell, invocation);
	await shell.host.standard.error.write(encode(`bash: ${invocation}\n`));
	return 2;
}

/** Permission bit of a file that its owner may read; the user owns all files. */
const OWNER_MAY_READ = 0o400;
/** Event loop turns that a script needs to notice that its reader is gone. */
const NOTICE_TURNS = 10;

/**
 * Closes what is connected to process substitutions. Readers of `exec > >(…)` are waited for, since their output
 * belongs to the shell's; writers end as soon as they write again.
 */
async function finishSubstitutions(shell: Shell): Promise<void> {
	const { background, substitutions } = shell.host;
	await Promise.all([...substitutions.values()].map((file) => file.close()));
	const all = [...background].filter((job) => job.substitution);
	if (all.length === 0) return;
	shell.descriptors.dispose();
	await Promise.all(all.filter((job) => job.substitution === 'reader').map(({ finished }) => finished));
	for (let turn = 0; turn < NOTICE_TURNS && all.some((job) => background.has(job)); turn++) await nextTask();
}

/** Puts back what was read ahead of the standard input, for the next program. */
async function giveBackInput(shell: Shell): Promise<void> {
	const input = shell.descriptors.get(0);
	if (input?.stream.kernel !== 0) return;
	const bytes = input.takeUnread();
	if (bytes.length > 0) await shell.host.context.async.unread(0, bytes);
}

/** A program started with `&` as the last command must be a process before the shell that starts it is gone. */
async function letJobsStart(shell: Shell): Promise<void> {
	const patience = new Promise((resolve) => setTimeout(resolve, 100));
	const starting = shell.jobs
		.all()
		.filter((job) => !job.substitution && job.status === null && job.processes.size === 0);
	await Promise.all(starting.map((job) => Promise.race([job.finished, job.started, patience])));
}

/**
 * Lets the shell's background work continue as a separate process. Not for a terminal, which ends what runs on
 * it, nor for a fork bomb, which should end with its origin.
 */
async function finishBackground(shell: Shell, status: number): Promise<void> {
	const { background, forks, context } = shell.host;
	const left = () => [...background].filter((job) => !job.isProcess);
	if (shell.interactive || shell.control.stopped || !forks.hasRoom(1) || left().length === 0) return;
	await context.async.leave(status, left().at(-1)?.pid);
	for (let running = left(); running.length > 0 && forks.hasRoom(1); running = left()) {
		await Promise.all(running.map(({ finished }) => finished));
		await shell.host.standard.flush();
	}
}

async function invoke(shell: Shell, invocation: Invocation): Promise<number> {
	const { sync } = shell.host.context;
	if (invocation.interactive && (invocation.command !== null || !sync.isTerminal(0))) {
		const left = await prepareInteractive(shell, invocation.startFile);
		if (left !== null) return left;
	}
	if (invocation.command !== null) {
		shell.host.commandsFrom = 'c';
		const [name, ...args] = invocation.args;
		if (name !== undefined) shell.name = name;
		shell.variables.set('BASH_EXECUTION_STRING', invocation.command);
		shell.positional = args;
		return runSource(shell, invocation.command, '-c');
	}
	if (invocation.script !== null) {
		const path = shell.path(invocation.script);
		const stat = sync.statOrNull(path);
		const fault = faultOfScript(stat);
		if (fault !== null) {
			await shell.host.standard.error.write(encode(`bash: ${invocation.script}: ${fault}\n`));
			return stat ? 126 : 127;
		}
		const bytes = sync.readFile(path);
		if (isBinary(bytes)) {
			await shell.host.standard.error.write(
				encode(`${invocation.script}: ${invocation.script}: cannot execute binary file\n`)
			);
			return 126;
		}
		shell.name = invocation.script;
		shell.positional = invocation.args;
		return runSource(shell, decode(bytes));
	}
	shell.positional = invocation.args;
	shell.host.commandsFrom = 's';
	if (invocation.interactive && !sync.isTerminal(0)) return runPiped(shell);
	if (invocation.interactive || (!invocation.stdin && sync.isTerminal(0) && sync.isTerminal(1)))
		return runInteractive(shell);
	return runToEnd(shell, () => runInput(shell));
}

/** Reason why a file cannot be run as a script; null if it can. */
function faultOfScript(stat: WireStat | null): string | null {
	if (!stat) return 'No such file or directory';
	if (stat.kind !== 'file') return 'Is a directory';
	return stat.mode & OWNER_MAY_READ ? null : 'Permission denied';
}

/** Number of bytes inspected to decide whether a file is a script. */
const SAMPLE_BYTES = 80;

/** Returns whether the first line of a file contains a NUL, which no script does. */
function isBinary(bytes: Uint8Array): boolean {
	const sample = bytes.subarray(0, SAMPLE_BYTES);
	const end = sample.indexOf(10);
	return sample.subarray(0, end < 0 ? undefined : end).includes(0);
}

const runSource = (shell: Shell, source: string, origin = '') =>
	runToEnd(shell, async () => {
		const status = await evaluate(shell, source, 1, origin);
		await runPendingTraps(shell);
		return status;
	});

/** Commands that run instead when an option is given. */
const ANSWERS: Record<string, string | undefined> = {
	'--version': 'echo "GNU bash, version $BASH_VERSION (sandglass)"',
	'--help': 'echo "GNU bash, version $BASH_VERSION"; echo "Usage: bash [options] [script [argument …]]"'
};

const withCommand = (invocation: Invocation, command: string, args = invocation.args): Invocation => ({
	...invocation,
	command,
	args
});

/** Sets or clears an option of `shopt`. Returns false for an unknown name. */
function setShopt(shell: Shell, name: string, isOn: boolean): boolean {
	if (!isShopt(name)) return false;
	if (isOn) shell.shopt.add(name);
	else shell.shopt.delete(name);
	return true;
}

/** Parses the command line of `bash`. A string is an error message. */
function readArguments(shell: Shell, words: string[]): Invocation | string {
	const invocation: Invocation = {
		command: null,
		script: null,
		interactive: false,
		login: false,
		stdin: false,
		startFile: null,
		args: []
	};
	let takesCommand = false;
	let norc = false;
	let index = 0;
	for (; index < words.length; index++) {
		const word = words[index] ?? '';
		if (word === '--' || word === '-') {
			index++;
			break;
		}
		const answer = ANSWERS[word];
		if (answer !== undefined) return withCommand(invocation, answer);
		if (word === '--rcfile' || word === '--init-file') {
			invocation.startFile = words[++index] ?? null;
			continue;
		}
		if (word === '--norc') {
			norc = true;
			continue;
		}
		if (word === '--posix') setPosixMode(shell, true);
		if (/^--(noprofile|posix|login|noediting|verbose)$/.test(word)) continue;
		if (word.startsWith('--') && word.length > 2) return `${word}: invalid option`;
		if (word === '-O' || word === '+O') {
			const name = words[++index] ?? '';
			if (!setShopt(shell, name, word === '-O')) return `${name}: invalid shell option name`;
			continue;
		}
		if (!/^[-+][a-zA-Z]+$/.test(word)) break;
		takesCommand ||= word.includes('c');
		if (word.includes('i')) invocation.interactive = word.startsWith('-');
		invocation.stdin ||= word.includes('s');
		invocation.login ||= word.includes('l');
		const rest = word.replace(/[cisl]/g, '');
		if (rest.length === 1) continue;
		const taken = applyOption(shell, [rest, ...words.slice(index + 1)]);
		if (taken === 0) return `${word}: invalid option`;
		index += taken - 1;
	}
	if (norc) invocation.startFile = null;
	const rest = words.slice(index);
	if (takesCommand)
		return rest[0] === undefined ? '-c: option requires an argument' : withCommand(invocation, rest[0], rest.slice(1));
	if (!invocation.stdin) invocation.script = rest.shift() ?? null;
	invocation.args = rest;
	return invocation;
}
