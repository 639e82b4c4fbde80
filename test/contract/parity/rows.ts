import { expect } from 'vitest';
import type { ScenarioToolCall, ScenarioTurn } from '#llm/scenario/types.ts';
import { ends, eventsOf, lastResults, type Play } from './stage.ts';

/** A row of the parity matrix: behavior of an agent that must be the same for every provider. */
export interface ParityRow extends Play {
	title: string;
}

const call = (name: string, args: Record<string, unknown>, more: Partial<ScenarioToolCall> = {}): ScenarioTurn => ({
	toolCalls: [{ name, arguments: args, ...more }]
});
const calls = (...turns: ScenarioTurn[]): ScenarioTurn => ({
	toolCalls: turns.flatMap((turn) => turn.toolCalls ?? [])
});
const say = (text: string): ScenarioTurn => ({ text });
const script = (...turns: ScenarioTurn[]) => ({ scripts: () => [{ turns }] });

const SUM = 'export const sum = (a, b) => a - b;\n';
const FIX = { path: 'sum.js', old_string: SUM.trimEnd(), new_string: 'export const sum = (a, b) => a + b;' };
/** 240 lines of 500 characters: more than any profile shows, in fewer lines than any allows. */
const LARGE = Array.from({ length: 240 }, (_, index) => `${index + 1} `.padEnd(499, '.')).join('\n');

