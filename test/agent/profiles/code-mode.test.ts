import { describe, expect, it } from 'vitest';
import { createCodeModeProfile } from '#agent/profiles/code-mode.ts';
import { fakeSession, ofType } from '../fake-session.ts';

const model = 'gpt-6.1-sol';
const names = (profile: ReturnType<typeof createCodeModeProfile>) =>
	profile.tools.map(({ definition }) => definition.name);

describe('the profile of a model that writes scripts', () => {
	it('has one tool for work, beside those that concern the user and helpers', () => {
		const profile = createCodeModeProfile({ model });
		expect(names(profile).slice(0, 4)).toEqual(['exec', 'todo', 'preview', 'ask_user']);
		expect(names(profile)).toContain('spawn_agent');
		expect(profile).toMatchObject({
			id: 'openai',
			provider: 'openai',
			instructionFiles: ['.codex/instructions.md'],
			readBeforeWrite: 'note'
		});
		const prompt = profile.buildSystemPrompt({
			environmentBlock: '',
			gitSnapshot: '',
			projectInstructions: '',
			userInstructions: '',
			toolNames: ['exec']
		});
		expect(prompt).toContain('Your one tool for work is exec');
	});

	it('names the tools of a script: not those that go on behind it, ask, or show pictures', () => {
		const [exec] = createCodeModeProfile({ model }).tools;
		const listed = /tools: ([^;]+); ALL_TOOLS/.exec(exec?.definition.description ?? '')?.[1]?.split(', ') ?? [];
		expect(listed).toEqual(expect.arrayContaining(['exec_command', 'apply_patch', 'read_file', 'grep']));
		expect(listed.filter((name) => name === 'exec_command')).toHaveLength(1);
		for (const name of ['write_stdin', 'preview', 'ask_user', 'request_user_input', 'update_plan', 'spawn_agent'])
			expect(listed).not.toContain(name);
	});

	it.each([
		[{}, true],
		[{ provider: 'openai' }, true],
		[{ provider: 'compatible-local' }, false],
		[{ provider: 'compatible-local', customTools: true }, true],
		[{ customTools: false }, false]
	])('gives the script as it is where the provider can: %j', (options, isFreeForm) => {
		const [exec] = createCodeModeProfile({ model, ...options }).tools;
		expect(exec?.definition.custom).toEqual(
			isFreeForm ? { syntax: 'lark', definition: expect.stringContaining('SOURCE') } : undefined
		);
	});

	it('runs commands where and as long as the script says', async () => {
		const input = `
			text((await tools.exec_command({ cmd: 'mkdir -p sub && pwd' })).output.trim());
			text((await tools.exec_command({ cmd: 'pwd', workdir: 'sub' })).output.trim());
			const late = await tools.exec_command({ cmd: 'exec sleep 20', timeout_ms: 300.4 });
			text(String(late.exit_code !== 0 && late.wall_time_seconds < 15));
		`;
		const { session, seen } = await fakeSession(
			[{ calls: [{ name: 'exec', arguments: { input } }] }, { text: 'Done.' }],
			{ profile: createCodeModeProfile({ model, provider: 'fake' }) }
		);
		await session.submit('Go').result;
		const root = session.options.environment.workingDirectory();
		const [end] = ofType(seen, 'tool_call_end');
		expect(end?.output.split('\n').slice(3)).toEqual([root, `${root}/sub`, 'true']);
	});
});
