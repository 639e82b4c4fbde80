import client from '#computer/process/detached/client.ts?part';
import { FIRST_OWN_DESCRIPTOR, OWN_DESCRIPTORS, type DetachedStart } from '#computer/abi/detached-start.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { NullDescription } from '../streams/description.ts';
import { packVolume } from '#computer/volume/pack.ts';

/** Number of pids reserved for the children of one process. */
const PIDS = 4096;

/** Describes everything that `process` needs to run without asking the kernel. */
export function detachedStart(computer: Computer, process: Process): DetachedStart {
	const { volume, programs, table } = computer;
	const open = [0, 1, 2].map((number) => (process.has(number) ? process.descriptor(number) : null));
	return {
		client,
		volume: packVolume(volume),
		programs: [...programs],
		terminals: open.map((description) => Boolean(description?.terminal)),
		hasNoInput: open[0] instanceof NullDescription,
		size: process.terminal?.size ?? null,
		pids: { from: table.reserve(process, PIDS), count: PIDS }
	};
}

/** Returns whether a process may assign this number to a descriptor it creates. */
export function isOwnDescriptor(process: Process, number: unknown): number is number {
	const from = FIRST_OWN_DESCRIPTOR;
	return Number.isSafeInteger(number) && Number(number) >= from && Number(number) < from + OWN_DESCRIPTORS
		? !process.has(Number(number))
		: false;
}
