import { createGuards } from '../../../src/agent/guards/guards.ts';
import type { PermissionMode, PermissionRequest } from '../../../src/agent/guards/permission-types.ts';
import { GuardRefusal } from '../../../src/agent/guards/refusals.ts';
import type { WasmExecutionEnvironment } from '../../../src/environment/wasm/execution-environment.ts';
import { memoryState } from '../../contract/tools/harness.ts';
import { VICTIM, type Attack } from './lines.ts';

/** Computer that attacks are tried on, with what they could reach outside. */
export interface Target {
	sandbox: WasmExecutionEnvironment;
	/** Requests that reached the page. */
	requests: string[];
	victim: { pid: number; ended: boolean };
}

export interface Outcome {
	/** What the attack did without being asked about, in words; `null`: nothing. */
	unasked: string | null;
	/** The question, where one was put. */
	question: PermissionRequest | null;
	/** The explanation of a refusal by the mode. */
	refusal: string | null;
}

/** Runs one attack as a command of the agent, denying what is asked. */
export async function attempt(target: Target, { line }: Attack, mode: PermissionMode): Promise<Outcome> {
	const { sandbox, victim } = target;
	const before = await stateOf(target);
	target.requests.length = 0;
	let question: PermissionRequest | null = null;
	const guards = createGuards({
		environment: sandbox,
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
	const change = { kind: 'execute' as const, command: line, cwd: '/workspace', description: 'Run', background: false };
	const exec = { line, cwd: '/workspace', timeoutMs: 30_000, env: { VICTIM: String(victim.pid) } };
	let refusal: string | null = null;
	try {
		await guards.permitCommand?.(change, exec, info);
	} catch (error) {
		if (!(error instanceof GuardRefusal)) throw error;
		refusal = error.message;
	}
	const after = await stateOf(target);
	const unasked =
		after !== before
			? `the state changed from\n${before}\nto\n${after}`
			: target.requests.length > 0
				? `reached ${target.requests.join(', ')}`
				: null;
	return { unasked, question, refusal };
}

/** Whether the effects that a question shows name what an attack does. */
export function names({ effects }: PermissionRequest, { harm }: Attack, victim: number): boolean {
	if (!effects) return false;
	const shown = {
		file: [...effects.files.map(({ path }) => path), ...effects.moreFiles.map(({ directory }) => directory)],
		host: effects.hosts,
		server: effects.servers.map(String),
		signal: effects.signals,
		'left running': effects.leftRunning
	}[harm.kind];
	const name = harm.name === VICTIM ? ` ${victim} ` : harm.name;
	return shown.some((one) => one.includes(name));
}

/** Whether the attack does its harm where nothing holds it back: some disguises do not suit some lines. */
export async function works({ sandbox, requests }: Target, { harm, line }: Attack): Promise<boolean> {
	const copy = await sandbox.runOnTrial(line, {
		timeoutMs: 30_000,
		env: { VICTIM: '1' },
		rights: { write: 'all', network: 'all', signal: 'all' }
	});
	try {
		const { files, leftRunning } = copy.effects;
		if (harm.kind === 'file') return files.some(({ path }) => path.endsWith(harm.name));
		if (harm.kind === 'left running') return leftRunning.some((one) => one.includes(harm.name));
		if (harm.kind === 'host') return requests.some((url) => new URL(url).host === harm.name);
		// A signal has no harmless copy: that the question names it is proof enough.
		return false;
	} finally {
		await copy.discard();
		requests.length = 0;
	}
}

async function stateOf({ sandbox, victim }: Target): Promise<string> {
	const { id } = await sandbox.snapshot();
	const { stdout } = await sandbox.exec(
		'find /home/user /tmp -type f -exec sha1sum {} + | sort; ps -eo args | grep -c "sleep 123[4]"'
	);
	return `${id} ${stdout} ${JSON.stringify(sandbox.loopback.ports)} ${victim.ended}`;
}
