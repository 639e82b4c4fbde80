/**
 * Recognizes "the conversation is too long" in the wording of each provider (003 §4.4). A 429 is a rate limit
 * whatever its message: callers check only 400, 413 and stream errors.
 */
const patterns: RegExp[] = [
	/prompt is too long/i, // Anthropic
	/input length and `?max_tokens`? exceed context limit/i, // Anthropic
	/exceeds the context window/i, // OpenAI
	/context_length_exceeded/i, // OpenAI and most compatible servers
	/maximum context length/i, // OpenAI Chat Completions, vLLM, DeepSeek, OpenRouter, Mistral
	/input token count.*exceeds/i, // Gemini
	/maximum prompt length is \d+/i, // xAI
	/reduce the length of the messages/i, // Groq, Cerebras
	/exceeds the available context size/i, // llama.cpp
	/greater than the context length/i, // LM Studio
	/input is too long for requested model/i, // Bedrock
	/exceeded model token limit/i, // Kimi
	/context window exceeds limit/i, // MiniMax
	/request_too_large|request exceeds the maximum size/i // Anthropic's 413
];

/**
 * Detects an overflow. Some servers report one without a message: 400 or 413 with an empty body (Cerebras, Mistral).
 */
export function isContextOverflow(status: number | undefined, text: string): boolean {
	if (status === 429) return false;
	if ((status === 400 || status === 413) && text.trim() === '') return true;
	return patterns.some((pattern) => pattern.test(text));
}

/** Detects a server that truncates instead of refusing, which only its token counts reveal (z.ai). */
export function isSilentOverflow(inputTokens: number, contextWindow: number | undefined): boolean {
	return contextWindow !== undefined && contextWindow > 0 && inputTokens > contextWindow;
}
