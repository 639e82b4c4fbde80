import { describe, expect, it } from 'vitest';
import type { PromptParts } from '#agent/profile.ts';
import { basePrompt, commonSections } from '#agent/prompt/sections.ts';
import { buildSystemPrompt } from '#agent/prompt/system-prompt.ts';
import type { ToolBinding } from '#agent/tool.ts';
import { fakeTool } from '../fake-tools.ts';

const tool = (name: string, description: string): ToolBinding => {
	const binding = fakeTool(name, () => '');
	return { ...binding, definition: { ...binding.definition, description } };
};
const tools = [tool('Read', 'Reads a file. It is shown with line numbers.'), tool('Bash', 'Runs a command')];
const parts: PromptParts = {
	environmentBlock: '<environment/>\n',
	gitSnapshot: '',
	projectInstructions: '\nUse tabs.',
	userInstructions: 'Be brief.',
	toolNames: ['Read', 'Bash']
};

describe('a system prompt', () => {
	it('has one layer below the other, and nothing of those that are empty', () => {
		expect(buildSystemPrompt('You help. ', tools, parts)).toBe(
			"You help.\n\n<environment/>\n\n# Tools\n- Read: Reads a file.\n- Bash: Runs a command\n\nUse tabs.\n\n# The user's own instructions\nBe brief."
		);
		expect(buildSystemPrompt('You help.', tools, { ...parts, gitSnapshot: 'Branch: main' })).toContain(
			'<environment/>\n\nBranch: main\n\n# Tools'
		);
		const none = {
			environmentBlock: '',
			gitSnapshot: '',
			projectInstructions: '',
			userInstructions: '',
			toolNames: []
		};
		expect(buildSystemPrompt('You help.', tools, none)).toBe('You help.');
	});

	it('has the tools that are active, in the order of the profile', () => {
		const prompt = (toolNames: string[]) => buildSystemPrompt('', tools, { ...parts, toolNames });
		expect(prompt(['Bash'])).toContain('# Tools\n- Bash: Runs a command\n\n');
		expect(prompt(['Bash', 'Read'])).toMatch(/- Read: .*\n- Bash: /);
		expect(prompt(['unknown'])).not.toContain('# Tools');
	});

	it.each([
		['One. Two.', 'One.'],
		['Really? Yes.', 'Really?'],
		['Now! Then.', 'Now!'],
		['Reads a.ts and b.ts. Fast.', 'Reads a.ts and b.ts.'],
		['Runs.\nMore.', 'Runs.'],
		['First line\nsecond. Rest.', 'First line\nsecond.'],
		['Ends so.', 'Ends so.'],
		['No end', 'No end'],
		['', '']
	])('has of the description %j the sentence %j', (description, sentence) => {
		const prompt = buildSystemPrompt('', [tool('x', description)], {
			...parts,
			userInstructions: '',
			toolNames: ['x']
		});
		expect(prompt).toContain(`# Tools\n- x: ${sentence}`.trimEnd());
		expect(prompt.endsWith(`${`- x: ${sentence}`.trimEnd()}\n\nUse tabs.`)).toBe(true);
	});
});

it('tells who the agent is, how its tools are used, and what holds for all', () => {
	const prompt = basePrompt('  Call Read before Edit.\n');
	expect(prompt).toMatch(
		/^You are the coding agent of Sandglass\. [^]*\n\n# Using the tools\nCall Read before Edit\.\n\n/
	);
	expect(prompt.endsWith(commonSections)).toBe(true);
	const headings = commonSections.match(/^# .+$/gm);
	expect(headings).toEqual(['# How to work', '# What to trust', '# Diagnostics', '# Answering']);
});
