import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Kind of machine that this server offers, as the page displays it. The page names it by `id` and nothing else. */
export interface MachineType {
	id: string;
	kind: 'docker' | 'kubernetes' | 'host';
	/** Name given by the operator or derived from the image or folder. */
	name: string;
	/** Absent where the kind sets no limit. */
	cpus?: number | undefined;
	memoryBytes?: number | undefined;
	/** Seconds that a machine lives at most. */
	lifetimeS?: number | undefined;
}

/** A machine that exists. */
export interface Machine {
	id: string;
	type: string;
	/** Milliseconds since 1970. */
	createdMs: number;
	isSuspended: boolean;
}

/**
 * Creates and ends machines of one kind. Every implementation passes `test/contract/machine-provider.ts`. Only
 * machines that carry the label of this server are ever listed, attached, suspended or destroyed.
 */
export interface MachineProvider {
	readonly type: MachineType;
	/** Resolves if machines can be created now. @throws Error with the reason */
	check(): Promise<void>;
	create(): Promise<Machine>;
	list(): Promise<Machine[]>;
	/**
	 * Opens the files and commands of a machine, resuming it. Its `cleanup` ends what runs and keeps the machine.
	 * @throws UnknownMachineError also for one that has ended by itself, since its files went with it
	 */
	attach(id: string): Promise<ExecutionEnvironment>;
	/**
	 * Resolves once a machine has ended by itself (out of memory, killed by the engine, evicted), is gone, or the signal
	 * fires. Never rejects: an engine that does not answer says nothing about its machines.
	 */
	ended(id: string, signal: AbortSignal): Promise<void>;
	/** Stops its processes from using the processor until it is attached again. Idempotent. */
	suspend(id: string): Promise<void>;
	/** Removes a machine with its files. A missing machine is no error. */
	destroy(id: string): Promise<void>;
}

/** The machine is not there, or is none of this server. */
export class UnknownMachineError extends Error {
	override readonly name = 'UnknownMachineError';
	constructor() {
		super('This machine no longer exists. Move the session again.');
	}
}
