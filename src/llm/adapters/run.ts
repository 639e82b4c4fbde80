import { costOf } from '../catalog.ts';
import { classifyThrown } from '../classify-thrown.ts';
import { ContextLengthError, StreamError } from '../errors.ts';
import { isSilentOverflow } from '../context-overflow.ts';
import { modelTraits } from '../catalog.ts';
import type { FinishReason, Request, StreamEvent, Usage } from '../types.ts';
import { MessageAssembler } from './assembler.ts';

/** What a wire's own reader fills in while it feeds the assembler. */
export interface WireState {
	assembler: MessageAssembler;
	id: string;
	/** Set when the provider has said how the response ended; a stream that ends without it broke off. */
	finishReason?: FinishReason;
	rawFinishReason?: string;
	usage: Omit<Usage, 'costUsd'>;
}

/** An open connection: its chunks, and what puts one into the state. */
export interface OpenWire {
	chunks: AsyncIterable<unknown>;
	read(chunk: unknown): void;
}

/** @param read gets each of `chunks`, and nothing else */
export function openWire<Chunk>(chunks: AsyncIterable<Chunk>, read: (chunk: Chunk) => void): OpenWire {
	return { chunks, read };
}

/**
 * Runs one response: hands on the events, and ends with exactly one `finish` or `error`, never by throwing.
 * @param open Sends the request; resolves when the provider begins to answer.
 */
export async function* runWire(
	provider: string,
	request: Request,
	open: (state: WireState) => Promise<OpenWire>
): AsyncGenerator<StreamEvent, void> {
	const state: WireState = {
		assembler: new MessageAssembler(),
		id: '',
		usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
	};
	const { assembler } = state;
	try {
		yield { type: 'start', model: request.model };
		// Not `yield*`: over an array it waits several times for each event, and most chunks bring one or none.
		const { chunks, read } = await open(state);
		for await (const chunk of chunks) {
			read(chunk);
			for (const event of assembler.take()) yield event;
		}
		if (request.signal?.aborted) throw request.signal.reason;
		if (state.finishReason === undefined) {
			throw new StreamError({ provider, message: 'The response broke off before it was complete. Try again.' });
		}
		assembler.closeAll();
		yield* assembler.take();
		yield { type: 'finish', response: response(provider, request, state) };
	} catch (thrown) {
		assembler.closeAll();
		yield* assembler.take();
		const error = classifyThrown(provider, thrown, request.signal);
		yield assembler.isEmpty ? { type: 'error', error } : { type: 'error', error, partial: assembler.message() };
	}
}

function response(provider: string, request: Request, state: WireState) {
	const { usage, assembler } = state;
	if (assembler.isEmpty && isSilentOverflow(usage.inputTokens, modelTraits(request.model)?.contextWindow)) {
		throw new ContextLengthError({ provider });
	}
	const finishReason = state.finishReason ?? 'other';
	return {
		id: state.id,
		model: request.model,
		provider,
		message: assembler.message(),
		finishReason: finishReason === 'stop' && assembler.hasToolCalls ? ('tool_calls' as const) : finishReason,
		...(state.rawFinishReason === undefined ? {} : { rawFinishReason: state.rawFinishReason }),
		usage: { ...usage, costUsd: costOf(request.model, usage) }
	};
}
