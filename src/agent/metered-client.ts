import type { Client, Request, Response, StreamEvent, Usage } from '#llm/types.ts';
import { SpendingCapError, type Budget } from './budget.ts';

/**
 * Counts requests outside the conversation (summaries, titles) towards the budget, and refuses them once it is
 * spent. Streamed responses are passed through: the loop checks and counts those itself.
 */
export class MeteredClient implements Client {
	/** @param onUsage records what a completed request cost */
	constructor(
		private readonly client: Client,
		private readonly budget: Budget,
		private readonly onUsage: (usage: Usage) => void
	) {}

	stream(request: Request): AsyncIterable<StreamEvent> {
		return this.client.stream(request);
	}

	/** @throws SpendingCapError when the cap is reached */
	async complete(request: Request): Promise<Response> {
		const exceeded = this.budget.exceeded();
		if (exceeded) throw new SpendingCapError(exceeded.message);
		const response = await this.client.complete(request);
		this.onUsage(response.usage);
		return response;
	}
}
