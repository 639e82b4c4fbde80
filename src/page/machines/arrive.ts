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

/** Begins a session's stay on a machine that is connected; both sides have the same files, or the machine's count. */
export function beginStay(stay: MachineStay, sides: Sides, stored: StoredSession): MachineStay {
	stay.environment = new MirroredEnvironment({ ...sides, flush: () => stored.flush(), onFailure: stay.failed });
	return stay;
}

/**
 * Returns to the machine that a stored session was on, and copies what has changed there.
 *
 * @param home the computer in the tab, with the files that were stored last
 * @param egress decides about what programs of the machine want from the network
 * @returns `null` if the session was in the tab, or is another tab's
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

/** A server that was started again has forgotten who uses its own folder, which is still there. */
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
