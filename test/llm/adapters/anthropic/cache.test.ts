import type { ContentBlockParam, MessageParam } from '@anthropic-ai/sdk/resources/messages/messages';
import { describe, expect, it } from 'vitest';
import { setCacheBreakpoints } from '#llm/adapters/anthropic/cache.ts';

const text = (words: string): ContentBlockParam => ({ type: 'text', text: words });
const thinking: ContentBlockParam = { type: 'thinking', thinking: 'Hm.', signature: 's' };
const message = (...content: ContentBlockParam[]): MessageParam => ({ role: 'user', content });

/** Marks the messages, and returns the positions of the marked blocks, counted from the end. */
function marked(messages: MessageParam[]): number[] {
	setCacheBreakpoints({ model: 'm', max_tokens: 1, stream: true, messages });
	const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).reverse();
	return blocks.flatMap((block, index) => ('cache_control' in block ? [index] : []));
}
const many = (count: number) => Array.from({ length: count }, (_, index) => text(String(index)));

describe('breakpoints of the cache', () => {
	it('are at the end, and once more where the provider still finds it from there', () => {
		expect(marked([message(...many(60))])).toEqual([0, 18]);
		expect(marked(many(60).map((block) => message(block)))).toEqual([0, 18]);
		expect(marked([message(...many(19))])).toEqual([0, 18]);
		expect(marked([message(...many(18))])).toEqual([0]);
		expect(marked([])).toEqual([]);
	});

	it('are never on thinking, which cannot have one', () => {
		const redacted: ContentBlockParam = { type: 'redacted_thinking', data: 'd' };
		expect(marked([message(text('a')), message(text('b'), { ...thinking }, redacted)])).toEqual([2]);
		const [before, after] = [many(20), many(18)];
		expect(marked([message(...before, { ...thinking }, ...after)])).toEqual([0, 19]);
	});

	it('skip messages that are one text', () => {
		expect(marked([message(text('a')), { role: 'user', content: 'plain' }])).toEqual([0]);
	});

	it('are on the last tool and the last part of the system prompt', () => {
		const tool = (name: string) => ({ name, input_schema: { type: 'object' as const } });
		const body = {
			model: 'm',
			max_tokens: 1,
			stream: true as const,
			messages: [],
			tools: [tool('a'), tool('b')],
			system: [
				{ type: 'text' as const, text: 'a' },
				{ type: 'text' as const, text: 'b' }
			]
		};
		setCacheBreakpoints(body);
		const cache_control = { type: 'ephemeral' };
		expect(body.tools).toEqual([tool('a'), { ...tool('b'), cache_control }]);
		expect(body.system).toEqual([
			{ type: 'text', text: 'a' },
			{ type: 'text', text: 'b', cache_control }
		]);
		// A tool of the provider's own, and a system prompt in one text, cannot be marked.
		const other = { ...body, tools: [{ type: 'bash_20250124' as const, name: 'bash' as const }], system: 'You are.' };
		setCacheBreakpoints(other);
		expect(JSON.stringify(other)).not.toContain('cache_control');
	});
});
