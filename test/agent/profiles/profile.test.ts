import { describe, expect, it } from 'vitest';
import { makeProfile, type ProfileFamily } from '#agent/profiles/profile.ts';
import type { ProfileOptions } from '#agent/profiles/options.ts';
import { modelTraits } from '#llm/catalog.ts';
import { fakeTool } from '../fake-tools.ts';

const family: ProfileFamily = {
	id: 'anthropic',
	tools: [fakeTool('Read', () => 'the family’s'), fakeTool('Bash', () => '')],
	basePrompt: 'You help.',
	instructionFiles: ['CLAUDE.md'],
	providerOptions: { betas: ['x'], top_k: 1 },
	contextWindowTokens: 12_345,
	maxOutputTokens: 678,
	readBeforeWrite: 'strict'
};
const make = (options: ProfileOptions, more: Partial<ProfileFamily> = {}) =>
	makeProfile({ ...family, ...more }, options);

describe('a profile', () => {
	it('is what its family says, for a model that no one knows', () => {
		const profile = make({ model: 'a-model-of-tomorrow' });
		expect(profile).toMatchObject({
			id: 'anthropic',
			provider: 'anthropic',
			model: 'a-model-of-tomorrow',
			basePrompt: 'You help.',
			instructionFiles: ['CLAUDE.md'],
			supportsParallelToolCalls: true,
			supportsStreaming: true,
			supportsReasoning: true,
			supportsImages: true,
			contextWindowTokens: 12_345,
			maxOutputTokens: 678,
			readBeforeWrite: 'strict'
		});
		expect(profile).not.toHaveProperty('defaultCommandTimeoutMs');
		expect(profile.tools).toEqual(family.tools);
		expect(profile.providerOptions()).toEqual({ betas: ['x'], top_k: 1 });
	});

	it('knows of a model what the catalog does', () => {
		const claude = modelTraits('claude-opus-4-6');
		expect(make({ model: 'claude-opus-4-6' })).toMatchObject({
			contextWindowTokens: claude?.contextWindow,
			maxOutputTokens: claude?.maxOutput,
			supportsImages: claude?.images
		});
		expect(make({ model: 'claude-opus-4-6' }).supportsReasoning).toBe(true);
		expect(make({ model: 'gpt-4.1' }).supportsReasoning).toBe(false);
		expect(make({ model: 'demo' }).supportsImages).toBe(false);
		expect(make({ model: 'demo', supportsImages: true }).supportsImages).toBe(true);
		// Prompts for OpenAI have to leave room for the longest response.
		const gpt = modelTraits('gpt-5.2');
		expect(make({ model: 'gpt-5.2' }).contextWindowTokens).toBe(Number(gpt?.contextWindow) - Number(gpt?.maxOutput));
	});

	it('takes what the host chose over both', () => {
		const chosen = {
			provider: 'compatible-x',
			contextWindowTokens: 9,
			maxOutputTokens: 8,
			supportsReasoning: false,
			supportsImages: false,
			defaultCommandTimeoutMs: 7,
			readBeforeWrite: 'off' as const
		};
		const { providerOptions, ...profile } = make(
			{ model: 'claude-opus-4-6', ...chosen, providerOptions: { top_k: 2 } },
			{ defaultCommandTimeoutMs: 5 }
		);
		expect(profile).toMatchObject({ id: 'anthropic', ...chosen });
		expect(providerOptions()).toEqual({ betas: ['x'], top_k: 2 });
		expect(make({ model: 'm' }, { defaultCommandTimeoutMs: 5 }).defaultCommandTimeoutMs).toBe(5);
	});

	it('has the host’s tools beside its own, or in the place of those of the same name', async () => {
		const own = fakeTool('Read', () => 'the host’s');
		const { tools, buildSystemPrompt } = make({ model: 'm', tools: [own, fakeTool('more', () => '')] });
		expect(tools.map(({ definition }) => definition.name).sort()).toEqual(['Bash', 'Read', 'more']);
		expect(tools.find(({ definition }) => definition.name === 'Read')?.tool).toBe(own.tool);
		const parts = { environmentBlock: '', gitSnapshot: '', projectInstructions: '', userInstructions: '' };
		expect(buildSystemPrompt({ ...parts, toolNames: ['more'] })).toMatch(/^You help\.\n\n# Tools\n- more: /);
		expect(make({ model: 'm', basePrompt: 'Mine.' }).buildSystemPrompt({ ...parts, toolNames: [] })).toBe('Mine.');
	});
});
