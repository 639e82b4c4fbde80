import * as z from 'zod/mini';
import type { SessionStore, StoredSession } from '#session/contract.ts';
import { parentOf } from './relatives.ts';

const KEY = 'main';

/**
 * Id of the session that a fork branches from: the one that was made main, otherwise its parent. `null` for a session
 * that is main itself.
 */
export async function mainOf(stored: Pick<StoredSession, 'readPageState' | 'summary'>): Promise<string | null> {
	const chosen = z.safeParse(z.string(), await stored.readPageState<unknown>(KEY));
	if (chosen.success) return chosen.data === stored.summary.id ? null : chosen.data;
	return parentOf(stored);
}

/** The main session is being written to by another tab. */
export class MainInUse extends Error {
	readonly code = 'main_in_use';
}

/**
 * Makes a fork the main session of its family, and the previous main session a fork; both keep their history and swap
 * their titles.
 *
 * @throws MainInUse
 */
export async function makeMain(store: SessionStore, fork: StoredSession): Promise<void> {
	const id = await currentMain(store, fork);
	if (id === fork.summary.id) return;
	const main = await store.open(id);
	try {
		if (!main.writable) throw new MainInUse('The main session is open in another tab.');
		const [title, other] = [fork.summary.title, main.summary.title];
		await main.writePageState(KEY, fork.summary.id);
		await fork.writePageState(KEY, fork.summary.id);
		await main.update({ title });
		await fork.update({ title: other });
	} finally {
		await main.close();
	}
}

/** Finds the current main session from a fork; the oldest remaining session if main was deleted. */
async function currentMain(store: SessionStore, fork: StoredSession): Promise<string> {
	const listed = new Set((await store.list()).map(({ id }) => id));
	const seen = new Set<string>();
	let id = fork.summary.id;
	for (let next = await mainOf(fork); next !== null && listed.has(next) && !seen.has(next);) {
		id = next;
		seen.add(id);
		if (id === fork.summary.id) break;
		const stored = await store.read(id);
		try {
			next = await mainOf(stored);
		} finally {
			await stored.close();
		}
	}
	return id;
}
