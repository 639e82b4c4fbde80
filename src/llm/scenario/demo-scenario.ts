import type { Scenario } from './types.ts';

/** Task that the page offers with the sample project; the demo plays its script when it is sent. */
export const demoTask = 'The German tests fail. Find out why, fix it, and show me that all tests pass.';

const before = '\t...latin,\n\t...german,';
const after = '\t...german,\n\t...latin,';

/** The demo model's script for the sample project `slugify`, under `public/sample/`. */
export const demoScenario: Scenario = {
	name: 'demo',
	turns: [
		{
			reasoning: 'First I want to see what is in this project, then what the tests say.',
			text: "I'll look at the project first.",
			toolCalls: [{ name: 'list_directory', arguments: { path: '.' } }]
		},
		{
			text: 'A small TypeScript library with its tests. I run them to see the failure for myself.',
			toolCalls: [{ name: 'shell', arguments: { command: 'npm test' } }]
		},
		{
			reasoning:
				'The German tests fail and the others pass: umlauts come out as single letters. So the letters are replaced, but by the wrong pairs. The order of the tables decides which pair wins.',
			text: 'Only the umlauts are wrong: `ü` becomes `u` instead of `ue`. The replacement tables are the place to look.',
			toolCalls: [{ name: 'read_file', arguments: { path: 'src/replacements.ts' } }]
		},
		{
			reasoning:
				'The first pair that matches decides. The Latin table has its own pairs for ä, ö and ü and comes before the German one, so the German pairs are never reached. Swapping the two lines is enough.',
			text: 'There it is. The first match decides, and the general Latin table comes before the German one, so its `ü → u` wins. The German pairs must come first.',
			toolCalls: [
				{
					name: 'edit_file',
					arguments: { path: 'src/replacements.ts', old_string: before, new_string: after }
				}
			]
		},
		{
			text: 'Now the tests again.',
			toolCalls: [{ name: 'shell', arguments: { command: 'npm test' } }]
		},
		{
			text: [
				'That was the bug, and it is fixed.',
				'',
				'- **Cause:** `src/replacements.ts` tries its tables in order, and the general Latin table came before the German one. Its `ä`, `ö` and `ü` always won.',
				'- **Change:** the German table now comes first. Two lines changed places; nothing else was touched.',
				'- **Proof:** the second run of `npm test` above.',
				'',
				'You have watched a script: the words were written in advance, but the files, the edit and the test runs are real. Add an API key to give the agent a task of your own.'
			].join('\n')
		}
	],
	afterwards: {
		text: [
			'I am a script, not a model: I know one task only, the failing German tests of the sample project.',
			'',
			'To work on anything else, add an API key for Anthropic, OpenAI or Gemini, or the address of a compatible server, and choose one of its models.'
		].join('\n')
	}
};

/** Response of the demo when its task is sent in another project. */
export const demoElsewhere =
	'My script is written for the sample project, and this is another one, so I stop here. Open the sample project to see the demo, or add an API key and choose a real model to work on this one.';

/**
 * Response when a step of the script did not turn out as written, e.g. because the files were changed before.
 */
export const demoSurprised =
	'That did not come out as my script expects, probably because the files have changed since the sample was opened. I am a script and cannot think of another way. Open the sample project again to see the demo, or add an API key and choose a real model.';
