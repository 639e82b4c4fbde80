import { SyscallError } from '#computer/abi/client.ts';
import { DEFAULT_ACTIONS, isSignalName, type SignalName, statusOf, UNCATCHABLE } from '#computer/abi/signals.ts';
import { signalArrived } from '../execution/traps.ts';
import { stopJob } from '../execution/background.ts';
import { encode } from '#computer/process/text.ts';
import { ExitJump, nextTask } from '../state/control.ts';
import type { BuiltIn, Call } from '../state/host.ts';
import type { Job } from '../state/jobs.ts';
import type { Shell } from '../state/shell.ts';
import { isPlace } from '../parser/subscript.ts';
import { assignNamed } from './assign-named.ts';
import { optionsOf } from './read-options.ts';
import { usageOf } from './usage.ts';
import { DESCRIPTIONS, KEYBOARD, LISTED, signalOf, SIGNALS } from './signals.ts';

/** Prints a table of all signals. */
async function showSignals(call: Call): Promise<number> {
	const entries = LISTED.map(([number, name]) => `${String(number).padStart(2)}) SIG${name}`);
	for (let at = 0; at < entries.length; at += 5)
		await call.out(`${entries.slice(at, at + 5).join('\t')}${at + 5 > entries.length ? '\t' : ''}\n`);
	return 0;
}

/** `kill -l`: all signals, or the name for a number or exit status, or the number for a name. */
async function listSignals(call: Call, wanted: readonly string[]): Promise<number> {
	const { posix } = call.shell.options;
	if (wanted.length === 0) {
		if (!posix) return showSignals(call);
		await call.out(`${LISTED.map(([, name]) => name).join(' ')}\n`);
		return 0;
	}
	let status = 0;
	for (const word of wanted) {
		if (word === '0') {
			await call.out('EXIT\n');
			continue;
		}
		const number = Number(word) > 128 ? Number(word) - 128 : Number(word);
		const name = posix ? word.toUpperCase() : word.toUpperCase().replace(/^SIG/, '');
		const found = /^\d+$/.test(word)
			? LISTED.find(([known]) => known === number)?.[1]
			: LISTED.find(([, known]) => known === name)?.[0];
		if (found !== undefined) await call.out(`${found}\n`);
		else {
			await call.complain(`${word}: invalid signal specification`);
			status = 1;
		}
	}
	return status;
}

const kill: BuiltIn = async (call) => {
	let { args } = call;
	if (args[0] === '-l' || args[0] === '-L') return listSignals(call, args.slice(1));
	let named = 'TERM';
	const [first = ''] = args;
	if ((first === '-s' || first === '-n') && args[1] === undefined) {
		await call.complain(`${first}: option requires an argument`);
		return 1;
	}
	if (first === '-s' || first === '-n') {
		named = args[1] ?? '';
		args = args.slice(2);
	} else if (/^-\w/.test(first)) {
		named = first.slice(1);
		args = args.slice(1);
	}
	if (args[0] === '--') args = args.slice(1);
	const signal = call.shell.options.posix && /^SIG/i.test(named) ? null : signalOf(named);
	if (signal === null) {
		await call.complain(`${named}: invalid signal specification`);
		return 1;
	}
	if (args.length === 0) {
		await call.shell.descriptors.get(2)?.write(encode(usageOf('kill')));
		return 2;
	}
	let status = 0;
	for (const target of args) status = (await killOne(call, target, signal)) || status;
	return status;
};

/** Sends a signal to a job, whose part inside the shell has its own traps. */
function signalJob(shell: Shell, job: Job, signal: SignalName): void {
	const name = signal.slice(3);
	const action = job.isProcess ? undefined : job.traps.get(name);
	if (action === '') return;
	if (action) return signalArrived(name, job.pid);
	const isIgnored = job.ignoresInterrupt && KEYBOARD.has(signal);
	if (!job.isProcess && !isIgnored && DEFAULT_ACTIONS[signal] === undefined) return stopJob(job, signal);
	job.isKilled ||= DEFAULT_ACTIONS[signal] === undefined;
	for (const process of job.processes) shell.host.context.sync.kill(process, signal);
}

