import type {
	CacheControlEphemeral,
	ContentBlockParam,
	MessageCreateParamsStreaming,
	MessageParam
} from '@anthropic-ai/sdk/resources/messages/messages';

/** Number of blocks before a breakpoint in which the provider looks for an earlier one. */
const lookBack = 20;
const breakpoint: CacheControlEphemeral = { type: 'ephemeral' };

/**
 * Sets cache breakpoints after the parts that stay the same from turn to turn: the tools, the system prompt, the end of
 * the conversation, and one within the 20 blocks before it, so that a turn with many results still finds the previous
 * one. Four in total, the maximum.
 */
export function setCacheBreakpoints(body: MessageCreateParamsStreaming): void {
	const tool = body.tools?.at(-1);
	if (tool && 'input_schema' in tool) tool.cache_control = breakpoint;
	const system = Array.isArray(body.system) ? body.system.at(-1) : undefined;
	if (system) system.cache_control = breakpoint;
	let end = -1;
	let place = 0;
	for (const block of fromTheEnd(body.messages)) {
		place++;
		if (!markable(block)) continue;
		if (end !== -1 && place - end < lookBack - 2) continue;
		mark(block);
		if (end !== -1) return;
		end = place;
	}
}

/** Yields the blocks from the last to the first, lazily, since a conversation is long. */
function* fromTheEnd(messages: MessageParam[]): Generator<ContentBlockParam, void> {
	for (let at = messages.length - 1; at >= 0; at--) {
		const blocks = messages[at]?.content;
		if (!Array.isArray(blocks)) continue;
		for (let index = blocks.length - 1; index >= 0; index--) {
			const block = blocks[index];
			if (block) yield block;
		}
	}
}

function markable({ type }: ContentBlockParam): boolean {
	return type !== 'thinking' && type !== 'redacted_thinking';
}

function mark(block: ContentBlockParam): void {
	Object.assign(block, { cache_control: breakpoint });
}
