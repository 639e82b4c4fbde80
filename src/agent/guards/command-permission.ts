import type { ExecOptions, ExecResult, ExecutionEnvironment, Rights, Trial } from '#environment/contract.ts';
import { ALL_RIGHTS, READ_ONLY_RIGHTS } from '#environment/contract.ts';
import { isEnvironmentError } from '#environment/errors.ts';
import type { GuardOptions, ProposalInfo } from '../api.ts';
import type { CommandExecution, CommandGrant, ProposedCommand } from '../tool.ts';
import { displayPath } from '../tools/paths.ts';
import { openEffects, wantsNothing, type OpenEffects } from './effect-rules.ts';
import { isHarmless } from './harmless-commands.ts';
import { effectPatterns, type PermissionRule } from './permission-rules.ts';
import { modeReason } from './permission.ts';
import type { PermissionRequest } from './permission-types.ts';
import { GuardRefusal } from './refusals.ts';
import { shownEffects } from './shown-effects.ts';

/** Number of trials of a command with newly allowed hosts before it is refused. */
const MAX_TRIALS = 4;

/** Paths that a background command allowed by a rule may write: caches of dev servers. */
const BACKGROUND_WRITES = ['node_modules/.vite', 'node_modules/.cache', 'node_modules/.vitest', '.vite', '.next/cache'];

/** Addition to a question about a host: most commands that need network access install packages. */
const INSTALLS =
	'If you allow the host, packages that this command installs (node_modules, lockfiles, dependencies in package.json) need no second question.';

/** A question that has not been asked yet. */
export type PermissionQuestion = Omit<PermissionRequest, 'requestId' | 'callId' | 'agentId' | 'toolName'>;

/** Parts of the session's guards that a command needs. */
export interface CommandGuard {
	options: GuardOptions;
	/** Grows as the user answers. */
	rules: readonly PermissionRule[];
	/** Asks one question at a time. Resolves if the user allows it; throws `PermissionDenied` or `GuardRefusal`. */
	ask(question: PermissionQuestion, info: ProposalInfo): Promise<void>;
}

/**
 * Decides how a command may run by its effects, not by its text. It runs on trial first if the environment can do that:
 * a result without effects is used as it is, and effects are listed in the question.
 *
 * @param line complete shell input; the question shows `change.command`
 * @returns `ended` with the result of the trial, or `run` if it may run for real
 * @throws PermissionDenied, GuardRefusal
 */
export async function permitCommand(
	guard: CommandGuard,
	change: ProposedCommand,
	exec: CommandExecution,
	info: ProposalInfo
): Promise<CommandGrant> {
	const mode = guard.options.mode();
	if (mode === 'full' || mode === 'fork') return { kind: 'run', rights: ALL_RIGHTS };
	const { environment } = guard.options;
	if (mode === 'plan') return planned(guard, change, exec);
	if (change.background) return inBackground(guard, change, info);
	if (environment.runOnTrial) return tried(guard, environment.runOnTrial.bind(environment), change, exec, info);
	if (isHarmless(change.command)) return { kind: 'run', rights: ALL_RIGHTS };
	await guard.ask(question(change, modeReason('a command runs, which cannot be tried first here'), 'run'), info);
	return { kind: 'run', rights: ALL_RIGHTS };
}

async function tried(
	guard: CommandGuard,
	runOnTrial: NonNullable<ExecutionEnvironment['runOnTrial']>,
	change: ProposedCommand,
	exec: CommandExecution,
	info: ProposalInfo
): Promise<CommandGrant> {
	const { options } = guard;
	/** Hosts allowed for this command only. */
	const hosts = new Set<string>();
	const releases = [options.network?.allow(hostRules(guard)) ?? (() => {})];
	try {
		for (let attempt = 1; ; attempt++) {
			const network = [...new Set([...hosts, ...allowedHosts(guard)])];
			const trial = await runOnTrial(exec.line, { ...exec, rights: { ...READ_ONLY_RIGHTS, network } });
			try {
				const decided = await decide(guard, trial, { change, mayInstall: hosts.size > 0 }, info, exec);
				if (decided !== 'retry') return decided;
				if (attempt === MAX_TRIALS)
					throw new GuardRefusal('permission', `It asks for other hosts each time it runs: ${[...hosts].join(', ')}.`);
				for (const host of trial.effects.hosts) hosts.add(host);
				releases.push(options.network?.allow(trial.effects.hosts) ?? (() => {}));
				exec.onRestart?.();
			} finally {
				await trial.discard();
			}
		}
	} finally {
		for (const release of releases) release();
	}
}

