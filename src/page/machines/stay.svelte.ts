import type { ConnectionState } from '#environment/remote/connection.ts';
import type { MirroredEnvironment } from './mirrored-environment.ts';
import type { StoredMachine } from './stored-machine.ts';

/** A session's stay on a machine, as displayed by the page. */
export class MachineStay {
	environment!: MirroredEnvironment;
	connection: ConnectionState = $state('connecting');
	/** Reason why the connection was lost; empty while connected. */
	reason = $state('');
	/** Error of the last attempt to copy a change to the tab; `null` while the tab has everything. */
	failure: unknown = $state.raw(null);

	constructor(public machine: StoredMachine) {}

	readonly connected = (state: ConnectionState, reason: string): void => {
		this.connection = state;
		this.reason = reason;
	};

	/** A lost machine is reported by {@link connection}. */
	readonly failed = (error: unknown): void => {
		if (this.connection === 'connected') this.failure = error;
	};
}
