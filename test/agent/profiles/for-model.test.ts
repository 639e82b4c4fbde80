import { describe, expect, it } from 'vitest';
import { createCodeModeProfile } from '#agent/profiles/code-mode.ts';
import { familyOf, profileForModel } from '#agent/profiles/for-model.ts';
import type { Profile } from '#agent/profile.ts';

const names = (profile: Profile) => profile.tools.map(({ definition }) => definition.name);

describe('the profile for a model', () => {
	it.each([
		['claude-opus-4-6', 'compatible-x', 'anthropic'],
		['anthropic/claude-opus-4-6', 'compatible-openrouter', 'anthropic'],
		['Claude-Opus', 'compatible-x', 'anthropic'],
		['anything', 'anthropic', 'anthropic'],
		['anything', 'demo', 'anthropic'],
		['gemini-3-pro', 'compatible-x', 'gemini'],
		['anything', 'gemini', 'gemini'],
		['gpt-5.2', 'compatible-x', 'openai'],
		['gpt-9', 'compatible-x', 'openai'],
		['gpt-4.1-mini', 'compatible-x', 'openai'],
		['o3', 'compatible-x', 'openai'],
		['o4-mini', 'compatible-x', 'openai'],
		['codex-mini', 'compatible-x', 'openai'],
		['anything', 'openai', 'openai'],
		['gpt-4', 'compatible-x', 'pi'],
		['gpt-4o', 'compatible-x', 'pi'],
		['o30b', 'compatible-x', 'pi'],
		['my-gpt-5', 'compatible-x', 'pi'],
		['not-claude', 'compatible-x', 'pi'],
		['qwen3', 'compatible-x', 'pi']
	])('%s of %s is the one of %s', (name, provider, family) => {
		expect(familyOf(name, provider)).toBe(family);
		expect(profileForModel(name, provider)).toMatchObject({ id: family, model: name, provider });
	});

	it.each([
		['gpt-5.6-sol', true],
		['gpt-6', true],
		['openai/gpt-6.1', true],
		['gpt-5.5', false],
		['gpt-5', false],
		['codex-mini', false]
	])('%s writes scripts: %s', (name, writesScripts) => {
		expect(names(profileForModel(name, 'openai')).includes('exec')).toBe(writesScripts);
	});

	it('of no family has what concerns the user and helpers too, before the host’s own', () => {
		const own = createCodeModeProfile({ model: 'gpt-6' }).tools.slice(0, 1);
		const all = names(profileForModel('qwen3', 'compatible-x', { tools: own }));
		expect(all).toEqual(expect.arrayContaining(['read', 'bash', 'todo', 'preview', 'ask_user', 'spawn_agent', 'exec']));
		expect(all.indexOf('todo')).toBeLessThan(all.indexOf('exec'));
	});
});
