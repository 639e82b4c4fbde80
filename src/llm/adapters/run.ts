import type { ArrivingIterator } from '../arrived.ts';
import { costOf } from '../catalog.ts';
import { classifyThrown } from '../classify-thrown.ts';
import { ContextLengthError, StreamError } from '../errors.ts';
import { isSilentOverflow } from '../context-overflow.ts';
import { modelTraits } from '../catalog.ts';
import type { FinishReason, Request, StreamEvent, Usage } from '../types.ts';
import { MessageAssembler } from './assembler.ts';

/** State that a wire format's reader fills in while it feeds the assembler. */
export interface WireState {
	assembler: MessageAssembler;
	id: string;
	/** Set when the provider reports how the response ended; a stream that ends without it was cut off. */
	finishReason?: FinishReason;
	rawFinishReason?: string;
	usage: Omit<Usage, 'costUsd'>;
}

/** An open connection and the function that applies its items to the state. */
export interface OpenWire<Item extends object> {
	/** Returns the next items, possibly none; `null` at the end. */
	next(): Promise<readonly Item[] | null>;
	/** Called with each item that `next` returned, and nothing else. */
	read(item: Item): void;
	/** Releases the connection, even if it has already ended. */
	close(): void;
}

/**
 * Runs one response: forwards the events, and ends with exactly one `finish` or `error`; never throws.
 * @param open sends the request; resolves when the provider starts to respond
 */
export function runWire<Item extends object>(
	provider: string,
	request: Request,
	open: (state: WireState) => Promise<OpenWire<Item>>
): AsyncGenerator<StreamEvent, void> & ArrivingIterator<StreamEvent> {
	const state: WireState = {
		assembler: new MessageAssembler(),
		id: '',
		usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }
	};
	const arriving = new Arriving<Item>(state.assembler);
	return Object.assign(run(provider, request, state, arriving, open), { arrived: () => arriving.next() });
}

async function* run<Item extends object>(
	provider: string,
	request: Request,
	state: WireState,
	arriving: Arriving<Item>,
	open: (state: WireState) => Promise<OpenWire<Item>>
): AsyncGenerator<StreamEvent, void> {
	const { assembler } = state;
	let wire: OpenWire<Item> | undefined;
	try {
		yield { type: 'start', model: request.model };
		wire = await open(state);
		for (let items = await wire.next(); items; items = await wire.next()) {
			arriving.take(wire, items);
			for (let event = arriving.next(); event; event = arriving.next()) yield event;
			if (arriving.failure) throw arriving.failure.thrown;
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
	} finally {
		wire?.close();
	}
}

/** Items of the last bytes and their events: each item is read when its events are requested. */
class Arriving<Item extends object> {
	/** Error that ended the reading of items, thrown once the events before it are consumed. */
	failure: { thrown: unknown } | undefined;
	private items: readonly Item[] = [];
	private item = 0;
	private events: readonly StreamEvent[] = [];
	private event = 0;
	private wire: OpenWire<Item> | undefined;

	constructor(private readonly assembler: MessageAssembler) {}

	take(wire: OpenWire<Item>, items: readonly Item[]): void {
		this.wire = wire;
		this.items = items;
		this.item = 0;
	}

	next(): StreamEvent | undefined {
		while (this.event === this.events.length) {
			const item = this.items[this.item];
			if (item === undefined || this.failure) return undefined;
			this.item++;
			try {
				this.wire?.read(item);
			} catch (thrown) {
				this.failure = { thrown };
			}
			this.events = this.assembler.take();
			this.event = 0;
		}
		return this.events[this.event++];
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
