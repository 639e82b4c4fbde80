import type { Client, Request, Response, StreamEvent, ToolCallPart, Usage, FinishReason } from '#llm/types.ts';

/** One scripted response or error. */
export interface FakeTurn {
	text?: string;
	reasoning?: string;
	calls?: { id?: string; name: string; arguments?: Record<string, unknown>; rawArguments?: string }[];
	finishReason?: FinishReason;
	usage?: Partial<Usage>;
	/** Fails with this error after the content so far. */
	error?: Error;
	/** Sends nothing more; does not even end by itself when the request's signal is aborted. */
	stall?: boolean;
	/** Called when the request arrives. */
	onRequest?: (request: Request) => void | Promise<void>;
}

const noUsage: Usage = {
	inputTokens: 10,
	outputTokens: 5,
	reasoningTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd: 0
};

/** A model that responds as scripted, in chunks of `chunk` characters. */
export class FakeClient implements Client {
	readonly requests: Request[] = [];
	readonly completions: Request[] = [];
	#next = 0;
	#calls = 0;

	constructor(
		private turns: readonly FakeTurn[],
		private readonly options: {
			chunk?: number;
			complete?: (request: Request) => Promise<string> | string;
			/** Separate scripts for subagents, by task. */
			tasks?: Record<string, FakeTurn[]>;
		} = {}
	) {}

	/** Replaces the script for the following requests. */
	script(turns: readonly FakeTurn[]): void {
		this.turns = turns;
		this.#next = 0;
	}

	async *stream(request: Request): AsyncGenerator<StreamEvent> {
		this.requests.push({ ...request, messages: structuredClone(request.messages) });
		const [first] = request.messages[0]?.content ?? [];
		const task = first?.type === 'text' ? this.options.tasks?.[first.text] : undefined;
		const turn = (task ? task.shift() : this.turns[this.#next++]) ?? { text: 'Done.' };
		await turn.onRequest?.(request);
		yield { type: 'start', model: request.model };
		const message: Response['message'] = { role: 'assistant', content: [] };
		if (turn.reasoning !== undefined) {
			yield { type: 'reasoning_start', id: 'r' };
			for (const delta of this.#pieces(turn.reasoning)) yield { type: 'reasoning_delta', id: 'r', delta };
			yield { type: 'reasoning_end', id: 'r', text: turn.reasoning };
			message.content.push({ type: 'thinking', text: turn.reasoning, signature: 's' });
		}
		if (turn.text !== undefined) {
			yield { type: 'text_start', id: 't' };
			for (const delta of this.#pieces(turn.text)) yield { type: 'text_delta', id: 't', delta };
			// A response that breaks off leaves its text block open, like a lost connection.
			if (!turn.error && !turn.stall) yield { type: 'text_end', id: 't', text: turn.text };
			message.content.push({ type: 'text', text: turn.text });
		}
		if (turn.stall) await new Promise(() => undefined);
		if (turn.error) {
			yield { type: 'error', error: turn.error, partial: message };
			return;
		}
		for (const { id = `call_${++this.#calls}`, name, arguments: args = {}, rawArguments } of turn.calls ?? []) {
			const call: ToolCallPart = {
				type: 'tool_call',
				id,
				name,
				arguments: args,
				...(rawArguments === undefined ? {} : { rawArguments })
			};
			yield { type: 'tool_call_start', id, name };
			yield { type: 'tool_call_delta', id, delta: rawArguments ?? JSON.stringify(args), partialArguments: args };
			yield { type: 'tool_call_end', call };
			message.content.push(call);
		}
		const finishReason = turn.finishReason ?? (turn.calls ? 'tool_calls' : 'stop');
		const usage = { ...noUsage, ...turn.usage };
		yield {
			type: 'finish',
			response: { id: 'r', model: request.model, provider: request.provider, message, finishReason, usage }
		};
	}

	async complete(request: Request): Promise<Response> {
		this.completions.push(request);
		const text = await (this.options.complete ?? (() => 'A summary.'))(request);
		const message: Response['message'] = { role: 'assistant', content: [{ type: 'text', text }] };
		return { id: 'c', model: request.model, provider: request.provider, message, finishReason: 'stop', usage: noUsage };
	}

	*#pieces(text: string): Generator<string> {
		const { chunk = 4 } = this.options;
		for (let index = 0; index < text.length; index += chunk) yield text.slice(index, index + chunk);
	}
}
