import type { SessionStore, StoredSession } from '#session/contract.ts';
import { mainOf } from '../../../outcomes/main-branch.ts';
import { parentOf, relativesOf } from '../../../outcomes/relatives.ts';
import { storedEvents } from '../../../project/stored-events.ts';
import { Timeline } from '../../../timeline/timeline-state.svelte.ts';
import { stopsOf, withoutRepeats } from '../stops.ts';
import type { Relative } from './place-lanes.ts';

/**
 * Maximum lanes: more would leave no room for the workbench; other sessions can be reached from the list of sessions.
 */
const MOST = 4;

/** Family of an open session. */
export interface Family {
	/** Session that the open one was forked from. */
	parent: string | null;
	isMain: boolean;
	/** The other sessions, as last stored. */
	others: readonly Relative[];
}

/** Reads the ancestors of the open session, its forks, and their forks. */
export async function readFamily(store: SessionStore, open: StoredSession): Promise<Family> {
	const parent = await parentOf(open);
	const isMain = (await mainOf(open)) === null;
	const waiting = [...(parent === null ? [] : [parent]), ...(await relativesOf(open)).reverse()];
	if (waiting.length === 0) return { parent, isMain, others: [] };
	const listed = new Set((await store.list()).map(({ id }) => id));
	const seen = new Set([open.summary.id]);
	const others: Relative[] = [];
	for (let id = waiting.shift(); id !== undefined && others.length < MOST; id = waiting.shift()) {
		if (seen.has(id) || !listed.has(id)) continue;
		seen.add(id);
		const { relative, ids } = await readRelative(store, id);
		others.push(relative);
		waiting.push(...ids);
	}
	return { parent: parent !== null && listed.has(parent) ? parent : null, isMain, others };
}

async function readRelative(store: SessionStore, id: string): Promise<{ relative: Relative; ids: string[] }> {
	const stored = await store.read(id);
	try {
		const timeline = new Timeline();
		timeline.load(storedEvents(stored.log));
		const happenedBefore = (checkpoint: string) => timeline.happenedBefore(checkpoint);
		const stops = stopsOf(withoutRepeats(stored.checkpoints(), happenedBefore), happenedBefore);
		const relative: Relative = {
			id,
			title: stored.summary.title,
			parent: await parentOf(stored),
			isMain: (await mainOf(stored)) === null,
			stops: stops.map(({ kind, name, checkpoint }) => ({ kind, name, entryId: checkpoint.entryId })),
			entries: new Set(stored.log.branch().map((entry) => entry.id))
		};
		return { relative, ids: await relativesOf(stored) };
	} finally {
		await stored.close();
	}
}
