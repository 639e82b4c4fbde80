import type { Profile } from '../profile.ts';
import { askUser } from '../tools/ask-user.ts';
import { preview } from '../tools/preview.ts';
import { todo } from '../tools/todo.ts';
import { agentTools } from './agent-tools.ts';
import { createAnthropicProfile } from './anthropic.ts';
import { bind } from './bind.ts';
import { createCodeModeProfile } from './code-mode.ts';
import { createGeminiProfile } from './gemini.ts';
import { createOpenAIProfile } from './openai.ts';
import type { ProfileOptions } from './options.ts';
import { createPiProfile } from './pi.ts';

/**
 * Selects the profile for a model: first by its name, since a compatible server serves models of every family, then by
 * the provider. Unknown models get the generic one.
 *
 * @param provider client provider that serves the model
 * @param options overrides by the catalog or the host
 */
export function profileForModel(model: string, provider: string, options: Partial<ProfileOptions> = {}): Profile {
	const all: ProfileOptions = { ...options, model, provider };
	switch (familyOf(model, provider)) {
		case 'anthropic':
			return createAnthropicProfile(all);
		case 'openai':
			return CODE_MODE.test(bareName(model)) ? createCodeModeProfile(all) : createOpenAIProfile(all);
		case 'gemini':
			return createGeminiProfile(all);
		case 'pi': {
			const extra = [
				bind(todo, { name: 'todo' }),
				bind(preview, { name: 'preview' }),
				bind(askUser, { name: 'ask_user' }),
				...agentTools()
			];
			return createPiProfile({ ...all, tools: [...extra, ...(options.tools ?? [])] });
		}
	}
}

/** Models whose own agent gives them a single tool that runs scripts. */
const CODE_MODE = /^gpt-(?:5\.6|6)/;

const bareName = (model: string): string => model.toLowerCase().split('/').at(-1) ?? '';

export type ProfileFamilyId = 'anthropic' | 'openai' | 'gemini' | 'pi';

export function familyOf(model: string, provider: string): ProfileFamilyId {
	const name = bareName(model);
	if (name.startsWith('claude') || provider === 'anthropic' || provider === 'demo') return 'anthropic';
	if (name.startsWith('gemini') || provider === 'gemini') return 'gemini';
	if (/^(?:gpt-[5-9]|gpt-4\.1|o[34]\b|codex)/.test(name) || provider === 'openai') return 'openai';
	return 'pi';
}