/** Sends a signal to the subshell that requests it. @throws ExitJump if the signal ends it */
function signalItself(shell: Shell, signal: SignalName): void {
	const name = signal.slice(3);
	if (shell.traps.get(name)) signalArrived(name, shell.pid);
	else if (!shell.traps.has(name) && DEFAULT_ACTIONS[signal] === undefined) throw new ExitJump(statusOf(signal).code);
}

async function killOne(call: Call, target: string, signal: SignalName | 0): Promise<number> {
	const { shell } = call;
	const known = target.replace(/^-/, '');
	// Processes detached by `disown` or started by a subshell are not jobs here, but their numbers are accepted.
	const job = shell.jobs.find(known) ?? [...shell.host.background].find(({ pid }) => String(pid) === known);
	if (job && job.status === null) {
		if (signal !== 0) signalJob(shell, job, signal);
		return 0;
	}
	if (shell.subshellDepth > 0 && Number(target) === shell.pid) {
		if (signal !== 0) signalItself(shell, signal);
		return 0;
	}
	if (!/^-?\d+$/.test(target)) {
		const fault = target.startsWith('%') ? 'no such job' : 'arguments must be process or job IDs';
		await call.complain(target === '' ? "`': not a pid or valid job spec" : `${target}: ${fault}`);
		return 1;
	}
	// A subshell is not a separate process: it could not continue the shell that it stops.
	const stopsItself = signal !== 0 && DEFAULT_ACTIONS[signal] === 'stop' && Number(target) === shell.host.context.pid;
	if (stopsItself && !shell.traps.has(signal.slice(3))) return 0;
	try {
		await shell.host.standard.flush();
		shell.host.context.sync.kill(Number(target), signal);
		// A signal to the shell itself must arrive before the next command.
		for (let turns = 0; turns < 100 && shell.host.context.interrupted(); turns++) await nextTask();
		return 0;
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		await call.complain(`(${target}) - No such process`);
		return 1;
	}
}

/** Job that `wait` has waited for, and its status. */
interface Waited {
	status: number;
	job?: Job;
}

const wait: BuiltIn = async (call) => {
	const { shell } = call;
	const { flags, rest: names } = optionsOf(call);
	const variable = flags.get('p');
	if (variable !== undefined && !isPlace(variable)) {
		await call.complain(`\`${variable}': not a valid identifier`);
		return 1;
	}
	if (variable !== undefined) await shell.host.run(shell, ['unset', variable]);
	const waited = flags.has('n') ? await waitForAny(call, names) : await waitForAll(call, names);
	if (variable !== undefined && waited.job && (flags.has('n') || names.length > 0))
		await assignNamed(call, variable, String(waited.job.pid));
	return waited.status;
};

async function waitForAll(call: Call, names: readonly string[]): Promise<Waited> {
	const { shell } = call;
	let waited: Waited = { status: 0 };
	for (const name of names) waited = await waitForOne(call, name);
	if (names.length > 0) return waited;
	for (const job of shell.jobs.all()) if (job.status === null) await shell.control.race(job.finished);
	for (const job of [...shell.jobs.all()]) await forget(shell, job);
	return waited;
}

async function waitForOne(call: Call, name: string): Promise<Waited> {
	const { shell } = call;
	const isPid = /^\d+$/.test(name);
	const job = shell.jobs.find(name);
	if (job) {
		const status = await shell.control.race(job.finished);
		await tellSignal(shell, job);
		job.reported = true;
		// POSIX mode also keeps its number.
		if (!shell.options.posix) shell.jobs.retire(job, status);
		return { status, job };
	}
	const known = isPid ? shell.jobs.statusOf(Number(name)) : undefined;
	if (known !== undefined) return { status: known };
	if (name.startsWith('%')) await call.complain(`${name}: no such job`);
	else
		await call.complain(isPid ? `pid ${name} is not a child of this shell` : `\`${name}': not a pid or valid job spec`);
	return { status: isPid || name.startsWith('%') ? 127 : 1 };
}