/** Compares a trial with mode and rules, and asks about the remaining effects. */
async function decide(
	guard: CommandGuard,
	trial: Trial,
	{ change, mayInstall }: { change: ProposedCommand; mayInstall: boolean },
	info: ProposalInfo,
	exec: ExecOptions
): Promise<CommandGrant | 'retry'> {
	const { options } = guard;
	if (info.signal.aborted) return { kind: 'ended', result: trial.result };
	const nameOf = (path: string): string => displayPath(options.environment, path);
	const coverage = { mode: options.mode(), rules: guard.rules, mayInstall };
	const wanted = await openEffects(trial, coverage, nameOf);
	if (!wantsNothing(wanted)) {
		const next = nextOf(wanted);
		const why = modeReason('a command changes or reaches anything');
		const request = question(change, next === 'retry' ? `${why} ${INSTALLS}` : why, next);
		await guard.ask({ ...request, rules: wanted.rules, effects: await shownEffects(trial, wanted, nameOf) }, info);
		if (next === 'retry') return 'retry';
		if (next === 'run') return { kind: 'run', rights: realRights(wanted) };
	}
	if (trial.effects.files.length === 0) return { kind: 'ended', result: trial.result };
	const { conflicts } = await trial.apply();
	if (conflicts.length === 0) return { kind: 'ended', result: trial.result };
	const names = conflicts.map(({ path }) => nameOf(path)).join(', ');
	const note = `\n[These files changed while the command ran, and were left as they are now: ${names}]\n`;
	exec.onOutput?.({ stream: 'stderr', data: note });
	return { kind: 'ended', result: withNote(trial.result, note) };
}

/** Next step: a server cannot keep running in a trial, and a host needs another trial. */
function nextOf({ servers, leftRunning, signals, unnamed, hosts }: OpenEffects): 'apply' | 'retry' | 'run' {
	if (servers.length + leftRunning.length + signals.length > 0 || unnamed) return 'run';
	return hosts.length > 0 ? 'retry' : 'apply';
}

const realRights = ({ signals }: OpenEffects): Rights => ({
	...ALL_RIGHTS,
	signal: signals.length > 0 ? 'all' : 'own'
});

/** Handles plan mode, which changes nothing: refuses a command with effects and names them. */
async function planned(
	{ options }: CommandGuard,
	change: ProposedCommand,
	exec: CommandExecution
): Promise<CommandGrant> {
	const { environment } = options;
	const refuse = (effects: string): never => {
		throw new GuardRefusal(
			'mode',
			`Plan mode: nothing is changed or run. This command would ${effects}. Describe what you would do; the user decides when to start.`
		);
	};
	if (change.background) return refuse('keep running');
	if (environment.runOnTrial) {
		const trial = await environment.runOnTrial(exec.line, { ...exec, rights: READ_ONLY_RIGHTS });
		await trial.discard();
		if (!wantsNothing(trial.effects)) refuse(inWords(trial, (path) => displayPath(environment, path)));
		return { kind: 'ended', result: trial.result };
	}
	try {
		return { kind: 'ended', result: await environment.exec(exec.line, { ...exec, rights: READ_ONLY_RIGHTS }) };
	} catch (error) {
		if (!isEnvironmentError(error) || error.code !== 'EUNAVAILABLE') throw error;
	}
	return isHarmless(change.command) ? { kind: 'run', rights: ALL_RIGHTS } : refuse('run where nothing holds it back');
}

async function inBackground(guard: CommandGuard, change: ProposedCommand, info: ProposalInfo): Promise<CommandGrant> {
	const { environment } = guard.options;
	const isAllowed = guard.rules.some(({ kind }) => kind === 'server') && environment.runOnTrial !== undefined;
	if (!isAllowed) {
		const why = modeReason('a command keeps running, which cannot be tried first');
		const rules: PermissionRule[] = environment.runOnTrial ? [{ kind: 'server', pattern: 'background' }] : [];
		await guard.ask({ ...question(change, why, 'run'), rules }, info);
		// If nothing can run on trial, the environment may not be able to enforce limited rights either.
		return { kind: 'run', rights: environment.runOnTrial ? { ...ALL_RIGHTS, signal: 'own' } : ALL_RIGHTS };
	}
	const root = environment.workingDirectory();
	const write = ['/tmp', ...BACKGROUND_WRITES.map((path) => `${root}/${path}`)];
	return { kind: 'run', rights: { write, network: allowedHosts(guard), signal: 'own' } };
}

function allowedHosts(guard: CommandGuard): string[] {
	return [...hostRules(guard), ...(guard.options.network?.allowed() ?? [])];
}

function hostRules({ rules }: CommandGuard): string[] {
	return effectPatterns(rules, 'host');
}

function question(change: ProposedCommand, reason: string, next: 'apply' | 'retry' | 'run'): PermissionQuestion {
	return { action: 'execute', command: change.command, description: change.description, reason, next, rules: [] };
}

function withNote(result: ExecResult, note: string): ExecResult {
	return { ...result, stderr: result.stderr + note };
}

const MAX_NAMED = 5;

/** Formats effects as the end of a sentence that starts with "it would". */
function inWords({ effects }: Trial, nameOf: (path: string) => string): string {
	const { files, hosts, servers, signals, leftRunning } = effects;
	const some = (names: readonly string[]): string => {
		const more = names.length - MAX_NAMED;
		return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
	};
	const parts = [
		files.length > 0 && `change ${some(files.map(({ path }) => nameOf(path)))}`,
		hosts.length > 0 && `reach ${some(hosts)}`,
		servers.length > 0 && `start a server on port ${some(servers.map(String))}`,
		signals.length > 0 && `signal ${some(signals.map(({ command }) => command))}`,
		leftRunning.length > 0 && `leave ${some(leftRunning)} running`
	];
	return parts.filter((part) => part !== false).join(', ') || 'do more than read';
}
