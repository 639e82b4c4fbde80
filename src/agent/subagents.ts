import type { ExecutionEnvironment, MergeResult, OverlayEnvironment } from '#environment/contract.ts';
import type { SessionApi } from './api.ts';
import type { AgentResult, EventBody } from './events.ts';
import type { SubagentHost } from './tool.ts';
import { InDirectory } from './in-directory.ts';
import { SessionClosedError } from './session-errors.ts';

/** 000 §7.2 */
export const SUBAGENT_MAX_TURNS = 50;

export interface ChildOptions {
	agentId: string;
	environment: ExecutionEnvironment;
	/** The child works on an overlay, so its writes do not affect the parent's files. */
	ownFiles: boolean;
	model?: string;
	maxTurns: number;
}

interface Child {
	session: SessionApi;
	result: Promise<AgentResult>;
	status: 'running' | 'completed' | 'failed';
	overlay: OverlayEnvironment | null;
	/** The fork that `overlay` was copied from; `null` for the project. */
	copiedFrom: OverlayEnvironment | null;
	/** Number of calls waiting for the child. */
	waiting: number;
	/** Set if the child's run has ended and the model has not been notified. */
	needsNotice: boolean;
	/** Report of the merge, which runs only once. */
	merge: Promise<string> | null;
}

/** Services of the parent session that subagents need. */
export interface SubagentParent {
	environment: ExecutionEnvironment;
	/** Creates the child's session. */
	create(options: ChildOptions): SessionApi;
	emit(body: EventBody): void;
	/** Merges a subagent's changes; returns a message if the merge is refused. */
	merge(overlay: OverlayEnvironment, copiedFrom: OverlayEnvironment | null): Promise<MergeResult | string>;
	/** Open fork of the family; `null` if there is none. */
	fork(): OverlayEnvironment | null;
}

/** Subagents of a session: each is a session of its own whose events nest in this one's stream. */
export class Subagents {
	readonly #children = new Map<string, Child>();
	/** Subagents being started. */
	readonly #starting = new Set<Promise<unknown>>();
	#isClosed = false;

	constructor(private readonly parent: SubagentParent) {}

	/** Returns the operations for a tool call: nothing is started or sent once its signal has fired. */
	during(signal: AbortSignal): SubagentHost {
		return {
			spawn: (options) => this.#tracked(this.#spawn(options, signal)),
			send: async (agentId, message) => this.#send(agentId, message, signal),
			wait: (agentId, given) => this.#wait(agentId, given),
			anyDone: (agentIds, timeoutMs, given) => this.#anyDone(agentIds, timeoutMs, given),
			close: (agentId) => this.#close(agentId)
		};
	}

