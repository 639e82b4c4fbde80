import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { Client, ContentPart, Message, ReasoningEffort, ToolCallPart } from '#llm/types.ts';
import type { ContextMeter } from '../context-window.ts';
import type { EventBody, SessionEvent } from '../events.ts';
import type { Hook, HookRunner } from '../hooks.ts';
import type { MessageOrigin } from '../session-log.ts';
import type { TodoList } from '../todo-list.ts';
import type { ToolBinding, ToolContext, ToolLimits, ToolResult } from '../tool.ts';

/** Default limit, since nobody may be watching and each round costs money. The figure of 000 §2.2. */
export const DEFAULT_TOOL_ROUNDS = 200;

/** What one run of the loop needs. Everything comes in here; the loop keeps nothing afterwards. */
export interface AgentLoopConfig {
	client: Client;
	/** Which configured provider of the client serves the model. */
	provider: string;
	model: string;
	systemPrompt: string;
	/** Empty: a conversation without tools. */
	tools: ToolBinding[];
	environment: ExecutionEnvironment;
	/** Turns of this run; then `max_iterations`. 0 or absent: unlimited. */
	maxIterations?: number;
	/** Rounds of tool calls of this run; then `turn_limit`. Absent: {@link DEFAULT_TOOL_ROUNDS}; 0: unlimited. */
	maxToolRounds?: number;
	/** Turns of the whole session, those before this run counted; then `turn_limit`. 0 or absent: unlimited. */
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
	/** 0 or absent: how full the context is, is not watched. */
	contextWindowTokens?: number;
	providerOptions?: Record<string, unknown>;
	/** Why pictures are left out of requests; absent or `null`: they are sent. */
	withoutImages?: string | null;
	cacheKey?: string;
	limits?: Partial<ToolLimits>;
	streamRetry?: StreamRetry;
	sessionId?: string;
	/** How a session takes part while the run goes on. */
	host?: LoopHost;
}

/** Sliding window over the last tool calls (002 F-005). */
export interface FailureDetection {
	/** Calls. Default 10. */
	windowSize?: number;
	/** Failures among them that end the run. Default 3. */
	failureThreshold?: number;
}

export interface LoopDetection {
	/** Default true. */
	enabled?: boolean;
	/** Calls. Default 10. */
	window?: number;
	/** Warnings about one pattern before the run ends. Default 2; 0: the run never ends because of a loop. */
	warnings?: number;
}

export interface TodoStrategy {
	enabled?: boolean;
	/** Turns without an update before the model is reminded. Default 10; 0 reminds every turn. */
	staleThresholdTurns?: number;
	/** `{N}` and `{todo_list}` are filled in. */
	reminderTemplate?: string;
	list: TodoList;
}

/** A response that broke off in the middle is asked for again: a laptop slept, a connection fell. */
export interface StreamRetry {
	/** Default 2. */
	attempts?: number;
	/** Before the first of them, in ms; doubles. Default 1,000. */
	delayMs?: number;
}

export interface ContextManager {
	/** Before a request. `null`: go on with the messages as they are. */
	beforeRequest(context: ContextState): Promise<CompactedContext | null>;
	/** After the provider refused the request as too long. `null`: nothing can be done. */
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

/** What may change between two turns, read before each. */
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

/** The owner's side of a run: a session's, or the defaults of a bare one. Each part is optional. */
export interface LoopHost {
	/** Numbers, stamps and keeps an event. */
	emit?(body: EventBody): SessionEvent;
	settings?(): Promise<TurnSettings>;
	steering?: SteeringSource;
	/** Returns new messages of the session to the model; read before each turn. */
	notices?(): string[];
	/** A message has become part of the conversation. */
	recordMessage?(message: Message, origin: MessageOrigin): void;
	/** Everything so far is safe; called before `turn_end`. */
	persist?(): Promise<void>;
	/** Before each turn, e.g. for a checkpoint. */
	beforeTurn?(): Promise<void>;
	toolContext?(call: ToolCallPart, signal: AbortSignal, onProgress: (delta: string) => void): ToolContext;
	/** Around each execution, e.g. to see which files it changed. */
	aroundToolCall?(call: ToolCallPart, binding: ToolBinding, execute: () => Promise<ToolResult>): Promise<ToolResult>;
	/** A sentence when no more may be spent. */
	overBudget?(): { message: string; limit: number } | null;
	meter?: ContextMeter;
	hooks?: HookRunner;
}

export interface SteeringSource {
	/** What waits, which is thereby taken. */
	take(): ContentPart[][];
	pending(): boolean;
	/** Whether something that waits interrupts the running tools. */
	interrupting(): boolean;
	/** Calls back when interrupting steering arrives. Returns the unsubscriber. */
	onInterrupt(listener: () => void): () => void;
}
