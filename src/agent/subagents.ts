import type { ExecutionEnvironment, OverlayEnvironment } from '../environment/contract.ts';
import type { SessionApi } from './api.ts';
import type { AgentResult, EventBody } from './events.ts';
import type { SubagentHost } from './tool.ts';
import { InDirectory } from './in-directory.ts';

/** 000 §7.2 */
export const SUBAGENT_MAX_TURNS = 50;

export interface ChildOptions {
	agentId: string;
	environment: ExecutionEnvironment;
	/** On an overlay: its writes are not the parent's. */
	ownFiles: boolean;
	model?: string;
	maxTurns: number;
}

interface Child {
	session: SessionApi;
	result: Promise<AgentResult>;
	status: 'running' | 'completed' | 'failed';
	overlay: OverlayEnvironment | null;
	/** What a merge had to say; written once. */
	merge: Promise<string> | null;
}

/** The subagents of a session: each a session of its own whose events nest in this one's stream. */
export class Subagents implements SubagentHost {
	readonly #children = new Map<string, Child>();

	/** @param create makes the child's session */
	constructor(
		private readonly environment: ExecutionEnvironment,
		private readonly create: (options: ChildOptions) => SessionApi,
		private readonly emit: (body: EventBody) => void,
		/** Around a merge, which writes files on the subagent's behalf. */
		private readonly whileWriting: <T>(work: () => Promise<T>) => Promise<T>
	) {}

	async spawn(options: Parameters<SubagentHost['spawn']>[0]): Promise<{ agentId: string; status: string }> {
		const agentId = `agent_${crypto.randomUUID().slice(0, 8)}`;
		const overlay = options.overlay ? await this.environment.overlay() : null;
		const base = overlay ?? this.environment;
		const environment = options.workingDirectory ? new InDirectory(base, options.workingDirectory) : base;
		const session = this.create({
			agentId,
			environment,
			ownFiles: overlay !== null,
			maxTurns: options.maxTurns ?? SUBAGENT_MAX_TURNS,
			...(options.model ? { model: options.model } : {})
		});
		void this.#nestEvents(agentId, session);
		const child: Child = {
			session,
			overlay,
			status: 'running',
			merge: null,
			result: session.submit(options.task).result
		};
		this.#children.set(agentId, child);
		this.#follow(child);
		return { agentId, status: child.status };
	}

	/** To a working subagent as steering, to one that is done as its next task. */
	send(agentId: string, message: string): Promise<string> {
		const child = this.#find(agentId);
		if (child.status === 'running') {
			child.session.steer(message);
			return Promise.resolve(`Message queued for ${agentId}; it reads it after its current step.`);
		}
		child.result = child.session.submit(message).result;
		child.status = 'running';
		child.merge = null;
		this.#follow(child);
		return Promise.resolve(`Message sent; ${agentId} is working again.`);
	}

	async wait(agentId: string, signal: AbortSignal): Promise<{ output: string; success: boolean; turns: number }> {
		const child = this.#find(agentId);
		const result = await orAborted(child.result, signal);
		const notes = await this.#mergeOverlay(child, result);
		const output = [result.text, result.error?.message, notes].filter(Boolean).join('\n\n');
		return { output, success: result.stopReason === 'end_turn', turns: result.turns };
	}

	async close(agentId: string): Promise<string> {
		const child = this.#find(agentId);
		this.#children.delete(agentId);
		const { status } = child;
		await child.session.abort();
		await child.overlay?.cleanup();
		return `${agentId} is closed; it was ${status}.`;
	}

	/** They end their runs and can be given another task. */
	async stopAll(): Promise<void> {
		await Promise.all([...this.#children.values()].map(({ session }) => session.stop()));
	}

	async closeAll(): Promise<void> {
		await Promise.all([...this.#children.keys()].map((agentId) => this.close(agentId)));
	}

	#find(agentId: string): Child {
		const child = this.#children.get(agentId);
		if (child) return child;
		const known = [...this.#children.keys()].join(', ') || 'none';
		throw new Error(`There is no subagent ${agentId}. The open ones are: ${known}.`);
	}

	#follow(child: Child): void {
		const { result } = child;
		void result.then(({ stopReason }) => {
			if (child.result === result) child.status = stopReason === 'end_turn' ? 'completed' : 'failed';
		});
	}

	async #nestEvents(agentId: string, session: SessionApi): Promise<void> {
		for await (const event of session.events) this.emit({ type: 'subagent_event', agentId, event });
	}

	#mergeOverlay(child: Child, result: AgentResult): Promise<string> {
		const { overlay } = child;
		if (!overlay || result.stopReason !== 'end_turn') return Promise.resolve('');
		return (child.merge ??= this.whileWriting(() => describeMerge(overlay)));
	}
}

async function describeMerge(overlay: OverlayEnvironment): Promise<string> {
	const { merged, conflicts } = await overlay.merge();
	const lines = [
		`Merged ${merged.length} changed ${merged.length === 1 ? 'file' : 'files'} into the working directory.`
	];
	if (conflicts.length > 0)
		lines.push(
			`Not merged, because they changed on both sides: ${conflicts.map(({ path }) => path).join(', ')}. ` +
				`Read them and make the change by hand.`
		);
	return lines.join('\n');
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	signal.throwIfAborted();
	let stop: (() => void) | undefined;
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal.reason);
		signal.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		if (stop) signal.removeEventListener('abort', stop);
	}
}
