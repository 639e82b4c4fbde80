import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { StoredSession } from '#session/contract.ts';
import type { EgressLedger } from '../egress/ledger.ts';
import { connectMachine } from './connect.ts';
import { createMachine } from './machine-api.ts';
import { LeftAlone } from './left-alone.ts';
import { MachineError } from './machine-error.ts';
import { MirroredEnvironment } from './mirrored-environment.ts';
import type { Sides } from './push-files.ts';
import { MachineStay } from './stay.svelte.ts';
import { readMachine, storeMachine, type StoredMachine } from './stored-machine.ts';

/** Starts a session's stay on a connected machine; both sides have the same files, or the machine's take precedence. */
export function beginStay(stay: MachineStay, sides: Sides, stored: StoredSession): MachineStay {
	stay.environment = new MirroredEnvironment({ ...sides, flush: () => stored.flush(), onFailure: stay.failed });
	return stay;
}

/**
 * Returns to the machine that a stored session was on, and copies its changes.
 *
 * @param home the computer in the tab, with the last stored files
 * @param egress decides about network requests of the machine's programs
 * @returns `null` if the session was in the tab, or belongs to another tab
 * @throws MachineError, EnvironmentError if the machine is gone; the session is then stored as being in the tab
 */
export async function returnToMachine(
	stored: StoredSession,
	home: ExecutionEnvironment,
	egress: EgressLedger | undefined
): Promise<MachineStay | null> {
	const machine = stored.writable ? await readMachine(stored) : null;
	if (!machine) return null;
	const stay = new MachineStay(machine);
	try {
		const there = await reconnect(machine, stored, stay, egress);
		try {
			if (there.workingDirectory() !== machine.root) throw new MachineError('machine_gone', machine.name, true);
			beginStay(stay, { home, there, leftAlone: new LeftAlone(home, there) }, stored);
			await stay.environment.pull();
			return stay;
		} catch (error) {
			await there.cleanup();
			throw error;
		}
	} catch (error) {
		await storeMachine(stored, null);
		throw error;
	}
}

/** Reconnects. A restarted server no longer knows who uses its own folder, which still exists. */
async function reconnect(
	machine: StoredMachine,
	{ summary }: StoredSession,
	stay: MachineStay,
	egress: EgressLedger | undefined
) {
	const tenant = { session: summary.id, title: summary.title };
	const options = { onState: stay.connected, egress };
	try {
		return await connectMachine(machine.id, tenant, options);
	} catch (error) {
		const isForgotten = error instanceof MachineError && error.code === 'machine_gone' && machine.kind === 'host';
		if (!isForgotten) throw error;
		return connectMachine(await createMachine(machine.type, summary.id), tenant, options);
	}
}
