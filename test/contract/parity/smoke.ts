import { expect } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { ends, eventsOf, lastResults, type Play } from './stage.ts';

/** A step that every provider must pass, checked by its effects: the same against a script and against the real API. */
export interface SmokeStep extends Play {
	title: string;
	/** Checks that only work with a script, since a real model words things differently. */
	scripted?: Play['act'];
}

const HELLO = "console.log('Hello');\n";
const write = (path: string, content: string): ScenarioTurn => ({
	toolCalls: [{ name: 'write_file', arguments: { path, content } }]
});
const run = (command: string): ScenarioTurn => ({ toolCalls: [{ name: 'shell', arguments: { command } }] });
const script = (...turns: ScenarioTurn[]) => ({ scripts: () => [{ turns }] });

export const smoke: SmokeStep[] = [
	{
		title: 'creates a file',
		...script(write('hello.js', HELLO), { text: 'Made.' }),
		async act(stage) {
			await stage.submit("Create a file hello.js that prints 'Hello' to the console. Then stop.");
			expect(await stage.environment.readFile('hello.js')).toContain('Hello');
		}
	},
	{
		title: 'reads and edits it',
		files: { 'hello.js': HELLO },
		...script(
			{ toolCalls: [{ name: 'read_file', arguments: { path: 'hello.js' } }] },
			{
				toolCalls: [
					{
						name: 'edit_file',
						arguments: { path: 'hello.js', old_string: HELLO.trimEnd(), new_string: `${HELLO}console.log('Goodbye');` }
					}
				]
			},
			{ text: 'Added.' }
		),
		async act(stage) {
			await stage.submit("Read hello.js and add a second line that prints 'Goodbye'. Change nothing else.");
			const text = await stage.environment.readFile('hello.js');
			expect(text).toContain('Hello');
			expect(text).toContain('Goodbye');
		}
	},
	{
		title: 'runs it in the shell',
		files: { 'hello.js': HELLO },
		...script(run('node hello.js'), { text: 'It says Hello.' }),
		async act(stage) {
			await stage.submit('Run hello.js with node and tell me what it prints.');
			expect(ends(stage).some(({ output }) => output.includes('Hello'))).toBe(true);
		}
	},
	{
		title: 'cuts what the model sees of a long output, with a marker, and not what the event holds',
		files: { 'large.txt': 'x'.repeat(100_000) },
		...script(run('cat large.txt'), { text: 'All x.' }),
		async act(stage) {
			await stage.submit('Run exactly the shell command `cat large.txt`, once, and tell me which letter it holds.');
			expect(ends(stage).some(({ output }) => output.includes('x'.repeat(100_000)))).toBe(true);
		},
		async scripted(stage) {
			const [shown] = await lastResults(stage);
			expect(shown).toContain('[WARNING: Tool output was truncated.');
			expect(shown).not.toContain('x'.repeat(30_001));
		}
	},
	{
		title: 'is steered onto another course',
		...script(write('a.txt', 'a'), write('only.txt', 'only this\n'), { text: 'Only only.txt from there on.' }),
		async act(stage) {
			const steered = stage.session.emitter.onEvent((event) => {
				if (event.type !== 'tool_call_start') return;
				steered();
				stage.session.steer('Change of plan: write nothing else but only.txt, with a line in it. Then stop.');
			});
			await stage.submit(
				'Write the files a.txt, b.txt, c.txt and d.txt, one call at a time, each with its own name in it.'
			);
			expect(await stage.environment.fileExists('only.txt')).toBe(true);
			expect(await stage.environment.fileExists('d.txt')).toBe(false);
		},
		async scripted(stage) {
			// A script takes the other course by itself; the result it received shows why a model would.
			const told = (await stage.told()).map(({ users, results }) => [
				users.filter((text) => text.startsWith('Change of plan')).length,
				results.length
			]);
			expect(told).toEqual([
				[0, 0],
				[1, 1],
				[1, 2]
			]);
			expect(eventsOf(stage, 'steering_injected')).toHaveLength(1);
			expect(eventsOf(stage, 'agent_end')).toHaveLength(1);
		}
	},
	{
		title: 'shows the calls of a subagent in the stream of events',
		files: { 'a.txt': 'the secret is 42\n' },
		scripts: ({ name }) => [
			{
				firstUser: 'Read a.txt',
				turns: [{ toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'The secret is 42.' }]
			},
			{
				turns:
					name === 'openai'
						? [
								{ toolCalls: [{ name: 'spawn_agent', arguments: { message: 'Read a.txt' }, verbatim: true }] },
								{
									toolCalls: [{ name: 'wait_agent', arguments: { targets: ['<<agent_[0-9a-f]{8}>>'] }, verbatim: true }]
								},
								{ text: '42' }
							]
						: [
								{
									toolCalls: [
										{
											name: 'spawn_agent',
											arguments: {
												prompt: 'Read a.txt',
												...(name === 'anthropic' ? { description: 'Secret' } : {})
											}
										}
									]
								},
								{ text: '42' }
							]
			}
		],
		async act(stage) {
			await stage.submit(
				'Start a subagent whose task is to read a.txt and report its text. Wait for it and repeat what it says.'
			);
			const nested = eventsOf(stage, 'subagent_event').map(({ event }) => event);
			expect(nested.some((event) => event.type === 'tool_call_end' && event.output.includes('42'))).toBe(true);
			expect(eventsOf(stage, 'agent_end')[0]?.result.text).toContain('42');
		}
	},
	{
		title: 'ends a command at the default time limit and goes on',
		options: { defaultCommandTimeoutMs: 1_500 },
		scripts: ({ name }) => [
			{
				turns: [
					// A GPT model's own shell moves a slow command to the background instead; under the specification's
					// name it has a limit.
					{ toolCalls: [{ name: 'shell', arguments: { command: 'sleep 30' }, verbatim: name === 'openai' }] },
					write('after.txt', 'went on\n'),
					{ text: 'Went on.' }
				]
			}
		],
		async act(stage) {
			await stage.submit('Run the shell command `sleep 30`. Whatever comes of it, then write a file after.txt.');
			expect(await stage.environment.fileExists('after.txt')).toBe(true);
			expect(ends(stage)[0]?.durationMs).toBeLessThan(20_000);
		},
		async scripted(stage) {
			expect((await stage.told())[1]?.results[0]).toContain('timed out after 1500ms');
		}
	}
];
