import { describe, expect, it } from 'vitest';
import { offeredTool } from '#llm/scenario/offered-tool.ts';
import { pieces, playTurn, ScenarioPlayer } from '#llm/scenario/player.ts';
import type { ScenarioTurn } from '#llm/scenario/types.ts';

const read = offeredTool('Read', { properties: { file_path: {} } });
const patch = offeredTool('apply_patch', { properties: { input: {} } }, true);
function play(turn: ScenarioTurn) {
	let made = 0;
	return playTurn(turn, [read, patch], () => `made_${++made}`);
}

describe('a scripted model', () => {
	it('takes its turns in order, then the last one for ever', () => {
		const player = new ScenarioPlayer({ name: 's', turns: [{ text: 'a' }, { text: 'b' }], afterwards: { text: 'c' } });
		expect([1, 2, 3, 4].map(() => player.next().text)).toEqual(['a', 'b', 'c', 'c']);
	});

	it('says which request it has no turn for', () => {
		const player = new ScenarioPlayer({ name: 'short', turns: [{ text: 'a' }] });
		player.next();
		expect(() => player.next()).toThrow('The scenario "short" has no turn for request 2.');
		expect(() => player.next()).toThrow('request 3');
	});
});

describe('a turn of it', () => {
	it('has calls in the words of the tools on offer, with ids of their own', () => {
		const { calls, finishReason } = play({
			toolCalls: [
				{ name: 'read_file', arguments: { path: 'a' } },
				{ name: 'write_file', arguments: { path: 'b', content: 'x' } },
				{ id: 'given', name: 'read_file', arguments: { path: 'a' }, verbatim: true },
				{ name: 'read_file', arguments: { path: 'a' }, rawArguments: '{"file' }
			]
		});
		expect(calls).toEqual([
			{ id: 'made_1', name: 'Read', argumentsText: '{"file_path":"a"}', custom: false },
			{
				id: 'made_2',
				name: 'apply_patch',
				argumentsText: '*** Begin Patch\n*** Add File: b\n+x\n*** End Patch\n',
				custom: true
			},
			{ id: 'given', name: 'read_file', argumentsText: '{"path":"a"}', custom: false },
			{ id: 'made_3', name: 'Read', argumentsText: '{"file', custom: false }
		]);
		expect(finishReason).toBe('tool_calls');
	});

	it('ends by itself, or as it says', () => {
		expect(play({})).toEqual({
			reasoning: '',
			text: '',
			calls: [],
			finishReason: 'stop',
			usage: { input: 100, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0 }
		});
		expect(play({ toolCalls: [], text: 'a' }).finishReason).toBe('stop');
		expect(play({ text: 'a', finishReason: 'length' }).finishReason).toBe('length');
	});

	it('counts a token for four characters, unless it counts itself', () => {
		const turn = {
			reasoning: 'x'.repeat(9),
			text: 'y'.repeat(8),
			toolCalls: [{ name: 'a', arguments: {}, rawArguments: 'z'.repeat(7) }]
		};
		expect(play(turn).usage).toEqual({ input: 100, output: 6, reasoning: 3, cacheRead: 0, cacheWrite: 0 });
		expect(play({ ...turn, usage: { input: 7, cacheRead: 5 } }).usage).toEqual({
			input: 7,
			output: 6,
			reasoning: 3,
			cacheRead: 5,
			cacheWrite: 0
		});
	});
});

describe('the pieces of a text', () => {
	it.each([
		['abcde', 2, ['ab', 'cd', 'e']],
		['abcd', 2, ['ab', 'cd']],
		['abc', 9, ['abc']],
		['ab', 0, ['a', 'b']],
		['', 3, []],
		['👋👋', 1, ['👋', '👋']],
		['a👋b', 2, ['a👋', 'b']],
		// The second half alone starts nothing.
		['👋ab', 2, ['👋', 'ab']],
		['\ud83d', 1, ['\ud83d']],
		['\udbff\udfffa', 1, ['\udbff\udfff', 'a']],
		['\ud800\udc00a', 1, ['\ud800\udc00', 'a']],
		['\ue000a', 1, ['\ue000', 'a']]
	])('%j by %i characters are %j', (text, size, expected) => {
		expect(pieces(text, size)).toEqual(expected);
	});
});
