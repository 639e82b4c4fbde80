import type { ContentPart, Message, ToolCallPart, Usage } from '#llm/types.ts';
import type { AgentRun } from './api.ts';
import type { AgentResult, SessionEvent } from './events.ts';
import { runAgentLoop } from './loop/agent-loop.ts';
import type { AgentLoopConfig } from './loop/config.ts';

/** Callbacks of a host (002 F-006). An error thrown by one is reported to `onCallbackError` and has no other effect. */
export interface RunnerCallbacks {
	onMessagePart?(delta: string): void;
	onToolCall?(call: Pick<ToolCallPart, 'id' | 'name' | 'arguments'>): void;
	onToolResult?(result: { id: string; name: string; output: string; isError: boolean; durationMs: number }): void;
	onUsage?(usage: Usage): void;
	/** Called after a run; returning a text starts one more round with it. */
	onStop?(result: AgentResult): Promise<string | void> | string | void;
	onCallbackError?(callback: string, error: unknown): void;
}

/** Event stream as callbacks, with a history that continues from run to run. */
export class AgentRunner {
	readonly history: Message[];

	constructor(
		private readonly config: AgentLoopConfig,
		private readonly callbacks: RunnerCallbacks = {},
		history: readonly Message[] = []
	) {
		this.history = [...history];
	}

	/** Runs to the end. Never rejects because of the model or a tool: errors are in the result. */
	async run(input: string | ContentPart[]): Promise<AgentResult> {
		let result = await this.#consume(this.#start(input, this.config));
		// At most one more round: a hook that always returns a text must not loop.
		const more = result.stopReason === 'aborted' ? undefined : await this.#stopHook(result);
		if (more) result = await this.#consume(this.#start(more, this.config));
		return result;
	}

	/** Runs one turn: a response and its tool calls. Without input it continues the history. */
	step(input: string | ContentPart[] = []): Promise<AgentResult> {
		return this.#consume(this.#start(input, { ...this.config, maxIterations: 1 }));
	}

	#start(input: string | ContentPart[], config: AgentLoopConfig): AgentRun {
		const recordMessage = (message: Message, info: { steering: boolean }): void => {
			this.history.push(message);
			config.host?.recordMessage?.(message, info);
		};
		return runAgentLoop({ ...config, host: { ...config.host, recordMessage } }, input, [...this.history]);
	}

	async #consume(run: AgentRun): Promise<AgentResult> {
		for await (const event of run) this.#tell(event);
		return run.result;
	}

	#tell(event: SessionEvent): void {
		switch (event.type) {
			case 'assistant_text_delta':
				return this.#call('onMessagePart', event.delta);
			case 'tool_call_start':
				return this.#call('onToolCall', { id: event.callId, name: event.toolName, arguments: event.arguments });
			case 'tool_call_end': {
				const { callId: id, toolName: name, output, isError, durationMs } = event;
				return this.#call('onToolResult', { id, name, output, isError, durationMs });
			}
			case 'usage':
				return this.#call('onUsage', event.usage);
			default:
				return;
		}
	}

	#call<Name extends 'onMessagePart' | 'onToolCall' | 'onToolResult' | 'onUsage'>(
		name: Name,
		argument: Parameters<NonNullable<RunnerCallbacks[Name]>>[0]
	): void {
		try {
			// The signature pairs name and argument; TypeScript loses that in the union.
			(this.callbacks[name] as ((value: typeof argument) => void) | undefined)?.call(this.callbacks, argument);
		} catch (error) {
			this.callbacks.onCallbackError?.(name, error);
		}
	}

	async #stopHook(result: AgentResult): Promise<string | void> {
		try {
			return await this.callbacks.onStop?.(result);
		} catch (error) {
			this.callbacks.onCallbackError?.('onStop', error);
		}
	}
}
