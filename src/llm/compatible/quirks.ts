/** Where servers that speak Chat Completions differ from each other, as far as a request can be refused or misread for it. */
export interface ChatQuirks {
	/** Which field limits the output. */
	maxTokens: 'max_tokens' | 'max_completion_tokens';
	/** How the effort of thinking is asked for; `none` where it cannot be. */
	effort: 'reasoning_effort' | 'reasoning' | 'thinking' | 'none';
	/** What becomes of the model's own thinking in later requests: left out, said in tags, or given back in its field. */
	thinking: 'drop' | 'tags' | 'reasoning_content';
	/** Call ids of exactly nine letters and digits, or any of up to 40 characters. */
	callIds: 'nine' | 'any';
	/** A tool message names its tool. */
	toolName: boolean;
	/** The person may not speak right after a tool: a sentence of the model's stands between. */
	assistantAfterTool: boolean;
	/** Whether usage has to be, and may be, asked for in a stream. */
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
