import { expect } from 'vitest';
import type { SmokeStep } from './smoke.ts';
import { ends, eventsOf, lastResults } from './stage.ts';

/** The four things every provider must be able to do. */
export const basics: SmokeStep[] = [
	{
		title: 'answers a question',
		scripts: () => [{ turns: [{ text: '2 + 2 is 4.' }] }],
		async act(stage) {
			await stage.submit('What is 2+2? Answer with the number.');
			expect(eventsOf(stage, 'agent_end')[0]?.result).toMatchObject({ text: expect.stringContaining('4'), turns: 1 });
		}
	},
	{
		title: 'calls a tool with the right arguments and gets its result',
		files: { 'secret.txt': 'the word is marzipan\n' },
		scripts: () => [
			{
				turns: [{ toolCalls: [{ name: 'read_file', arguments: { path: 'secret.txt' } }] }, { text: 'It is marzipan.' }]
			}
		],
		async act(stage) {
			await stage.submit('Read the file secret.txt and tell me the word in it.');
			expect(ends(stage).some(({ output, isError }) => !isError && output.includes('marzipan'))).toBe(true);
			expect(eventsOf(stage, 'agent_end')[0]?.result.text).toContain('marzipan');
		},
		async scripted(stage) {
			expect(Object.values(eventsOf(stage, 'tool_call_start')[0]?.arguments ?? {})).toContain('secret.txt');
			expect((await lastResults(stage))[0]).toContain('the word is marzipan');
		}
	},
	{
		title: 'streams its words: a start, deltas that add up, an end',
		scripts: () => [{ turns: [{ text: 'One, two, three, four, five.', pace: { chunkCharacters: 4, delayMs: 0 } }] }],
		async act(stage) {
			await stage.submit('Count from one to five in words.');
			const types = stage.events.map(({ type }) => type);
			const text = types.filter((type) => type.startsWith('assistant_text_'));
			expect(text[0]).toBe('assistant_text_start');
			expect(text.at(-1)).toBe('assistant_text_end');
			expect(text.filter((type) => type === 'assistant_text_delta').length).toBeGreaterThan(0);
			const said = eventsOf(stage, 'assistant_text_delta').map(({ delta }) => delta);
			expect(said.join('')).toBe(
				eventsOf(stage, 'assistant_text_end')
					.map((event) => event.text)
					.join('')
			);
			expect(types.indexOf('message_start')).toBeLessThan(types.indexOf('assistant_text_start'));
			expect(types.indexOf('assistant_text_end')).toBeLessThan(types.indexOf('message_end'));
		}
	},
	{
		title: 'remembers what was said before',
		scripts: () => [{ turns: [{ text: 'Noted.' }, { text: 'You said 417.' }] }],
		async act(stage) {
			await stage.submit('My number is 417. Say only "Noted".');
			await stage.submit('Which number did I name?');
			expect(eventsOf(stage, 'agent_end')[1]?.result.text).toContain('417');
		},
		async scripted(stage) {
			expect((await stage.told())[1]?.users).toEqual([
				'My number is 417. Say only "Noted".',
				'Which number did I name?'
			]);
		}
	}
];
