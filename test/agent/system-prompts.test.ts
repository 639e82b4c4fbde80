import { describe, expect, it, vi } from 'vitest';
import { SystemPrompts } from '#agent/system-prompts.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { fakeProfile } from './fake-tools.ts';

describe('the system prompt', () => {
	const parts = { environmentBlock: 'E', gitSnapshot: 'G', userInstructions: 'U', toolNames: [] };
	const prompts = (
		trust: boolean,
		skills = () => Promise.resolve('S'),
		instructions = () => 'I',
		paths: string[] = []
	) => {
		const collect = vi.fn(() => Promise.resolve({ ...parts, projectInstructions: 'P', instructionPaths: paths }));
		const environment = {} as ExecutionEnvironment;
		return { collect, environment, prompts: new SystemPrompts(environment, collect, skills, instructions, trust) };
	};
	const profile = fakeProfile([], { buildSystemPrompt: (given) => JSON.stringify(given) });

	it('has the instructions of a trusted project, and the skills', async () => {
		const build = async (trust: boolean, skills: string): Promise<unknown> =>
			JSON.parse(await prompts(trust, () => Promise.resolve(skills)).prompts.build(profile, ['Read']));
		const rest = { ...parts, instructionPaths: [], toolNames: ['Read'] };
		expect(await build(true, 'S')).toEqual({ ...rest, projectInstructions: 'P\n\nS' });
		expect(await build(true, '')).toMatchObject({ projectInstructions: 'P' });
		expect(await build(false, 'S')).toMatchObject({ projectInstructions: 'S' });
		expect(await build(false, '')).toMatchObject({ projectInstructions: '' });
	});

	it('names the files of a project that is not trusted, and none of a trusted one', async () => {
		const build = async (trust: boolean, ...paths: string[]): Promise<unknown> =>
			JSON.parse(await prompts(trust, () => Promise.resolve('S'), undefined, paths).prompts.build(profile, []));
		expect(await build(false, '/p/AGENTS.md', '/p/a/CLAUDE.md')).toMatchObject({
			projectInstructions: expect.stringMatching(
				/^# Instructions of this project\nThe user has not approved [^\n]* in \/p\/AGENTS\.md, \/p\/a\/CLAUDE\.md\. [^\n]* you do not follow it\.\n\nS$/
			)
		});
		expect(await build(false)).toMatchObject({ projectInstructions: 'S' });
		expect(await build(true, '/p/AGENTS.md')).toMatchObject({ projectInstructions: 'P\n\nS' });
	});

	it('is collected once for each model and instructions, and again after a failure', async () => {
		let instructions = 'I';
		const own = prompts(true, undefined, () => instructions);
		await own.prompts.build(profile, []);
		await own.prompts.build(profile, ['other']);
		expect(own.collect).toHaveBeenCalledTimes(1);
		expect(own.collect).toHaveBeenCalledWith(own.environment, profile, 'I');
		await own.prompts.build({ ...profile, model: 'other' }, []);
		await own.prompts.build({ ...profile, id: 'other' }, []);
		instructions = 'J';
		own.collect.mockRejectedValueOnce(new Error('no git'));
		await expect(own.prompts.build(profile, [])).rejects.toThrow('no git');
		await own.prompts.build(profile, []);
		expect(own.collect).toHaveBeenCalledTimes(5);
	});
});
