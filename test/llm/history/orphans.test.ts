import { describe, expect, it } from 'vitest';
import { instructionText, isInstruction, textOf } from '#llm/history/instructions.ts';
import { repairOrphans } from '#llm/history/orphans.ts';
import type { ContentPart, Message } from '#llm/types.ts';

const text = (value: string): ContentPart => ({ type: 'text', text: value });
const user = (...content: ContentPart[]): Message => ({ role: 'user', content });
const said = (...content: ContentPart[]): Message => ({ role: 'assistant', content });
const tool = (...content: ContentPart[]): Message => ({ role: 'tool', content });
const call = (id: string): ContentPart => ({ type: 'tool_call', id, name: `name of ${id}`, arguments: {} });
const result = (callId: string, content = callId): ContentPart => ({
	type: 'tool_result',
	callId,
	toolName: 't',
	content,
	isError: false
});
const missing = (callId: string): ContentPart => ({
	type: 'tool_result',
	callId,
	toolName: `name of ${callId}`,
	content: 'No result provided',
	isError: true
});

describe('a history for a request', () => {
	it.each<[string, Message[]]>([
		['nothing', []],
		['a conversation', [user(text('a')), said(text('b')), user(text('c'))]],
		[
			'calls with their results',
			[user(text('a')), said(text('x'), call('1'), call('2')), tool(result('1'), result('2')), said(text('b'))]
		],
		['instructions', [{ role: 'system', content: [text('s')] }, user(text('a'))]]
	])('is the same list where it needs no repair: %s', (_, messages) => {
		expect(repairOrphans(messages)).toBe(messages);
	});

	it.each<[string, Message[], Message[]]>([
		['adds a result that is missing', [said(call('1'))], [said(call('1')), tool(missing('1'))]],
		[
			'adds one among others, in the order of the calls',
			[said(call('1'), call('2'), call('3')), tool(result('3'), result('1'))],
			[said(call('1'), call('2'), call('3')), tool(result('1'), missing('2'), result('3'))]
		],
		[
			'adds them before what the user said instead',
			[said(call('1')), user(text('no'))],
			[said(call('1')), tool(missing('1')), user(text('no'))]
		],
		[
			'finds a result in a later message before the next answer',
			[said(call('1')), user(text('wait'), result('1')), said(text('b'))],
			[said(call('1')), tool(result('1')), user(text('wait')), said(text('b'))]
		],
		[
			'joins results of several messages',
			[said(call('1'), call('2')), tool(result('1')), tool(result('2'))],
			[said(call('1'), call('2')), tool(result('1'), result('2'))]
		],
		[
			'drops a result without its call',
			[user(text('a')), tool(result('1')), said(text('b'))],
			[user(text('a')), said(text('b'))]
		],
		['drops a result among words', [user(text('a'), result('1'))], [user(text('a'))]],
		[
			'drops a second result of a call',
			[said(call('1')), tool(result('1'), result('1', 'again'))],
			[said(call('1')), tool(result('1'))]
		],
		['drops results behind an answer without calls', [said(text('a')), tool(result('1'))], [said(text('a'))]],
		[
			'gives two calls of one id a result each',
			[said(call('1'), call('1')), tool(result('1', 'a'), result('1', 'b'))],
			[said(call('1'), call('1')), tool(result('1', 'a'), result('1', 'b'))]
		],
		[
			'does not find a result of an earlier answer',
			[said(call('1')), said(text('x')), tool(result('1'))],
			[said(call('1')), tool(missing('1')), said(text('x'))]
		],
		[
			'takes the result of the right call where two messages have the same length',
			[said(call('1'), text('x')), tool(result('2'))],
			[said(call('1'), text('x')), tool(missing('1'))]
		],
		[
			'leaves words out of a message of results, behind them',
			[said(call('1')), tool(text('b'), result('1'))],
			[said(call('1')), tool(result('1')), tool(text('b'))]
		],
		[
			'repairs what comes last, whatever comes first',
			[tool(result('1')), said(call('2'))],
			[said(call('2')), tool(missing('2'))]
		],
		[
			'gives words no result of a call beside them',
			[said(text('x'), call('1')), tool(text('1'))],
			[said(text('x'), call('1')), tool(missing('1')), tool(text('1'))]
		],
		['drops empty messages', [user(), said(), tool(), user(text('a'))], [user(text('a'))]],
		[
			'keeps other parts of a message of results',
			[said(text('a')), tool(result('1'), text('b'))],
			[said(text('a')), tool(text('b'))]
		]
	])('%s', (_, given, repaired) => {
		const before = structuredClone(given);
		expect(repairOrphans(given)).toEqual(repaired);
		expect(given).toEqual(before);
	});
});

describe('the instructions of a request', () => {
	const messages: Message[] = [
		{ role: 'system', content: [text('a'), { type: 'image', mediaType: 'image/png', data: '' }, text('b')] },
		user(text('not these')),
		{ role: 'developer', content: [text('c')] },
		{ role: 'system', content: [] }
	];

	it('are one text of the system prompt and those in the history', () => {
		expect(instructionText({ model: 'm', system: 's', messages } as never)).toBe('s\n\nab\n\nc');
		expect(instructionText({ model: 'm', messages } as never)).toBe('ab\n\nc');
		expect(instructionText({ model: 'm', system: '', messages: [] } as never)).toBe('');
	});

	it('are told from conversation', () => {
		expect(messages.map(isInstruction)).toEqual([true, false, true, true]);
		expect(isInstruction(said(text('a')))).toBe(false);
		expect(textOf(messages[0] as Message)).toBe('ab');
	});
});
