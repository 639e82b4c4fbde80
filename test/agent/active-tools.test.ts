import { describe, expect, it } from 'vitest';
import { ActiveTools } from '#agent/active-tools.ts';
import type { Skills } from '#agent/extensions/skills/skills.ts';
import type { SessionParts } from '#agent/session-parts.ts';
import type { ToolBinding } from '#agent/tool.ts';
import { fakeProfile, fakeTool } from './fake-tools.ts';

/** A tool under the name that a profile gives it. */
function named(name: string, neutral: string, access: 'read' | 'write' = 'read', aliases: string[] = []): ToolBinding {
	const { definition, tool } = fakeTool(name, () => '', access);
	return { definition, tool: { ...tool, name: neutral }, aliases };
}
const read = named('Read', 'read_file', 'read', ['cat']);
const edit = named('Edit', 'edit_file', 'write');
const script: ToolBinding = { ...named('exec', 'exec', 'write') };
script.tool = { ...script.tool, guardsItself: true };
const skill = named('skill', 'skill');

interface Parts {
	profile: SessionParts['profile'];
	mode: SessionParts['mode'];
	root: { options: { tools?: ToolBinding[]; withoutTools?: string[] } };
	options: { fetchPage?: () => Promise<never> };
	parent?: { session: { activeTools: readonly string[] | null } };
}
function activeTools(changes: Partial<Parts> = {}, hasSkills = false) {
	const parts: Parts = {
		profile: fakeProfile([read, edit, script]),
		mode: 'full',
		root: { options: {} },
		options: {},
		...changes
	};
	const skills = { tool: skill, tools: () => Promise.resolve(hasSkills ? [skill] : []) } as unknown as Skills;
	const tools = new ActiveTools(parts as unknown as SessionParts, skills);
	return { tools, parts, shown: async () => (await tools.bindings()).map(({ definition }) => definition.name) };
}

describe('the tools that a model is shown', () => {
	it('are those of its profile, of its host, of the web and of its skills', async () => {
		expect(await activeTools().shown()).toEqual(['Read', 'Edit', 'exec']);
		const own = named('notes', 'notes');
		const more = activeTools(
			{ root: { options: { tools: [own] } }, options: { fetchPage: () => Promise.reject(new Error()) } },
			true
		);
		const names = await more.shown();
		expect(names).toHaveLength(6);
		expect(names).toEqual(expect.arrayContaining(['Read', 'Edit', 'exec', 'notes', 'skill']));
		expect(more.tools.choices.map(({ name }) => name)).toEqual([
			'read_file',
			'edit_file',
			'exec',
			'web_fetch',
			'notes'
		]);
	});

	it('are without what writes in the mode plan, but with what guards itself', async () => {
		expect(await activeTools({ mode: 'plan' }).shown()).toEqual(['Read', 'exec']);
	});

	it.each(['Read', 'read_file', 'cat'])(
		'are without the ones that the host leaves out, by any name: %s',
		async (name) => {
			expect(await activeTools({ root: { options: { withoutTools: [name] } } }).shown()).toEqual(['Edit', 'exec']);
		}
	);

	it.each(['Read', 'read_file', 'cat'])('are the chosen ones, by any name: %s', async (name) => {
		const { tools, shown } = activeTools();
		expect(tools.names).toBeNull();
		tools.choose([name, 'Edit']);
		expect(tools.names).toEqual([name, 'Edit']);
		expect(await shown()).toEqual(['Read', 'Edit']);
		tools.choose(null);
		expect(await shown()).toEqual(['Read', 'Edit', 'exec']);
	});

	it('may be chosen before skills are loaded, and never by a name that nothing has', async () => {
		const { tools, shown } = activeTools({}, true);
		tools.choose(['skill']);
		expect(await shown()).toEqual(['skill']);
		expect(() => tools.choose(['Read', 'nope'])).toThrow('There is no tool named nope.');
		expect(() => tools.choose([])).toThrow('At least one tool must be active.');
		expect(tools.names).toEqual(['skill']);
	});

	it('do not change with the list that they were chosen by', async () => {
		const { tools, shown } = activeTools();
		const names = ['Read'];
		tools.choose(names);
		names.push('Edit');
		expect(await shown()).toEqual(['Read']);
	});

	it('are those of the agent that started it, unless it has a choice of its own', async () => {
		const parent = { session: { activeTools: ['Read'] as readonly string[] | null } };
		const { tools, shown } = activeTools({ parent });
		expect(tools.names).toEqual(['Read']);
		expect(await shown()).toEqual(['Read']);
		tools.choose(['Edit']);
		expect(await shown()).toEqual(['Edit']);
		parent.session.activeTools = null;
		tools.choose(null);
		expect(tools.names).toBeNull();
	});

	it('stay chosen when the profile changes, under its names', async () => {
		const { tools, parts, shown } = activeTools({ root: { options: { tools: [named('notes', 'notes')] } } });
		tools.choose(['Read', 'notes', 'skill']);
		tools.useNeutralNames();
		expect(tools.names).toEqual(['read_file', 'notes', 'skill']);
		parts.profile = fakeProfile([named('view', 'read_file'), named('change', 'edit_file', 'write')], { id: 'openai' });
		expect(await shown()).toEqual(['view', 'notes']);
		const all = activeTools();
		all.tools.useNeutralNames();
		expect(all.tools.names).toBeNull();
	});

	it('are the same list as long as nothing changes', async () => {
		const { tools, parts } = activeTools();
		const first = await tools.bindings();
		expect(await tools.bindings()).toBe(first);
		const changes: (() => void)[] = [
			() => tools.choose(['Read', 'Edit']),
			() => (parts.mode = 'plan'),
			() => (parts.profile = { ...parts.profile, model: 'other' }),
			() => (parts.profile = { ...parts.profile, id: 'gemini' }),
			() => (parts.root = { options: { withoutTools: ['exec'] } }),
			() => (parts.root = { options: { tools: [named('notes', 'notes')] } })
		];
		let before = first;
		for (const change of changes) {
			change();
			const after = await tools.bindings();
			expect(after).not.toBe(before);
			expect(await tools.bindings()).toBe(after);
			before = after;
		}
		// Modes full and ask show the same tools.
		parts.mode = 'full';
		const full = await tools.bindings();
		parts.mode = 'ask';
		expect(await tools.bindings()).toBe(full);
	});

	it('are named once for each neutral name, as the profile calls them', () => {
		const twice = fakeProfile([read, named('ReadMany', 'read_file'), edit]);
		expect(activeTools({ profile: twice }).tools.choices).toEqual([
			{ name: 'read_file', label: 'Read', description: 'Read' },
			{ name: 'edit_file', label: 'Edit', description: 'Edit' }
		]);
	});
});
