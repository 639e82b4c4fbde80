import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Client, ContentPart, Message, ReasoningEffort, ToolCallPart } from '#llm/types.ts';
import type { ContextMeter } from '../context-window.ts';
import type { EventBody, SessionEvent } from '../events.ts';
import type { Hook, HookRunner } from '../hooks.ts';
import type { MessageOrigin } from '../session-log.ts';
import type { TodoList } from '../todo-list.ts';
import type { ToolBinding, ToolContext, ToolLimits, ToolResult } from '../tool.ts';

/** Default limit: runs may be unattended and each round costs money. The value is from 000 §2.2. */
export const DEFAULT_TOOL_ROUNDS = 200;

/** Configuration of one run of the loop. The loop keeps no state after the run. */
export interface AgentLoopConfig {
	client: Client;
	/** Configured provider of the client that serves the model. */
	provider: string;
	model: string;
	systemPrompt: string;
	/** Empty for a conversation without tools. */
	tools: ToolBinding[];
	environment: ExecutionEnvironment;
	/** Maximum turns of this run; then it ends with `max_iterations`. 0 or absent: unlimited. */
	maxIterations?: number;
	/**
	 * Maximum rounds of tool calls in this run; then it ends with `turn_limit`. Absent: {@link DEFAULT_TOOL_ROUNDS}; 0:
	 * unlimited.
	 */
	maxToolRounds?: number;
	/**
	 * Maximum turns of the whole session, including those before this run; then it ends with `turn_limit`. 0 or absent:
	 * unlimited.
	 */
	maxTurns?: number;
	turnsBefore?: number;
	failureDetection?: FailureDetection;
	loopDetection?: LoopDetection;
	todoStrategy?: TodoStrategy;
	/** Absent: the context is never compacted. */
	contextManager?: ContextManager;
	hooks?: Hook[];
	abortSignal?: AbortSignal;
	reasoningEffort?: ReasoningEffort | null;
	parallelToolCalls?: boolean;
	maxOutputTokens?: number;
	/** 0 or absent: the fill level of the context is not checked. */
	contextWindowTokens?: number;
	providerOptions?: Record<string, unknown>;
	/** Reason for omitting pictures from requests; absent or `null`: they are sent. */
	withoutImages?: string | null;
	cacheKey?: string;
	limits?: Partial<ToolLimits>;
	streamRetry?: StreamRetry;
	sessionId?: string;
	/** Callbacks of the session during the run. */
	host?: LoopHost;
}

/** Sliding window over the last tool calls (002 F-005). */
export interface FailureDetection {
	/** Number of calls. Default 10. */
	windowSize?: number;
	/** Number of failures among them that ends the run. Default 3. */
	failureThreshold?: number;
}

export interface LoopDetection {
	/** Default true. */
	enabled?: boolean;
	/** Number of calls. Default 10. */
	window?: number;
	/** Number of warnings about one pattern before the run ends. Default 2; 0: the run never ends because of a loop. */
	warnings?: number;
}

export interface TodoStrategy {
	enabled?: boolean;
	/** Number of turns without an update before the model is reminded. Default 10; 0 reminds every turn. */
	staleThresholdTurns?: number;
	/** `{N}` and `{todo_list}` are filled in. */
	reminderTemplate?: string;
	list: TodoList;
}

/** Retry settings for a response that broke off in the middle, e.g. because a laptop slept or a connection was lost. */
export interface StreamRetry {
	/** Default 2. */
	attempts?: number;
	/** Delay before the first retry in ms; doubles each time. Default 1,000. */
	delayMs?: number;
}

export interface ContextManager {
	/** Called before a request. `null`: use the messages unchanged. */
	beforeRequest(context: ContextState): Promise<CompactedContext | null>;
	/** Called after the provider rejected the request as too long. `null`: nothing can be done. */
	afterOverflow(context: ContextState): Promise<CompactedContext | null>;
}

export interface ContextState {
	messages: readonly Message[];
	usedTokens: number;
	windowTokens: number;
	signal: AbortSignal;
}

export interface CompactedContext {
	messages: Message[];
	beforeTokens: number;
	afterTokens: number;
	/** False when the summary failed and tool outputs were cut instead. */
	success: boolean;
}

/** Settings that may change between turns, read before each turn. */
export type TurnSettings = Pick<
	AgentLoopConfig,
	| 'client'
	| 'provider'
	| 'model'
	| 'systemPrompt'
	| 'tools'
	| 'reasoningEffort'
	| 'parallelToolCalls'
	| 'maxOutputTokens'
	| 'contextWindowTokens'
	| 'providerOptions'
	| 'withoutImages'
>;

/** Callbacks of a run's owner, usually a session. Each is optional. */
export interface LoopHost {
	/** Numbers, timestamps and stores an event. */
	emit?(body: EventBody): SessionEvent;
	settings?(): Promise<TurnSettings>;
	steering?: SteeringSource;
	/** Returns new messages of the session to the model; read before each turn. */
	notices?(): string[];
	/** Called when a message has become part of the conversation. */
	recordMessage?(message: Message, origin: MessageOrigin): void;
	/** Resolves when everything so far is stored; called before `turn_end`. */
	persist?(): Promise<void>;
	/** Called before each turn, e.g. for a checkpoint. */
	beforeTurn?(): Promise<void>;
	toolContext?(call: ToolCallPart, signal: AbortSignal, onProgress: (delta: string) => void): ToolContext;
	/**
	 * Wraps each execution, e.g. to detect the files it changes.
	 *
	 * @param signal the call's own signal: fires on stop and on interrupting steering
	 */
	aroundToolCall?(
		call: ToolCallPart,
		binding: ToolBinding,
		execute: () => Promise<ToolResult>,
		signal: AbortSignal
	): Promise<ToolResult>;
	/** Called when the model wants to end. A message makes it continue; `null` lets it end. */
	beforeEnd?(text: string): Promise<string | null>;
	/** Returns a message if no more may be spent. */
	overBudget?(): { message: string; limit: number } | null;
	meter?: ContextMeter;
	hooks?: HookRunner;
}

export interface SteeringSource {
	/** Removes and returns the queued messages. */
	take(): ContentPart[][];
	pending(): boolean;
	/** Returns true if a queued message interrupts the running tools. */
	interrupting(): boolean;
	/** Calls back when interrupting steering arrives. Returns the unsubscriber. */
	onInterrupt(listener: () => void): () => void;
}
