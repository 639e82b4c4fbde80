import * as z from 'zod/mini';
import type { SessionEntry } from '#agent/session-log.ts';
import type { Usage } from '#llm/types.ts';
import type { StoredSession } from '#session/contract.ts';
import { Meters } from '../timeline/meters.ts';
import { eventsOf } from './stored-events.ts';

const KEY = 'spent-beside';
const Kept = z.object({
	costUsd: z.number(),
	priced: z.boolean(),
	inputTokens: z.number(),
	outputTokens: z.number()
});

/**
 * What a session cost beside the conversation that is shown: drafts of commit messages, which it keeps, and what
 * was said on branches that the person went back from. Money spent stays spent.
 */
export class SideSpending {
	/** Its context is nobody's and stays empty. */
	meters: Meters = $state.raw(new Meters());
	#drafts = new Meters();

	private constructor(private readonly stored: StoredSession) {}

	static async open(stored: StoredSession): Promise<SideSpending> {
		const spending = new SideSpending(stored);
		const kept = z.safeParse(Kept, await stored.readPageState<unknown>(KEY));
		if (kept.success) {
			const { costUsd, priced, inputTokens, outputTokens } = kept.data;
			spending.#drafts = new Meters(costUsd, priced, inputTokens, outputTokens);
		}
		spending.look();
		return spending;
	}

	/** The conversation went to another branch. */
	look(): void {
		const { log } = this.stored;
		this.meters = spentBeside(log.entries(), log.branch()).and(this.#drafts);
	}

	/** A model wrote something outside the conversation. Rejects when that could not be kept; it counts all the same. */
	async add(usage: Usage): Promise<void> {
		this.#drafts = this.#drafts.spend(usage);
		this.look();
		const { costUsd, priced, inputTokens, outputTokens } = this.#drafts;
		await this.stored.writePageState(KEY, { costUsd, priced, inputTokens, outputTokens });
	}
}

/** What was spent in entries that are not on the branch. */
function spentBeside(entries: readonly SessionEntry[], branch: readonly SessionEntry[]): Meters {
	const shown = new Set(branch.map(({ id }) => id));
	// Their numbers run anew on each branch, so each event is counted for itself.
	return eventsOf(entries.filter(({ id }) => !shown.has(id))).reduce(
		(sum, event) => sum.and(new Meters().take(event)),
		new Meters()
	);
}
