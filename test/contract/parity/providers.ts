import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createGeminiProfile } from '#agent/profiles/gemini.ts';
import { createOpenAIProfile } from '#agent/profiles/openai.ts';
import type { Profile } from '#agent/profile.ts';
import type { ProviderConfig } from '#llm/adapters/registry.ts';

/** A provider of the matrix: its profile, its model and how its SDK reaches the scripted server. */
export interface ParityProvider {
	name: 'openai' | 'anthropic' | 'gemini';
	profile: () => Profile;
	config: (url: string) => ProviderConfig;
	/** Environment variable with a key to its real API. */
	keyVariable: string;
	/** This profile's names of the tools. */
	tools: { write: string; edit: string; shell: string; agent: string };
}

export const providers: ParityProvider[] = [
	{
		name: 'openai',
		profile: () => createOpenAIProfile({ model: 'gpt-5.5' }),
		config: (url) => ({ api: 'openai-responses', baseUrl: `${url}/v1`, apiKey: 'key' }),
		keyVariable: 'OPENAI_API_KEY',
		tools: { write: 'write_file', edit: 'apply_patch', shell: 'exec_command', agent: 'spawn_agent' }
	},
	{
		name: 'anthropic',
		profile: () => createAnthropicProfile({ model: 'claude-opus-4-6' }),
		config: (url) => ({ api: 'anthropic-messages', baseUrl: url, apiKey: 'key' }),
		keyVariable: 'ANTHROPIC_API_KEY',
		tools: { write: 'Write', edit: 'Edit', shell: 'Bash', agent: 'Agent' }
	},
	{
		name: 'gemini',
		profile: () => createGeminiProfile({ model: 'gemini-3-pro-preview' }),
		config: (url) => ({ api: 'gemini', baseUrl: url, apiKey: 'key' }),
		keyVariable: 'GEMINI_API_KEY',
		tools: { write: 'write_file', edit: 'replace', shell: 'run_shell_command', agent: 'invoke_agent' }
	}
];
