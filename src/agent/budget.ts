import type { Usage } from '#llm/types.ts';
import { totalTokens } from '#llm/usage.ts';
import type { SessionEvent } from './events.ts';

/** Spending limits; read again for each decision. */
export interface BudgetLimits {
	/** US dollars; absent: no cap. */
	spendingCapUsd?: number | undefined;
	/** Cost outside the conversation that counts as well. US dollars. */
	spentBesideUsd?: number | undefined;
}

/** Thrown instead of sending a request when the spending cap is reached. */
export class SpendingCapError extends Error {
	override readonly name = 'SpendingCapError';
	readonly code = 'spending_cap';
}

/** Adds up what a session and all its subagents cost, and compares it with the cap. */
export class Budget {
	/** US dollars. */
	spentUsd = 0;
	readonly #unpricedModels = new Set<string>();

	/**
	 * @param limits returns the current limits
	 * @param warn called once for each model without a price while there is a cap
	 */
	constructor(
		private readonly limits: () => BudgetLimits,
		private readonly warn: (message: string) => void
	) {}

	/** Adds the cost of one response. */
	add(usage: Usage, model: string): void {
		this.spentUsd += usage.costUsd ?? 0;
		if (usage.costUsd !== null || totalTokens(usage) === 0 || this.#unpricedModels.has(model)) return;
		this.#unpricedModels.add(model);
		this.#warnAbout([model]);
	}

	/** Returns a message and the cap if the cap is reached. */
	exceeded(): { message: string; limit: number } | null {
		const { spendingCapUsd: limit, spentBesideUsd = 0 } = this.limits();
		if (limit === undefined || this.spentUsd + spentBesideUsd < limit) return null;
		return { limit, message: `The spending cap of $${limit} is reached. Raise it to go on.` };
	}

	/** Resets the warnings after a change of the cap: models already seen without a price are reported again. */
	limitsChanged(): void {
		this.#warnAbout([...this.#unpricedModels]);
	}

	#warnAbout(models: readonly string[]): void {
		const { spendingCapUsd } = this.limits();
		if (spendingCapUsd === undefined || models.length === 0) return;
		const names = models.join(', ');
		this.warn(
			`The spending cap of $${spendingCapUsd} cannot hold: no price is known for ${names}, whose answers count as $0.`
		);
	}
}

/** Total cost of a list of events in US dollars, including nested subagents. */
export function costOfEvents(events: readonly SessionEvent[]): number {
	return events.reduce((sum, event) => {
		const inner = innermost(event);
		return inner.type === 'usage' ? sum + (inner.usage.costUsd ?? 0) : sum;
	}, 0);
}

/** Returns the event inside any number of nested subagent events. */
export function innermost(event: SessionEvent): SessionEvent {
	let inner = event;
	while (inner.type === 'subagent_event') inner = inner.event;
	return inner;
}
