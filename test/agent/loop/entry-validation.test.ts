import { describe, expect, it } from 'vitest';
import { checkResponse, invalidCallResult } from '#agent/loop/entry-validation.ts';
import type { Message } from '#llm/types.ts';

const call = (fields: object = {}) => ({
	type: 'tool_call',
	id: 'a',
	name: 'Read',
	arguments: { path: 'x' },
	...fields
});
const check = (content: unknown, used: string[] = []) => {
	const usedIds = new Set(used);
	return { ...checkResponse({ role: 'assistant', content } as Message, usedIds), usedIds };
};

describe('a response that becomes part of the history', () => {
	it.each<[string, unknown, unknown]>([
		['text', 'Hi', [{ type: 'text', text: 'Hi' }]],
		['empty text', '', []],
		['nothing', undefined, []],
		['an object', { type: 'text' }, []],
		[
			'parts, and what is none',
			[{ type: 'text', text: 'a' }, null, 'b', 5, {}, { type: 'text', text: '' }, { type: 'thinking', text: '' }],
			[
				{ type: 'text', text: 'a' },
				{ type: 'thinking', text: '' }
			]
		]
	])('may be %s', (_, content, parts) => {
		expect(check(content)).toMatchObject({ message: { role: 'assistant', content: parts }, calls: [] });
	});

	it('keeps a call as it came', () => {
		const { calls, message, usedIds } = check([call({ rawArguments: '{"path":"x"}' })]);
		expect(calls).toEqual([{ call: call({ rawArguments: '{"path":"x"}' }) }]);
		expect(message.content).toEqual([calls[0]?.call]);
		expect([...usedIds]).toEqual(['a']);
	});

	it.each<[string, object, string]>([
		['broken', { rawArguments: '{"path"' }, 'the arguments are not a valid JSON object'],
		['a list', { rawArguments: '[1]' }, 'the arguments are not a valid JSON object'],
		['null', { rawArguments: 'null' }, 'the arguments are not a valid JSON object'],
		['a text', { rawArguments: '"x"' }, 'the arguments are not a valid JSON object']
	])('keeps a call whose arguments are %s, without them', (_, fields, problem) => {
		expect(check([call(fields)]).calls).toEqual([{ call: call({ ...fields, arguments: {} }), problem }]);
	});

	it('takes no text at all for no arguments', () => {
		for (const rawArguments of ['', ' \n', '{}'])
			expect(check([call({ rawArguments, arguments: {} })]).calls[0]).not.toHaveProperty('problem');
		for (const args of [null, [1], 'x', undefined])
			expect(check([call({ arguments: args })]).calls[0]).toMatchObject({ call: { arguments: {} } });
	});

	it('names a tool that has no name', () => {
		expect(check([call({ name: '' })]).calls[0]).toMatchObject({
			call: { name: 'unknown_tool' },
			problem: 'the tool has no name'
		});
	});

	it('gives a call an id of its own where it has none or one that was used, and runs it', () => {
		for (const [id, used] of [
			['', []],
			['a', ['a']]
		] as const) {
			const { calls, usedIds } = check([call({ id })], [...used]);
			expect(calls[0]?.call.id).toMatch(/^call_[0-9a-f]{32}$/);
			expect(calls[0]).not.toHaveProperty('problem');
			expect(usedIds.has(calls[0]?.call.id ?? '')).toBe(true);
		}
	});

	it('does not run the second call under an id of the same response', () => {
		const { calls, usedIds } = check([call(), call(), call({ id: '' }), call({ id: '' })]);
		expect(calls.map(({ problem }) => problem)).toEqual([undefined, 'the id a is used twice', undefined, undefined]);
		expect(usedIds.size).toBe(4);
		// Even if the first was given another id.
		expect(check([call(), call()], ['a']).calls.map(({ problem }) => problem)).toEqual([
			undefined,
			'the id a is used twice'
		]);
	});

	it('answers an invalid call with what to do', () => {
		expect(invalidCallResult('the tool has no name')).toBe(
			'Invalid tool call format: the tool has no name. Please retry with correct format.'
		);
	});
});
