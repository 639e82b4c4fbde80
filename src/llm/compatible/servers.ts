import { type ChatQuirks, plainQuirks } from './quirks.ts';

/** A service or a local server known by name. */
export interface KnownServer {
	/** Name in `compatible-<name>`. */
	name: string;
	/** Display name. */
	label: string;
	/** Public or usual address; absent if it differs for each account or region. */
	baseUrl?: string;
	/** Environment variable for the key, as its documentation names it; absent for local servers, which need none. */
	keyVariable?: string;
	/** Wire format of the server. */
	api: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
	/** Headers it requires besides the key. */
	headers?: Record<string, string>;
	quirks: ChatQuirks;
	/** Setup hint for the user. */
	note?: string;
}

const chat = (
	name: string,
	label: string,
	more: Partial<Omit<KnownServer, 'quirks'>> & { quirks?: Partial<ChatQuirks> }
): KnownServer => ({ name, label, api: 'openai-chat', ...more, quirks: { ...plainQuirks, ...more.quirks } });

/**
 * Services of the specification (003 §4.2) and a few more, from their public documentation, read on 2026-11-21.
 */
export const knownServers: readonly KnownServer[] = [
	{
		name: 'bedrock',
		label: 'AWS Bedrock',
		api: 'anthropic-messages',
		quirks: plainQuirks,
		note: 'It signs requests with IAM for one region: give the address of a gateway that does.'
	},
	chat('azure', 'Azure OpenAI', {
		keyVariable: 'AZURE_OPENAI_API_KEY',
		quirks: { maxTokens: 'max_completion_tokens' },
		note: 'The address is https://<resource>.openai.azure.com/openai/v1, the model is the name of your deployment.'
	}),
	chat('copilot', 'GitHub Copilot', {
		baseUrl: 'https://api.githubcopilot.com',
		keyVariable: 'COPILOT_TOKEN',
		headers: { 'copilot-integration-id': 'vscode-chat', 'editor-version': 'vscode/1.100.0' },
		note: 'It takes a token of its own sign-in, which ends after half an hour.'
	}),
	chat('xai', 'xAI', { baseUrl: 'https://api.x.ai/v1', keyVariable: 'XAI_API_KEY' }),
	chat('groq', 'Groq', { baseUrl: 'https://api.groq.com/openai/v1', keyVariable: 'GROQ_API_KEY' }),
	chat('cerebras', 'Cerebras', {
		baseUrl: 'https://api.cerebras.ai/v1',
		keyVariable: 'CEREBRAS_API_KEY',
		quirks: { maxTokens: 'max_completion_tokens' }
	}),
	chat('mistral', 'Mistral', {
		baseUrl: 'https://api.mistral.ai/v1',
		keyVariable: 'MISTRAL_API_KEY',
		quirks: {
			effort: 'none',
			thinking: 'tags',
			callIds: 'nine',
			toolName: true,
			assistantAfterTool: true,
			askForUsage: false
		}
	}),
	chat('openrouter', 'OpenRouter', {
		baseUrl: 'https://openrouter.ai/api/v1',
		keyVariable: 'OPENROUTER_API_KEY',
		quirks: { effort: 'reasoning' },
		note: 'Routing goes into the provider options, e.g. { provider: { order: [...] } }.'
	}),
	chat('zai', 'z.ai', {
		baseUrl: 'https://api.z.ai/api/paas/v4',
		keyVariable: 'ZAI_API_KEY',
		quirks: { effort: 'thinking', thinking: 'reasoning_content' }
	}),
	chat('deepseek', 'DeepSeek', {
		baseUrl: 'https://api.deepseek.com',
		keyVariable: 'DEEPSEEK_API_KEY',
		quirks: { effort: 'thinking', thinking: 'reasoning_content' }
	}),
	chat('kimi', 'Kimi', {
		baseUrl: 'https://api.moonshot.ai/v1',
		keyVariable: 'MOONSHOT_API_KEY',
		quirks: { effort: 'thinking', thinking: 'reasoning_content' }
	}),
	chat('huggingface', 'Hugging Face', { baseUrl: 'https://router.huggingface.co/v1', keyVariable: 'HF_TOKEN' }),
	chat('together', 'Together', { baseUrl: 'https://api.together.xyz/v1', keyVariable: 'TOGETHER_API_KEY' }),
	chat('vercel', 'Vercel AI Gateway', {
		baseUrl: 'https://ai-gateway.vercel.sh/v1',
		keyVariable: 'AI_GATEWAY_API_KEY',
		quirks: { effort: 'reasoning' },
		note: 'Routing goes into the provider options, e.g. { providerOptions: { gateway: { order: [...] } } }.'
	}),
	chat('ollama', 'Ollama', { baseUrl: 'http://localhost:11434/v1' }),
	chat('lmstudio', 'LM Studio', { baseUrl: 'http://localhost:1234/v1' }),
	chat('vllm', 'vLLM', { baseUrl: 'http://localhost:8000/v1' })
];

/**
 * Finds a known service.
 * @param name with or without the prefix `compatible-`
 */
export function findServer(name: string): KnownServer | undefined {
	const bare = name.replace(/^compatible-/, '');
	return knownServers.find((server) => server.name === bare);
}

/** Quirks of a configured provider: by its name, then by its host; else those of a plain server. */
export function quirksOf(name: string, baseUrl: string | undefined): ChatQuirks {
	const host = hostOf(baseUrl);
	const known = findServer(name) ?? knownServers.find((server) => host !== '' && hostOf(server.baseUrl) === host);
	return known?.quirks ?? plainQuirks;
}

function hostOf(url: string | undefined): string {
	const host = url !== undefined && URL.canParse(url) ? new URL(url).host : '';
	return host.startsWith('localhost') ? '' : host;
}
