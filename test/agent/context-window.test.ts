import { describe, expect, it } from 'vitest';
import { approximateTokens, ContextMeter } from '#agent/context-window.ts';
import type { ContentPart, Message, Usage } from '#llm/types.ts';

const message = (...content: unknown[]): Message => ({ role: 'user', content: content as ContentPart[] });
const text = (length: number) => message({ type: 'text', text: 'x'.repeat(length) });
const usage = (inputTokens: number, outputTokens: number): Usage => ({
	inputTokens,
	outputTokens,
	reasoningTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd: null
});

describe('the size of a message', () => {
	const image = { type: 'image', mediaType: 'image/png', data: 'x'.repeat(4_000) };
	it.each<[string, unknown[], number]>([
		['nothing', [], 0],
		['a text', [{ type: 'text', text: 'x'.repeat(5) }], 2],
		['thinking', [{ type: 'thinking', text: 'x'.repeat(8) }], 2],
		[
			'two parts together',
			[
				{ type: 'text', text: 'x' },
				{ type: 'thinking', text: 'x' }
			],
			1
		],
		['a call with its arguments', [{ type: 'tool_call', id: 'c', name: 'Read', arguments: { a: 1 } }], 3],
		[
			'a call as it was written',
			[{ type: 'tool_call', id: 'c', name: 'Read', arguments: {}, rawArguments: 'x'.repeat(8) }],
			3
		],
		['a result', [{ type: 'tool_result', content: 'x'.repeat(8) }], 2],
		['a result with pictures', [{ type: 'tool_result', content: 'x'.repeat(8), images: [image, image] }], 2_402],
		['a picture', [image], 1_200],
		['a picture by its address', [{ type: 'image_url', url: 'x'.repeat(400) }], 1_200],
		['a document', [{ type: 'document', data: 'x'.repeat(8) }], 2],
		['a recording', [{ type: 'audio', data: 'x'.repeat(8) }], 2],
		['hidden thinking', [{ type: 'redacted_thinking', data: 'x'.repeat(8) }], 2],
		['what only its provider reads', [{ type: 'opaque', data: 'x'.repeat(8) }], 0]
	])('of %s is about what it costs', (_, content, tokens) => {
		expect(approximateTokens(message(...content))).toBe(tokens);
	});
});

describe('the meter of the context', () => {
	it('counts what the provider reported, and what came since', () => {
		const meter = new ContextMeter([text(40), text(4)]);
		expect(meter.usedTokens).toBe(11);
		meter.report(usage(100, 20));
		expect(meter.usedTokens).toBe(120);
		meter.add(text(40));
		expect(meter.usedTokens).toBe(130);
		meter.report(usage(0, 0));
		expect(meter.usedTokens).toBe(130);
		meter.restart([text(8)]);
		expect(meter.usedTokens).toBe(2);
		expect(new ContextMeter().usedTokens).toBe(0);
	});

	it('warns each time the mark of 80 % is passed anew', () => {
		const meter = new ContextMeter();
		meter.report(usage(80, 0));
		expect(meter.passedWarning(100)).toBeNull();
		meter.report(usage(90, 3));
		expect(meter.passedWarning(0)).toBeNull();
		expect(meter.passedWarning(100)).toBe(93);
		expect(meter.passedWarning(100)).toBeNull();
		meter.report(usage(10, 0));
		expect(meter.passedWarning(100)).toBeNull();
		meter.report(usage(81, 0));
		expect(meter.passedWarning(100)).toBe(81);
	});
});
