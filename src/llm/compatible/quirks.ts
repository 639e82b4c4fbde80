/**
 * Differences between servers that speak Chat Completions, that could otherwise cause a request to be refused or
 * misinterpreted.
 */
export interface ChatQuirks {
	/** Field that limits the output. */
	maxTokens: 'max_tokens' | 'max_completion_tokens';
	/** Way to request a reasoning effort; `none` if unsupported. */
	effort: 'reasoning_effort' | 'reasoning' | 'thinking' | 'none';
	/** Form of the model's own thinking in later requests: omitted, in tags, or in its own field. */
	thinking: 'drop' | 'tags' | 'reasoning_content';
	/** Call ids of exactly nine letters and digits, or any of up to 40 characters. */
	callIds: 'nine' | 'any';
	/** True if a tool message must name its tool. */
	toolName: boolean;
	/** True if an assistant message is required between a tool result and a user message. */
	assistantAfterTool: boolean;
	/** True if the usage of a stream must be requested, and the server accepts that. */
	askForUsage: boolean;
}

export const plainQuirks: ChatQuirks = {
	maxTokens: 'max_tokens',
	effort: 'reasoning_effort',
	thinking: 'drop',
	callIds: 'any',
	toolName: false,
	assistantAfterTool: false,
	askForUsage: true
};
