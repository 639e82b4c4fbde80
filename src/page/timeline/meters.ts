import type { SessionEvent } from '#agent/events.ts';
import type { Usage } from '#llm/types.ts';

/** Cost, tokens and how full the model's context is; a value, replaced when it changes. */
export class Meters {
	constructor(
		/** US dollars; what has no price counts as none. */
		readonly costUsd: number = 0,
		/** Set if any answer had a price. */
		readonly priced: boolean = false,
		readonly inputTokens: number = 0,
		readonly outputTokens: number = 0,
		readonly contextTokens: number | null = null,
		readonly windowTokens: number | null = null,
		readonly lastSeq: number = 0
	) {}

	/** The meters after an event; the same object if nothing changed. A helper's spending counts too. */
	take(event: SessionEvent): Meters {
		if (event.seq <= this.lastSeq) return this;
		return this.#count(event, event.seq);
	}

	/** The meters after an answer that cost this. */
	spend(usage: Usage, seq = this.lastSeq): Meters {
		return this.#plus({ ...usage, costUsd: usage.costUsd ?? 0, priced: usage.costUsd !== null }, seq);
	}

	/** Sum of both costs; context and number are those of this one. */
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
				// A helper's context is its own; only what it and its own helpers spend counts here.
				return event.event.type === 'context_usage' ? this : this.#count(event.event, seq);
			default:
				return this;
		}
	}
}
