import { type DemoScript, onlyScript } from './demo-script.ts';

/** Task that the page offers with the sample project; the demo plays its script when it is sent. */
export const demoTask = 'The German tests fail. Find out why, fix it, and show me that all tests pass.';

const before = '\t...latin,\n\t...german,';
const after = '\t...german,\n\t...latin,';

/** The demo model's script for the sample project `slugify`, under `public/sample/`. */
export const demoScenario: DemoScript = {
	name: 'demo',
	isTask: (text) => /\b(german|umlauts?)\b/i.test(text) || (/\bfix\b/i.test(text) && /\b(tests?|bug)\b/i.test(text)),
	elsewhere: onlyScript.elsewhere('the sample project'),
	surprised: onlyScript.surprised('the sample'),
	turns: [
		{
			reasoning: 'First I want to see what is in this project, then what the tests say.',
			text: "I'll look at the project first.",
			toolCalls: [{ name: 'list_directory', arguments: { path: '.' } }]
		},
		{
			// The directory that the script opens next, and its package.json.
			follows: ({ content }) => /\bsrc\b/.test(content) && /\bpackage\.json\b/.test(content),
			text: 'A small TypeScript library with its tests. I run them to see the failure for myself.',
			toolCalls: [{ name: 'shell', arguments: { command: 'npm test' } }]
		},
		{
			followsFailure: true,
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
			// `node --test` reports no failed tests.
			follows: ({ content }) => !/^\S* ?fail [1-9]/m.test(content),
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
	]
};
