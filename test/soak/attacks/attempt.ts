import { createGuards } from '#agent/guards/guards.ts';
import type { PermissionMode, PermissionRequest } from '#agent/guards/permission-types.ts';
import { GuardRefusal } from '#agent/guards/refusals.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { memoryState } from '#test/contract/tools/harness.ts';
import { VICTIM, type Attack, type AttackList, type Harm } from './lines.ts';

/**
 * Knowledge of an effect before it happens: by its name; as something without a name; not at all, since a trial cannot
 * even see its target; only by the line, since nothing runs before the answer.
 */
export type Knowledge = 'by name' | 'unnamed' | 'out of reach' | 'by line';

/** Computer on which attacks are tried, with targets outside. */
export interface Target extends AttackList {
	environment: ExecutionEnvironment;
	victim: { pid: number; ended: boolean };
	/** Hosts reached by attacks; cleared before each. */
	reached: string[];
	knows(kind: Harm['kind']): Knowledge;
	/** State as lines, which differ after any change made by an attack. */
	state(): Promise<string>;
	/** Tells whether the attack succeeds if nothing stops it: some disguises do not suit some lines. */
	works(attack: Attack): Promise<boolean>;
	close(): Promise<void>;
}

export interface Outcome {
	/** Description of what the attack did without permission; `null`: nothing. */
	unasked: string | null;
	/** The question, if one was asked. */
	question: PermissionRequest | null;
	/** The explanation, if the mode refused it. */
	refusal: string | null;
}

/** Runs one attack as a command of the agent, denying every question. */
export async function attempt(target: Target, { line }: Attack, mode: PermissionMode): Promise<Outcome> {
	const { environment, victim } = target;
	const before = await target.state();
	target.reached.length = 0;
	let question: PermissionRequest | null = null;
	const guards = createGuards({
		environment,
		state: memoryState(),
		mode: () => mode,
		readBeforeWrite: () => 'off',
		allowRules: [],
		ask: (request) => {
			question = request;
			return Promise.resolve({ kind: 'deny_explain', explanation: 'No.' });
		}
	});
	const signal = new AbortController().signal;
	const info = { callId: 'call', agentId: 'main', toolName: 'Bash', signal };
	const cwd = environment.workingDirectory();
	const change = { kind: 'execute' as const, command: line, cwd, description: 'Run', background: false };
	const exec = { line, cwd, timeoutMs: 30_000, env: { VICTIM: String(victim.pid) } };
	let refusal: string | null = null;
	try {
		const grant = await guards.permitCommand?.(change, exec, info);
		// Like the tool: a command allowed without a question is run.
		if (grant?.kind === 'run') await environment.exec(line, { ...exec, rights: grant.rights });
	} catch (error) {
		if (!(error instanceof GuardRefusal)) throw error;
		refusal = error.message;
	}
	const after = await target.state();
	const changes = [...linesOnlyIn(before, after, '-'), ...linesOnlyIn(after, before, '+')];
	const unasked = [...changes, ...target.reached.map((host) => `reached ${host}`)].join('\n') || null;
	return { unasked, question, refusal };
}

function linesOnlyIn(one: string, other: string, sign: string): string[] {
	const known = new Set(other.split('\n'));
	return one.split('\n').flatMap((line) => (known.has(line) ? [] : [`${sign} ${line}`]));
}

/** Tells whether a question shows what an attack does, as far as that can be known. */
export function names({ effects, command }: PermissionRequest, { harm, line }: Attack, target: Target): boolean {
	const knowledge = target.knows(harm.kind);
	if (knowledge === 'by line') return effects === undefined && command === line;
	if (!effects) return false;
	if (knowledge === 'unnamed') return effects.unnamed;
	const shown = {
		file: [...effects.files.map(({ path }) => path), ...effects.moreFiles.map(({ directory }) => directory)],
		host: effects.hosts,
		signal: effects.signals,
		'left running': effects.leftRunning
	}[harm.kind];
	const name = harm.name === VICTIM ? ` ${target.victim.pid} ` : harm.name;
	return shown.some((one) => one.includes(name));
}
