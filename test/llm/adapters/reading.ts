import type { AdapterConfig } from '#llm/adapters/adapter.ts';
import { MessageAssembler } from '#llm/adapters/assembler.ts';
import type { WireState } from '#llm/adapters/run.ts';
import type { ContentPart, Request, StreamEvent } from '#llm/types.ts';

/** A request to one model, with the configuration of its provider. */
export interface Asked {
	config: AdapterConfig;
	request: Request;
}

export function asked(provider: string, model: string, more: Partial<Request> = {}): Asked {
	return { config: { name: provider }, request: { provider, model, messages: [], ...more } };
}

/** Applies a provider's items to a fresh state, and returns what a consumer receives. */
export function readAll<Item>(reader: (state: WireState) => { read(item: Item): void }, items: readonly Item[]) {
	const state: WireState = {
		assembler: new MessageAssembler(),
		id: '',
		usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
	};
	const reading = reader(state);
	for (const item of items) reading.read(item);
	const events: StreamEvent[] = state.assembler.take();
	state.assembler.closeAll();
	const content: ContentPart[] = state.assembler.message().content;
	return { state, events, content, types: events.map(({ type }) => type) };
}

/** The error thrown while these items are read. */
export function failureOf(read: () => unknown): unknown {
	try {
		read();
	} catch (error) {
		return error;
	}
	throw new Error('Reading threw no error.');
}
