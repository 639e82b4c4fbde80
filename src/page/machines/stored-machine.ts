import type { StoredSession } from '#session/contract.ts';
import * as z from 'zod/mini';
import { MACHINE_KINDS } from '#agent/events.ts';

const KEY = 'machine';

const StoredMachine = z.object({
	id: z.string(),
	type: z.string(),
	kind: z.enum(MACHINE_KINDS),
	name: z.string(),
	/** Working directory on the machine: a different one means a different machine. */
	root: z.string(),
	/** Milliseconds since the epoch. */
	sinceMs: z.number(),
	/** Time when the server removes it; absent if there is no limit. */
	endsMs: z.optional(z.number())
});
/** Machine that a session is on, as stored with the session. */
export type StoredMachine = z.infer<typeof StoredMachine>;

/** Machine that a session was on when it was last stored; `null` if it was in the tab. */
export async function readMachine(stored: StoredSession): Promise<StoredMachine | null> {
	const parsed = z.safeParse(StoredMachine, await stored.readPageState(KEY));
	return parsed.success ? parsed.data : null;
}

/** Stores the machine of a session; `null`: it is in the tab. */
export async function storeMachine(stored: StoredSession, machine: StoredMachine | null): Promise<void> {
	await stored.writePageState(KEY, machine);
}
