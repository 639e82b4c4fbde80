import * as z from 'zod/mini';
import type { StoredSession } from '#session/contract.ts';
import type { StoredBaselines } from '#workspace/baselines.ts';

const KEY = 'baseline';
/** Earlier versions stored only the id, and so does a new fork. */
const Kept = z.union([z.string(), z.object({ current: z.string(), byHead: z.record(z.string(), z.string()) })]);

/** Baseline of a session's changes; `undefined` if it was never stored. */
export async function readBaseline(
	stored: Pick<StoredSession, 'readPageState'>
): Promise<string | StoredBaselines | undefined> {
	const kept = z.safeParse(Kept, await stored.readPageState<unknown>(KEY));
	return kept.success ? kept.data : undefined;
}

export function storeBaseline(
	stored: Pick<StoredSession, 'writePageState'>,
	baseline: string | StoredBaselines
): Promise<void> {
	return stored.writePageState(KEY, baseline);
}