export const rows: ParityRow[] = [
	{
		title: 'creates a simple file',
		...script(call('write_file', { path: 'notes/hello.txt', content: 'hello\n' }), say('Done.')),
		async act(stage) {
			await stage.submit('Create notes/hello.txt');
			expect(await stage.environment.readFile('notes/hello.txt')).toBe('hello\n');
			expect(ends(stage)).toMatchObject([{ toolName: stage.provider.tools.write, isError: false }]);
			expect(eventsOf(stage, 'file_change')).toMatchObject([{ path: 'notes/hello.txt', kind: 'added', added: 1 }]);
			expect(eventsOf(stage, 'agent_end')[0]?.result).toMatchObject({ text: 'Done.', stopReason: 'end_turn' });
		}
	},
	{
		title: 'reads a file, then edits it',
		files: { 'sum.js': SUM },
		...script(call('read_file', { path: 'sum.js' }), call('edit_file', FIX), say('Fixed.')),
		async act(stage) {
			await stage.submit('Mend sum.js');
			expect((await stage.told())[1]?.results[0]).toContain('=> a - b');
			expect(await stage.environment.readFile('sum.js')).toBe(`${FIX.new_string}\n`);
		}
	},
	{
		title: 'edits several files in one session',
		files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' },
		...script(
			calls(...['a', 'b', 'c'].map((name) => call('read_file', { path: `${name}.txt` }))),
			calls(
				call('edit_file', { path: 'a.txt', old_string: 'one', new_string: 'ONE' }),
				call('edit_file', { path: 'b.txt', old_string: 'two', new_string: 'TWO' })
			),
			say('Two of them.'),
			call('edit_file', { path: 'c.txt', old_string: 'three', new_string: 'THREE' }),
			say('The third.')
		),
		async act(stage) {
			await stage.submit('Shout in a and b');
			await stage.submit('And in c');
			const texts = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((path) => stage.environment.readFile(path)));
			expect(texts).toEqual(['ONE\n', 'TWO\n', 'THREE\n']);
			expect(eventsOf(stage, 'file_change').map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
		}
	},
	{
		title: 'runs a shell command',
		files: { 'a.txt': 'x\ny\n' },
		...script(call('shell', { command: 'wc -l < a.txt && echo err >&2 && exit 3' }), say('Two lines.')),
		async act(stage) {
			await stage.submit('How many lines has a.txt?');
			const [result] = await lastResults(stage);
			expect(result).toMatch(/2[^]*err/);
			expect(result).toMatch(/code:? 3\b/);
			expect(ends(stage)).toMatchObject([{ toolName: stage.provider.tools.shell, isError: true }]);
		}
	},
	{
		title: 'ends a command that takes too long, and goes on',
		scripts: ({ name }) => {
			// Only Claude's shell has a limit parameter; under the specification's name all have one.
			const slow = { command: 'echo started; sleep 30', timeout_ms: 2_000 };
			return [
				{
					turns: [
						call('shell', slow, { verbatim: name !== 'anthropic' }),
						call('shell', { command: 'echo next' }),
						say('Ok.')
					]
				}
			];
		},
		async act(stage) {
			await stage.submit('Wait for it');
			const [slow, next] = await lastResults(stage);
			expect(slow).toContain('started');
			expect(slow).toContain('timed out after 2000ms');
			expect(next).toContain('next');
			expect(ends(stage)[0]?.durationMs).toBeLessThan(30_000);
		}
	},
	{
		title: 'finds files with grep and glob',
		files: { 'src/deep/a.ts': 'export const needle = 1;\n', 'src/b.ts': 'hay\n', 'c.md': 'needle\n' },
		...script(
			calls(call('grep', { pattern: 'needle', path: 'src' }), call('glob', { pattern: 'src/**/*.ts' })),
			say('In src/deep/a.ts.')
		),
		async act(stage) {
			await stage.submit('Where is the needle?');
			const [grep, glob] = await lastResults(stage);
			expect(grep).toContain('src/deep/a.ts');
			expect(grep).not.toContain('c.md');
			expect(glob).toContain('src/deep/a.ts');
			expect(glob).toContain('src/b.ts');
			expect(ends(stage).every(({ isError }) => !isError)).toBe(true);
		}
	},
	{
		title: 'does a task of several steps: reads, analyses, edits',
		files: { 'sum.js': SUM, 'check.js': "import('./sum.js').then(({ sum }) => console.log('sum is', sum(2, 2)));\n" },
		...script(
			call('shell', { command: 'node check.js' }),
			call('read_file', { path: 'sum.js' }),
			{ reasoning: 'It subtracts.', text: 'It subtracts; I change that.', ...call('edit_file', FIX) },
			call('shell', { command: 'node check.js' }),
			say('It is 4 now.')
		),
		async act(stage) {
			await stage.submit('The sum is wrong');
			const results = await lastResults(stage);
			expect(results[0]).toContain('sum is 0');
			expect(results[3]).toContain('sum is 4');
			expect(eventsOf(stage, 'reasoning_end')).toMatchObject([{ text: 'It subtracts.' }]);
			expect(eventsOf(stage, 'turn_end')).toHaveLength(5);
		}
	},
	{
		title: 'shows the model a part of a large output, and the stream the whole',
		files: { 'large.txt': LARGE },
		...script(call('shell', { command: 'cat large.txt' }), call('read_file', { path: 'large.txt' }), say('Long.')),
		async act(stage) {
			await stage.submit('Read it');
			const [shown, read] = await lastResults(stage);
			expect(shown).toContain('[WARNING: Tool output was truncated.');
			expect(shown?.length).toBeLessThan(31_000);
			expect(read?.length).toBeLessThan(52_000);
			expect(ends(stage)[0]?.output).toContain(LARGE);
		}
	},
	{
		title: 'runs calls side by side and answers them in order',
		files: { 'a.txt': 'first', 'b.txt': 'second' },
		...script(calls(call('read_file', { path: 'a.txt' }), call('read_file', { path: 'b.txt' })), say('Read.')),
		async act(stage) {
			await stage.submit('Read both');
			expect(stage.events.map(({ type }) => type).filter((type) => /^tool_call_(start|end)$/.test(type))).toEqual([
				'tool_call_start',
				'tool_call_start',
				'tool_call_end',
				'tool_call_end'
			]);
			expect(await lastResults(stage)).toEqual([expect.stringContaining('first'), expect.stringContaining('second')]);
		}
	},
	{
		title: 'is steered in the middle of a task',
		...script(
			call('write_file', { path: 'a.txt', content: 'cats\n' }),
			call('write_file', { path: 'b.txt', content: 'dogs\n' }),
			say('Dogs it is.')
		),
		async act(stage) {
			stage.session.emitter.onEvent((event) => {
				if (event.type === 'tool_call_start' && event.seq === eventsOf(stage, 'tool_call_start')[0]?.seq)
					stage.session.steer('Rather dogs');
			});
			await stage.submit('Write about cats');
			const [first, second, third] = await stage.told();
			expect(first?.users.join()).not.toContain('Rather dogs');
			expect(second?.users.at(-1)).toBe('Rather dogs');
			expect(second?.results).toHaveLength(1);
			expect(third?.users.filter((text) => text === 'Rather dogs')).toHaveLength(1);
			expect(eventsOf(stage, 'steering_injected')).toHaveLength(1);
		}
	},
	{
		title: 'thinks harder when told to, from the next request on',
		files: { 'a.txt': 'first' },
		...script(call('read_file', { path: 'a.txt' }), say('One.'), say('Two.')),
		options: { reasoningEffort: 'low' },
		async act(stage) {
			const { session } = stage;
			session.emitter.onEvent(({ type }) => void (type === 'tool_call_start' && session.setReasoningEffort('high')));
			await stage.submit('Think, then think harder');
			session.setReasoningEffort('low');
			await stage.submit('Think');
			const said = (await stage.told()).map(({ effort }) => String(effort).toLowerCase());
			expect(said).toEqual(['low', 'high', 'low']);
			expect(eventsOf(stage, 'agent_start').map(({ reasoningEffort }) => reasoningEffort)).toEqual(['low', 'low']);
		}
	},
	{
		title: 'starts a subagent and waits for it',
		files: { 'a.txt': 'the secret is 42\n' },
		scripts: ({ name }) => [
			{ firstUser: 'Find the number', turns: [call('read_file', { path: 'a.txt' }), say('The number is 42.')] },
			{
				turns:
					name === 'openai'
						? [
								call('spawn_agent', { message: 'Find the number' }, { verbatim: true }),
								call('wait_agent', { targets: ['<<agent_[0-9a-f]{8}>>'] }, { verbatim: true }),
								say('42.')
							]
						: [
								call('spawn_agent', {
									prompt: 'Find the number',
									...(name === 'anthropic' ? { description: 'Number' } : {})
								}),
								say('42.')
							]
			}
		],
		async act(stage) {
			await stage.submit('Ask someone for the secret');
			expect(await lastResults(stage)).toContainEqual(expect.stringContaining('The number is 42.'));
			const nested = eventsOf(stage, 'subagent_event').map(({ event }) => event.type);
			expect(nested).toContain('tool_call_end');
			expect(nested).toContain('agent_end');
			expect(ends(stage)[0]).toMatchObject({ toolName: stage.provider.tools.agent, isError: false });
		}
	},
	{
		title: 'warns of a loop once, and the model hears it',
		files: { 'a.txt': 'same' },
		options: { loopDetection: { window: 4 } },
		...script(...Array.from({ length: 5 }, () => call('read_file', { path: 'a.txt' })), say('I stop.')),
		async act(stage) {
			await stage.submit('Read it again and again');
			expect(eventsOf(stage, 'loop_detection')).toHaveLength(1);
			const [, , , fourth, fifth] = await stage.told();
			expect(fourth?.users.join()).not.toContain('Loop detected');
			expect(fifth?.users.at(-1)).toContain('Loop detected');
		}
	},
	{
		title: 'goes on after a tool failed, with what the failure said',
		files: { 'sum.js': SUM },
		...script(
			call('read_file', { path: 'sum.js' }),
			call('edit_file', { ...FIX, old_string: 'a * b' }),
			call('edit_file', FIX),
			say('Fixed at the second try.')
		),
		async act(stage) {
			await stage.submit('Mend sum.js');
			expect(ends(stage).map(({ isError }) => isError)).toEqual([false, true, false]);
			const [, failure] = await lastResults(stage);
			expect(failure).toContain('sum.js');
			expect(await stage.environment.readFile('sum.js')).toContain('a + b');
			expect(eventsOf(stage, 'agent_end')[0]?.result.stopReason).toBe('end_turn');
		}
	},
	{
		title: 'edits in the format the provider’s models were trained on',
		files: { 'sum.js': SUM },
		...script(call('read_file', { path: 'sum.js' }), call('edit_file', FIX), say('Fixed.')),
		async act(stage) {
			await stage.submit('Mend sum.js');
			const started = eventsOf(stage, 'tool_call_start').at(-1);
			expect(started?.toolName).toBe(stage.provider.tools.edit);
			const keys = {
				openai: ['input'],
				anthropic: ['file_path', 'old_string', 'new_string'],
				gemini: ['file_path', 'old_string', 'new_string']
			};
			expect(Object.keys(started?.arguments ?? {})).toEqual(expect.arrayContaining(keys[stage.provider.name]));
			if (stage.provider.name === 'openai') expect(started?.arguments['input']).toMatch(/^\*\*\* Begin Patch\n/);
			expect(await stage.environment.readFile('sum.js')).toBe(`${FIX.new_string}\n`);
		}
	}
];
