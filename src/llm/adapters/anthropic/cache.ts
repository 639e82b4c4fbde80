import type {
	CacheControlEphemeral,
	ContentBlockParam,
	MessageCreateParamsStreaming
} from '@anthropic-ai/sdk/resources/messages/messages';

const mostBreakpoints = 4;
/** The provider looks back this many blocks from a breakpoint for an earlier one. */
const lookBack = 20;
const breakpoint: CacheControlEphemeral = { type: 'ephemeral' };

/**
 * Marks what stays the same from turn to turn: the tools, the system prompt, the end of the conversation, and one more
 * within the 20 blocks before it, so that a turn of many results still finds the last one. At most four altogether.
 */
export function setCacheBreakpoints(body: MessageCreateParamsStreaming): void {
	let left = mostBreakpoints;
	const tool = body.tools?.at(-1);
	if (tool && 'input_schema' in tool) {
		tool.cache_control = breakpoint;
		left--;
	}
	const system = Array.isArray(body.system) ? body.system.at(-1) : undefined;
	if (system) {
		system.cache_control = breakpoint;
		left--;
	}
	const blocks = body.messages.flatMap((message) => (Array.isArray(message.content) ? message.content : []));
	const end = lastMarkable(blocks, blocks.length - 1);
	if (end === -1) return;
	mark(blocks[end]);
	left--;
	const earlier = lastMarkable(blocks, end - (lookBack - 2));
	if (left > 0 && earlier >= 0) mark(blocks[earlier]);
}

function lastMarkable(blocks: ContentBlockParam[], from: number): number {
	for (let index = Math.min(from, blocks.length - 1); index >= 0; index--) {
		const type = blocks[index]?.type;
		if (type !== 'thinking' && type !== 'redacted_thinking') return index;
	}
	return -1;
}

function mark(block: ContentBlockParam | undefined): void {
	if (block && block.type !== 'thinking' && block.type !== 'redacted_thinking') {
		Object.assign(block, { cache_control: breakpoint });
	}
}