/** `wait -n`: waits for the first of all jobs, or of the named ones, to end. */
async function waitForAny(call: Call, names: readonly string[]): Promise<Waited> {
	const { shell } = call;
	const wanted: Job[] = [];
	for (const name of names) {
		const job = shell.jobs.find(name);
		if (job) wanted.push(job);
		else await call.complain(`${name}: no such job`);
	}
	const jobs = names.length === 0 ? [...shell.jobs.all()] : wanted;
	if (jobs.length === 0) return { status: 127 };
	const first = () => Promise.race(jobs.map((job) => job.finished.then(() => job)));
	const job = jobs.find((one) => one.status !== null) ?? (await shell.control.race(first()));
	const waited = { status: job.status ?? 0, job };
	shell.jobs.forgetEnded();
	return waited;
}

async function forget(shell: Shell, job: Job): Promise<void> {
	await tellSignal(shell, job);
	shell.jobs.forget(job);
}

/** In a script, prints which signal ended a job, except for the signals that commonly end jobs. */
async function tellSignal(shell: Shell, job: Job): Promise<void> {
	const text = DESCRIPTIONS[SIGNALS[(job.status ?? 0) - 129] ?? ''];
	if (shell.interactive || job.reported || !job.isKilled || text === undefined) return;
	shell.complain(`${String(job.pid).padStart(5)} ${text.padEnd(23)} ${job.command}`);
}

/** Formats a job as `jobs` shows it. */
export function describeJob(job: Job, current: boolean): string {
	const state =
		job.status === null
			? 'Running'
			: job.status === 0
				? 'Done'
				: job.status > 128
					? 'Terminated'
					: `Exit ${job.status}`;
	return `[${job.number}]${current ? '+' : ' '}  ${state.padEnd(24)}${job.command}${job.status === null ? ' &' : ''}\n`;
}

const jobs: BuiltIn = async (call) => {
	const { shell, args, out } = call;
	const { flags: given, rest } = optionsOf(call);
	const flags = [...given.keys()].join('');
	const unknown = rest.find((word) => !shell.jobs.find(word));
	if (unknown !== undefined && !given.has('x')) {
		await call.complain(`${unknown}: no such job`);
		return 1;
	}
	const all = shell.jobs.listed().filter((job) => (flags.includes('r') ? job.status === null : !flags.includes('s')));
	for (const job of all) {
		if (rest.length > 0 && !rest.some((word) => shell.jobs.find(word) === job)) continue;
		await out(args.includes('-p') ? `${job.pid}\n` : describeJob(job, job === all.at(-1)));
		if (job.status !== null) shell.jobs.forget(job);
	}
	return 0;
};

/** Returns whether jobs can be brought to the foreground: at a terminal, and with `set -m`. */
const hasJobControl = (shell: Shell): boolean => shell.interactive || shell.options.monitor;

const foreground: BuiltIn = async ({ shell, args, out, complain }) => {
	if (!hasJobControl(shell)) {
		await complain('no job control');
		return 1;
	}
	const job = shell.jobs.find(args[0] ?? '%%');
	if (!job) {
		await complain(`${args[0] ?? 'current'}: no such job`);
		return 1;
	}
	await out(`${job.command}\n`);
	const forget = shell.control.onStop(() => stopJob(job, 'SIGINT'));
	try {
		return await shell.control.race(job.finished);
	} finally {
		forget();
		shell.jobs.forget(job);
	}
};

/** Traps that are not signals; bash lists the first before all signals and the others after them. */
const EVENTS = ['EXIT', 'DEBUG', 'ERR', 'RETURN'];
/** Everything that can have a trap; 32 and 33 belong to the C library. */
const ALL_TRAPS: readonly string[] = [
	'EXIT',
	...Array.from(
		{ length: 64 },
		(_, index) => LISTED.find(([number]) => number === index + 1)?.[1] ?? String(index + 1)
	),
	...EVENTS.slice(1)
];
const orderOf = (name: string) => ALL_TRAPS.indexOf(name);

function trapName(word: string): string | null {
	const number = Number(word);
	const name =
		word === '0' ? 'EXIT' : /^\d+$/.test(word) ? SIGNALS[number - 1] : word.toUpperCase().replace(/^SIG/, '');
	return name !== undefined && (EVENTS.includes(name) || SIGNALS.includes(name)) ? name : null;
}

