import { describe, expect, it } from 'vitest';
import { Skills } from '#agent/extensions/skills/skills.ts';
import type { ToolContext } from '#agent/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ContentPart } from '#llm/types.ts';

/** A workspace with these skills, by folder. */
function skills(files: Record<string, string>, fromRepository = true): Skills {
	const root = '/w/.agents/skills';
	const environment = {
		workingDirectory: () => '/w',
		listDirectory: (folder: string) =>
			Promise.resolve(folder === root ? Object.keys(files).map((path) => ({ path, kind: 'directory' })) : []),
		readFile: (path: string) => Promise.resolve(files[path.slice(root.length + 1).split('/')[0] ?? ''])
	} as unknown as ExecutionEnvironment;
	return new Skills(environment, fromRepository);
}

const RELEASE = '---\ndescription: How a release is made.\n---\n1. Tag.';
const text = (value: string): ContentPart => ({ type: 'text', text: value });
const SHOWN = '<skill name="release" folder="/w/.agents/skills/release">\n1. Tag.\n</skill>';

describe('skills', () => {
	it('are a section of the prompt and a tool, where there are any', async () => {
		const some = skills({ release: RELEASE });
		expect(await some.section()).toBe(
			'# Skills\nThere are instructions for these. Before a task that one is for, read it with the skill tool.\n- release: How a release is made.'
		);
		expect(await some.tools()).toMatchObject([{ aliases: ['Skill'], definition: { name: 'skill' } }]);
		for (const none of [skills({}), skills({ release: RELEASE }, false)]) {
			expect(await none.section()).toBe('');
			expect(await none.tools()).toEqual([]);
		}
	});

	it('are read by their name in any case', async () => {
		const { tool } = skills({ release: RELEASE }).tool;
		expect(tool).toMatchObject({ name: 'skill', access: 'read' });
		expect(await tool.execute({ name: 'Release' }, {} as ToolContext)).toEqual({
			content: SHOWN,
			details: { skill: 'release', path: '/w/.agents/skills/release/SKILL.md' },
			isError: false
		});
		await expect(tool.execute({ name: 'other' }, {} as ToolContext)).rejects.toThrow(
			'There is no skill other. There are: release.'
		);
	});

	it.each([
		['/release', `Follow the skill release:\n\n${SHOWN}`],
		['  /Release  ', `Follow the skill release:\n\n${SHOWN}`],
		['/release v1.2\nand push ', `Follow the skill release:\n\n${SHOWN}\n\nArguments: v1.2\nand push`],
		['/release   v1.2', `Follow the skill release:\n\n${SHOWN}\n\nArguments: v1.2`]
	])('take the place of a command: %j', async (given, expanded) => {
		const picture = { type: 'image', mediaType: 'image/png', data: 'A' } as ContentPart;
		expect(await skills({ release: RELEASE }).expand([text(given), picture])).toEqual([text(expanded), picture]);
	});

	it.each(['/other', 'see /release', '/release.md', '/', 'release', '/release!'])(
		'leave alone what is no command of theirs: %s',
		async (given) => {
			const input = [text(given)];
			expect(await skills({ release: RELEASE }).expand(input)).toBe(input);
		}
	);

	it('leave alone an input without words', async () => {
		for (const input of [[], [{ type: 'image', mediaType: 'image/png', data: 'A' } as ContentPart]])
			expect(await skills({ release: RELEASE }).expand(input)).toBe(input);
	});
});
