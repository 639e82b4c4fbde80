import type { SessionEvent } from '#agent/events.ts';
import type { Usage } from '#llm/types.ts';

/** Cost, tokens and fill level of the model's context; immutable, replaced when it changes. */
export class Meters {
	constructor(
		/** US dollars; usage without a known price counts as zero. */
		readonly costUsd: number = 0,
		/** True if any answer had a price. */
		readonly priced: boolean = false,
		readonly inputTokens: number = 0,
		readonly outputTokens: number = 0,
		readonly contextTokens: number | null = null,
		readonly windowTokens: number | null = null,
		readonly lastSeq: number = 0
	) {}

	/** Returns the meters after an event; the same object if nothing changed. Includes the cost of subagents. */
	take(event: SessionEvent): Meters {
		if (event.seq <= this.lastSeq) return this;
		return this.#count(event, event.seq);
	}

	/** Returns the meters after an answer with this usage. */
	spend(usage: Usage, seq = this.lastSeq): Meters {
		return this.#plus({ ...usage, costUsd: usage.costUsd ?? 0, priced: usage.costUsd !== null }, seq);
	}

	/** Sums both costs; context and event number are those of this one. */
	and(other: Meters): Meters {
		return this.#plus(other, this.lastSeq);
	}

	#plus(spent: Pick<Meters, 'costUsd' | 'priced' | 'inputTokens' | 'outputTokens'>, seq: number): Meters {
		return new Meters(
			this.costUsd + spent.costUsd,
			this.priced || spent.priced,
			this.inputTokens + spent.inputTokens,
			this.outputTokens + spent.outputTokens,
			this.contextTokens,
			this.windowTokens,
			seq
		);
	}

	#count(event: SessionEvent, seq: number): Meters {
		switch (event.type) {
			case 'usage':
				return this.spend(event.usage, seq);
			case 'context_usage':
				return new Meters(
					this.costUsd,
					this.priced,
					this.inputTokens,
					this.outputTokens,
					event.usedTokens,
					event.windowTokens,
					seq
				);
			case 'subagent_event':
				// A subagent's context is separate; only its cost and that of its own subagents counts here.
				return event.event.type === 'context_usage' ? this : this.#count(event.event, seq);
			default:
				return this;
		}
	}
}