/** @param showsDefaults whether events without a trap are listed too, as `-p` does in POSIX mode */
async function listTraps(call: Call, words: readonly string[], showsDefaults = false): Promise<number> {
	const { traps, inheritedTraps, ignoredAtStart, options } = call.shell;
	const ignored = [...ignoredAtStart].map((name): [string, string] => [name, '']);
	const known = new Map([...ignored, ...inheritedTraps, ...traps]);
	const wanted = words.map(trapName);
	const listed = showsDefaults ? ALL_TRAPS : [...known.keys()].sort((a, b) => orderOf(a) - orderOf(b));
	for (const name of words.length > 0 ? wanted : listed) {
		if (name === null || (!showsDefaults && !known.has(name))) continue;
		const action = known.get(name)?.replaceAll("'", "'\\''");
		const shown = EVENTS.includes(name) || options.posix ? name : `SIG${name}`;
		await call.out(`trap -- ${action === undefined ? '-' : `'${action}'`} ${shown}\n`);
	}
	for (const [index, name] of wanted.entries())
		if (name === null) await call.complain(`${words[index]}: invalid signal specification`);
	return wanted.includes(null) ? 1 : 0;
}

/** Signals that do not end an interactive shell. */
const SPARES_INTERACTIVE: ReadonlySet<SignalName> = new Set(['SIGINT', 'SIGQUIT', 'SIGTERM']);

const trap: BuiltIn = async (call) => {
	const { shell, args } = call;
	const words = args[0] === '--' ? args.slice(1) : args;
	if (words[0] === '-l') return showSignals(call);
	if (words.length === 0) return listTraps(call, []);
	if (words[0] === '-p') return listTraps(call, words.slice(words[1] === '--' ? 2 : 1), shell.options.posix);
	if (args[0] !== '--' && /^-./.test(words[0] ?? '')) {
		await call.complain(`${words[0]}: invalid option`);
		return 2;
	}
	const [first = '', ...rest] = words;
	// POSIX mode treats a single name as an action without a signal.
	const isAction = trapName(first) === null || (shell.options.posix && !/^\d+$/.test(first) && first !== '-');
	if (rest.length === 0 && isAction) {
		await shell.descriptors.get(2)?.write(encode(usageOf('trap')));
		return 2;
	}
	const isNumber = /^\d+$/.test(first);
	const reset = first === '-' || rest.length === 0 || isNumber;
	let status = 0;
	for (const word of rest.length === 0 || isNumber ? words : rest) {
		const name = trapName(word);
		if (name === null) {
			await call.complain(`${word}: invalid signal specification`);
			status = 1;
			continue;
		}
		shell.inheritedTraps.clear();
		// A script cannot change signals that were ignored when it started.
		if (!shell.interactive && shell.ignoredAtStart.has(name)) continue;
		if (reset) shell.traps.delete(name);
		else shell.traps.set(name, first);
		const signal = `SIG${name}`;
		if (isSignalName(signal) && !UNCATCHABLE.has(signal) && shell.subshellDepth === 0)
			shell.host.context.sync.catchSignal(signal, !reset || (shell.interactive && SPARES_INTERACTIVE.has(signal)));
	}
	return status;
};

export const jobBuiltins: Record<string, BuiltIn> = {
	kill,
	wait,
	jobs,
	trap,
	fg: foreground,
	bg: async ({ shell, args, complain }) => {
		if (hasJobControl(shell) && shell.jobs.find(args[0] ?? '%%')) return 0;
		await complain(hasJobControl(shell) ? `${args[0] ?? 'current'}: no such job` : 'no job control');
		return 1;
	},
	disown: async ({ shell, args, complain }) => {
		if (args.includes('-a')) {
			for (const job of [...shell.jobs.all()]) shell.jobs.forget(job);
			return 0;
		}
		const job = shell.jobs.find(args[0] ?? '%%');
		if (job) shell.jobs.forget(job);
		else await complain(`${args[0] ?? 'current'}: no such job`);
		return job ? 0 : 1;
	}
};