	/** Returns a sentence for each subagent that ended while no call waited for it; each is returned once. */
	endedNotices(): string[] {
		const ended = [...this.#children].filter(([, { needsNotice }]) => needsNotice);
		return ended.map(([agentId, child]) => {
			child.needsNotice = false;
			return `${agentId} has ${child.status}. Wait for it to get its result.`;
		});
	}

	/** Returns the ids of working subagents. */
	working(): string[] {
		return [...this.#children].flatMap(([agentId, { status }]) => (status === 'running' ? [agentId] : []));
	}

	/** Ends the runs of working subagents, which can then get another task. Returns their ids. */
	async stopAll(): Promise<string[]> {
		const working = [...this.#children].filter(([, { status }]) => status === 'running');
		await Promise.all(working.map(([, { session }]) => session.stop()));
		return working.map(([agentId]) => agentId);
	}

	/** Closes all subagents; no more can be started. */
	async closeAll(): Promise<void> {
		this.#isClosed = true;
		await Promise.allSettled(this.#starting);
		await Promise.all([...this.#children.keys()].map((agentId) => this.#close(agentId)));
	}

	async #tracked<T>(start: Promise<T>): Promise<T> {
		this.#starting.add(start);
		try {
			return await start;
		} finally {
			this.#starting.delete(start);
		}
	}

	async #spawn(
		options: Parameters<SubagentHost['spawn']>[0],
		signal: AbortSignal
	): Promise<{ agentId: string; status: string }> {
		const agentId = `agent_${crypto.randomUUID().slice(0, 8)}`;
		this.#assertMayWork(signal);
		const copiedFrom = this.parent.fork();
		const overlay = options.overlay ? await this.parent.environment.overlay() : null;
		try {
			this.#assertMayWork(signal);
		} catch (error) {
			await overlay?.cleanup();
			throw error;
		}
		const base = overlay ?? this.parent.environment;
		const environment = options.workingDirectory ? new InDirectory(base, options.workingDirectory) : base;
		const session = this.parent.create({
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
			copiedFrom,
			status: 'running',
			waiting: 0,
			needsNotice: false,
			merge: null,
			result: session.submit(options.task).result
		};
		this.#children.set(agentId, child);
		this.#follow(child);
		return { agentId, status: child.status };
	}

	/** Sends a message: as steering to a working subagent, as the next task to an idle one. */
	#send(agentId: string, message: string, signal: AbortSignal): string {
		this.#assertMayWork(signal);
		const child = this.#find(agentId);
		if (child.status === 'running') {
			child.session.steer(message);
			return `Message queued for ${agentId}; it reads it after its current step.`;
		}
		child.result = child.session.submit(message).result;
		child.status = 'running';
		child.needsNotice = false;
		child.merge = null;
		this.#follow(child);
		return `Message sent; ${agentId} is working again.`;
	}

	async #wait(agentId: string, signal: AbortSignal): Promise<{ output: string; success: boolean; turns: number }> {
		const child = this.#find(agentId);
		const result = await this.#whileWaiting([child], () => orAborted(child.result, signal));
		signal.throwIfAborted();
		const notes = await this.#mergeOverlay(child, result);
		const stopped = result.stopReason === 'aborted' ? 'It was stopped before it had finished.' : '';
		const output = [result.text, result.error?.message, stopped, notes].filter(Boolean).join('\n\n');
		return { output, success: result.stopReason === 'end_turn', turns: result.turns };
	}

	async #anyDone(agentIds: readonly string[], timeoutMs: number | undefined, signal: AbortSignal): Promise<string[]> {
		const children = agentIds.map((agentId) => this.#find(agentId));
		const limit = timeoutMs === undefined ? undefined : after(timeoutMs);
		try {
			await this.#whileWaiting(children, () =>
				orAborted(Promise.race([...children.map(({ result }) => result), ...(limit ? [limit.passed] : [])]), signal)
			);
		} finally {
			limit?.cancel();
		}
		return agentIds.filter((_, index) => children[index]?.status !== 'running');
	}

	/** Marks the children as waited for while `work` runs, so that their end needs no notice. */
	async #whileWaiting<T>(children: readonly Child[], work: () => Promise<T>): Promise<T> {
		for (const child of children) {
			child.waiting += 1;
			child.needsNotice = false;
		}
		try {
			return await work();
		} finally {
			for (const child of children) child.waiting -= 1;
		}
	}

	async #close(agentId: string): Promise<string> {
		const child = this.#find(agentId);
		this.#children.delete(agentId);
		const { status } = child;
		await child.session.abort();
		await child.overlay?.cleanup();
		return `${agentId} is closed; it was ${status}.`;
	}

	#assertMayWork(signal: AbortSignal): void {
		signal.throwIfAborted();
		if (this.#isClosed) throw new SessionClosedError();
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
			if (child.result !== result) return;
			child.status = stopReason === 'end_turn' ? 'completed' : 'failed';
			// A stopped subagent needs no notice, since the stop was requested.
			child.needsNotice = child.waiting === 0 && stopReason !== 'aborted';
		});
	}

	async #nestEvents(agentId: string, session: SessionApi): Promise<void> {
		for await (const event of session.events) this.parent.emit({ type: 'subagent_event', agentId, event });
	}

	#mergeOverlay(child: Child, result: AgentResult): Promise<string> {
		const { overlay } = child;
		if (!overlay || result.stopReason !== 'end_turn') return Promise.resolve('');
		return (child.merge ??= this.parent.merge(overlay, child.copiedFrom).then((merged) => {
			if (typeof merged !== 'string') return describeMerge(merged);
			// The merge was refused: the next wait retries.
			child.merge = null;
			return merged;
		}));
	}
}

function describeMerge({ merged, conflicts }: MergeResult): string {
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

function after(ms: number): { passed: Promise<void>; cancel: () => void } {
	let timer: ReturnType<typeof setTimeout>;
	const passed = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
	return { passed, cancel: () => clearTimeout(timer) };
}
