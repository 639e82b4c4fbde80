/** Types shared by the loop and the adapters, independent of any provider. */

/** `system` and `developer` are instructions; wire formats with only one of them get that one. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export type ContentPart =
	| TextPart
	| ImagePart
	| ImageUrlPart
	| AudioPart
	| DocumentPart
	| ToolCallPart
	| ToolResultPart
	| ThinkingPart
	| RedactedThinkingPart
	| OpaquePart;

export interface TextPart {
	type: 'text';
	text: string;
}
/** `data` is base64 without a prefix. */
export interface ImagePart {
	type: 'image';
	mediaType: string;
	data: string;
}
/** An image that the provider fetches itself. */
export interface ImageUrlPart {
	type: 'image_url';
	/** `https:`. */
	url: string;
	/** Defaults to the type implied by the extension in the address. */
	mediaType?: string;
}
/** `data` is base64 without a prefix. */
export interface AudioPart {
	type: 'audio';
	mediaType: string;
	data: string;
}
export interface DocumentPart {
	type: 'document';
	mediaType: string;
	data: string;
	name?: string;
}
export interface ToolCallPart {
	type: 'tool_call';
	id: string;
	name: string;
	/** The parsed object; `{}` if the model sent invalid JSON, with the original text in `rawArguments`. */
	arguments: Record<string, unknown>;
	rawArguments?: string;
	/** Provider data that must be returned with the call (Gemini's thought signature, OpenAI's item id). */
	provider?: OpaqueData;
}
export interface ToolResultPart {
	type: 'tool_result';
	callId: string;
	toolName: string;
	content: string;
	images?: ImagePart[];
	isError: boolean;
}
export interface ThinkingPart {
	type: 'thinking';
	text: string;
	/** Without a signature the part is never sent back. */
	signature?: string;
	provider?: OpaqueData;
}
export interface RedactedThinkingPart {
	type: 'redacted_thinking';
	data: string;
	provider?: OpaqueData;
}
/** A provider's own item that must be returned unchanged, and only to the same model and account. */
export interface OpaquePart {
	type: 'opaque';
	provider: OpaqueData;
}
export interface OpaqueData {
	provider: string;
	model: string;
	/** Account that it belongs to, if the host distinguishes accounts. */
	account?: string;
	item: unknown;
}

export interface Message {
	role: Role;
	content: ContentPart[];
}

export interface ToolDefinition {
	name: string;
	description: string;
	/** JSON Schema of an object. */
	parameters: Record<string, unknown>;
	/** A free-form tool (OpenAI's custom tools): arguments arrive as `{ input: string }`. */
	custom?: { syntax: 'lark' | 'regex'; definition: string };
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Request {
	/** Catalog id of the model. */
	model: string;
	/** Configured provider that serves it: `anthropic`, `openai`, `gemini`, `compatible-<name>`, `demo`. */
	provider: string;
	system?: string;
	messages: Message[];
	tools?: ToolDefinition[];
	toolChoice?: 'auto' | 'none' | 'required' | { name: string };
	parallelToolCalls?: boolean;
	/**
	 * The response is JSON that fits this schema of an object. Chat Completions adapters refuse it as an invalid
	 * request, since their servers differ; `generateObject` then uses a tool.
	 */
	responseFormat?: { name: string; schema: Record<string, unknown> };
	/** `null` uses the provider's default. */
	reasoningEffort?: ReasoningEffort | null;
	maxTokens?: number;
	temperature?: number;
	/** Merged into the provider's own request body by its adapter. */
	providerOptions?: Record<string, unknown>;
	/** `false` sets no cache breakpoints; default `true`. Only Anthropic's caching has to be requested. */
	promptCaching?: boolean;
	/** Keys the provider's prompt cache by session, if it supports that. */
	cacheKey?: string;
	signal?: AbortSignal;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'error' | 'other';

export interface Response {
	/** The provider's own id of the response. */
	id: string;
	model: string;
	provider: string;
	/** Role `assistant`. */
	message: Message;
	finishReason: FinishReason;
	/** The provider's own term for the finish reason. */
	rawFinishReason?: string;
	usage: Usage;
}

/** Tokens. `inputTokens` counts everything sent, including cached parts; `outputTokens` includes reasoning. */
export interface Usage {
	inputTokens: number;
	outputTokens: number;
	reasoningTokens: number;
	cacheReadTokens: number;
	cacheWriteTokens: number;
	/** US dollars from the catalog; `null` for a model without a known price. */
	costUsd: number | null;
}

/**
 * Event of `Client.stream`. Every start has one end, and its deltas carry its `id`; the last event is exactly
 * one `finish` or `error`, and iteration never throws.
 */
export type StreamEvent =
	| { type: 'start'; model: string }
	| { type: 'text_start'; id: string }
	| { type: 'text_delta'; id: string; delta: string }
	| { type: 'text_end'; id: string; text: string }
	| { type: 'reasoning_start'; id: string }
	| { type: 'reasoning_delta'; id: string; delta: string }
	| { type: 'reasoning_end'; id: string; text: string }
	| { type: 'tool_call_start'; id: string; name: string }
	| { type: 'tool_call_delta'; id: string; delta: string; partialArguments: Record<string, unknown> }
	| { type: 'tool_call_end'; call: ToolCallPart }
	| { type: 'retry'; attempt: number; delayMs: number; code: string; message: string }
	| { type: 'finish'; response: Response }
	/** `partial` contains what had arrived. */
	| { type: 'error'; error: Error; partial?: Message };

/** The model client used by the loop. `stream` is lazy: nothing is sent before the first `next()`. */
export interface Client {
	stream(request: Request): AsyncIterable<StreamEvent>;
	/** Streams internally; rejects with the typed errors of `errors.ts`. */
	complete(request: Request): Promise<Response>;
}

/** One provider's wire format, using its official SDK. Adapters do not retry. */
export interface Adapter {
	/** `wire.fetch` replaces the adapter's own for this request: the client uses it to watch deadlines. */
	stream(request: Request, wire?: { fetch: typeof globalThis.fetch }): AsyncIterable<StreamEvent>;
}
