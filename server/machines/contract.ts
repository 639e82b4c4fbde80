import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Kind of machine that this server offers, as the page displays it. The page refers to it only by `id`. */
export interface MachineType {
	id: string;
	kind: 'docker' | 'kubernetes' | 'host';
	/** Name given by the operator or derived from the image or folder. */
	name: string;
	/** Absent if the kind sets no limit. */
	cpus?: number | undefined;
	memoryBytes?: number | undefined;
	/** Maximum lifetime of a machine, in seconds. */
	lifetimeS?: number | undefined;
}

/** An existing machine. */
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
	 * Opens the environment of a machine and resumes it if suspended. Its `cleanup` ends running commands and keeps the
	 * machine.
	 * @throws UnknownMachineError also for a machine that has ended on its own, since its files are lost
	 */
	attach(id: string): Promise<ExecutionEnvironment>;
	/**
	 * Resolves once a machine has ended on its own (out of memory, killed by the engine, evicted), no longer exists, or
	 * the signal fires. Never rejects: if the engine does not answer, the state of its machines is unknown.
	 */
	ended(id: string, signal: AbortSignal): Promise<void>;
	/** Pauses the machine's processes until it is attached again. Idempotent. */
	suspend(id: string): Promise<void>;
	/** Removes a machine with its files. A missing machine is no error. */
	destroy(id: string): Promise<void>;
}

/** The machine does not exist, or belongs to another server. */
export class UnknownMachineError extends Error {
	override readonly name = 'UnknownMachineError';
	constructor() {
		super('This machine no longer exists. Move the session again.');
	}
}
