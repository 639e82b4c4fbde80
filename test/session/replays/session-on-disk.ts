import type { MachineChange } from '#agent/events.ts';
import type { SessionEntry } from '#agent/session-log.ts';
import type { ExecutionEnvironment, Snapshot } from '#environment/contract.ts';
import { StoredSessionLog } from '#session/log.ts';
import type { CollectedSession } from '#session/share/collect.ts';
import { importRepository } from '#workspace/import/import.ts';
import { MemoryCheckpointStore } from '#workspace/checkpoint-store.ts';
import { Workspace } from '#workspace/workspace.ts';

/** A session over files of this machine; its conversation and checkpoints are in memory. */
export class SessionOnDisk {
	readonly log: StoredSessionLog;
	readonly checkpoints: MemoryCheckpointStore;
	#calls = 0;
	#seq = 0;

	private constructor(
		readonly environment: ExecutionEnvironment,
		readonly workspace: Workspace,
		checkpoints: MemoryCheckpointStore,
		entries: SessionEntry[]
	) {
		this.checkpoints = checkpoints;
		this.log = new StoredSessionLog(entries, { append: async () => undefined, flush: async () => undefined });
	}

	/** @param environment must be empty */
	static async begin(environment: ExecutionEnvironment, files: Record<string, string>): Promise<SessionOnDisk> {
		await importRepository({ kind: 'files', name: 'project', files }, environment);
		return SessionOnDisk.over(environment, []);
	}

	/** Opens a session over the files of an import, with an existing conversation. */
	static async over(environment: ExecutionEnvironment, entries: SessionEntry[]): Promise<SessionOnDisk> {
		const checkpoints = new MemoryCheckpointStore((id) => environment.readBlob(id));
		const origin = { kind: 'files', name: 'project' } as const;
		const workspace = await Workspace.open({ environment, origin, store: checkpoints });
		return new SessionOnDisk(environment, workspace, checkpoints, entries);
	}

	/** The user's turn: file changes not made by a command. */
	say(text: string): void {
		const event = { type: 'user_input' as const, content: [{ type: 'text' as const, text }] };
		this.log.append({ type: 'event', event: { sessionId: 's', seq: ++this.#seq, timestamp: Date.now(), ...event } });
	}

	/** Moves to a machine that has the same files; `null`: back to the tab. */
	move(kind: MachineChange['kind'] | null): void {
		const change = { kind: kind ?? 'docker', name: 'box', tree: '', files: 1, durationMs: 1 } as const;
		const event = { type: 'machine_change', action: kind === null ? 'return' : 'move', ...change } as const;
		this.log.append({ type: 'event', event: { sessionId: 's', seq: ++this.#seq, timestamp: Date.now(), ...event } });
	}

	/** Runs a command like the agent: a checkpoint before it, its call and its end in the log. */
	async run(command: string): Promise<void> {
		const callId = `call-${++this.#calls}-${this.log.entries().length}`;
		const header = () => ({ sessionId: 's', seq: ++this.#seq, timestamp: Date.now() });
		const append = (event: object) => this.log.append({ type: 'event', event: { ...header(), ...event } as never });
		append({ type: 'tool_call_start', callId, toolName: 'shell', arguments: { command } });
		await this.checkpoint('command');
		// One stream, as in the agent's tools: two could be read in either order.
		const { exitCode, stdout } = await this.environment.exec(command);
		const output = exitCode === 0 ? stdout || '(no output)' : `${stdout}[Exit code: ${exitCode}]`;
		const details = { command, exitCode, durationMs: 1, timedOut: false, truncated: false };
		append({
			type: 'tool_call_end',
			callId,
			toolName: 'shell',
			output,
			details,
			isError: exitCode !== 0,
			durationMs: 1
		});
	}

	async checkpoint(label: string): Promise<void> {
		const { id, tree } = await this.workspace.takeCheckpoint(label, this.log.leafId());
		this.log.append({
			type: 'event',
			event: {
				sessionId: 's',
				seq: ++this.#seq,
				timestamp: Date.now(),
				type: 'checkpoint',
				checkpointId: id,
				tree,
				label
			}
		});
	}

	/** Returns files and conversation to a checkpoint, like *Go back*. */
	async goBack(index: number): Promise<void> {
		const all = this.workspace.checkpoints;
		const target = all[index % all.length];
		if (!target) return;
		await this.workspace.takeCheckpoint('Before going back', this.log.leafId());
		await this.workspace.goTo(target.id);
		if (target.entryId !== null) this.log.moveTo(target.entryId);
	}

	/** The data from which a share is made. */
	collected(): CollectedSession {
		const { checkpoints, log, environment } = this;
		return {
			summary: { title: 'A session' },
			log,
			checkpoints: () => checkpoints.checkpoints(),
			readTree: (id) => checkpoints.readTree(id),
			readBlob: (id) => environment.readBlob(id)
		};
	}

	async trees(): Promise<Snapshot['entries'][]> {
		const kept = await Promise.all(this.checkpoints.checkpoints().map(({ tree }) => this.checkpoints.readTree(tree)));
		return [...kept, (await this.environment.snapshot()).entries];
	}

	async end(): Promise<void> {
		this.workspace.close();
		await this.environment.cleanup();
	}
}
