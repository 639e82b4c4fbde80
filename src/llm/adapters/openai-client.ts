import type { OpenAI } from 'openai';
import type { AdapterConfig } from './adapter.ts';
import { lazily } from './lazily.ts';
import { loadSdk } from './load-sdk.ts';
import { sdkSettings } from './sdk-client.ts';

/** OpenAI's SDK, for both of its APIs, loaded with the first request. */
export function openaiClient(config: AdapterConfig): () => Promise<OpenAI> {
	return lazily(async () => {
		const { OpenAI } = await loadSdk(config.name, 'openai', () => import('openai'));
		return new OpenAI({ ...sdkSettings(config), organization: null, project: null });
	});
}
