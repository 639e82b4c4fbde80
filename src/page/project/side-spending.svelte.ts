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
 * Cost of a session outside the displayed conversation: drafts of commit messages, which this class stores, and
 * messages on abandoned branches. It still counts.
 */
export class SideSpending {
	/** Its context stays empty. */
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

	/** Updates the cost after the conversation moved to another branch. */
	look(): void {
		const { log } = this.stored;
		this.meters = spentBeside(log.entries(), log.branch()).and(this.#drafts);
	}

	/** Adds the cost of text outside the conversation. Rejects if it could not be stored; it still counts. */
	async add(usage: Usage): Promise<void> {
		this.#drafts = this.#drafts.spend(usage);
		this.look();
		const { costUsd, priced, inputTokens, outputTokens } = this.#drafts;
		await this.stored.writePageState(KEY, { costUsd, priced, inputTokens, outputTokens });
	}
}

/** Cost of entries that are not on the branch. */
function spentBeside(entries: readonly SessionEntry[], branch: readonly SessionEntry[]): Meters {
	const shown = new Set(branch.map(({ id }) => id));
	// Event numbers restart on each branch, so each event is counted separately.
	return eventsOf(entries.filter(({ id }) => !shown.has(id))).reduce(
		(sum, event) => sum.and(new Meters().take(event)),
		new Meters()
	);
}
