import type { Configuration } from '../configuration/load.ts';

/** A method and the paths allowed for it, relative to the provider's base address. */
interface AllowedCall {
	method: 'GET' | 'POST';
	path: RegExp;
}

/** Error format that a provider's SDK expects. */
export type ErrorShape = 'anthropic' | 'openai' | 'gemini';

export interface Provider {
	/** `anthropic`, `openai`, `gemini`, `compatible-<name>`. */
	id: string;
	baseUrl: string;
	/** If absent, calls are answered with a message that explains how to set it. */
	key?: string;
	/** False for compatible servers that need none. */
	keyNeeded: boolean;
	/** Named in that message. */
	keyVariable: string;
	/** Builds the authentication headers of the provider. */
	authenticate: (key: string) => Record<string, string>;
	/** Allowed calls: generating, counting tokens and listing models; no files, batches or administration. */
	calls: readonly AllowedCall[];
	errorShape: ErrorShape;
	/** From the configuration; empty if the page's catalog knows them. */
	models: readonly string[];
}

/** No percent signs: an encoded slash or dot is never accepted. */
const MODEL = '[A-Za-z0-9][A-Za-z0-9._:@-]*';
/** Gemini names the method after a colon, so its model ids contain none. */
const GEMINI_MODEL = '[A-Za-z0-9][A-Za-z0-9._-]*';
const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });
const listModels: AllowedCall = { method: 'GET', path: new RegExp(`^/models(/${MODEL}(/${MODEL})?)?$`) };
const chat: AllowedCall = { method: 'POST', path: /^\/chat\/completions$/ };
const responses: AllowedCall = { method: 'POST', path: /^\/responses(\/input_tokens)?$/ };

/** Every provider of the configuration, with or without a key, by id. */
export function providersOf(configuration: Configuration): Map<string, Provider> {
	const providers: Provider[] = [
		{
			id: 'anthropic',
			baseUrl: configuration.ANTHROPIC_BASE_URL,
			key: configuration.ANTHROPIC_API_KEY,
			keyNeeded: true,
			keyVariable: 'ANTHROPIC_API_KEY',
			authenticate: (key) => ({ 'x-api-key': key }),
			calls: [
				{ method: 'POST', path: /^\/v1\/messages(\/count_tokens)?$/ },
				{ method: 'GET', path: new RegExp(`^/v1/models(/${MODEL})?$`) }
			],
			errorShape: 'anthropic',
			models: []
		},
		{
			id: 'openai',
			baseUrl: configuration.OPENAI_BASE_URL,
			key: configuration.OPENAI_API_KEY,
			keyNeeded: true,
			keyVariable: 'OPENAI_API_KEY',
			authenticate: bearer,
			calls: [responses, chat, listModels],
			errorShape: 'openai',
			models: []
		},
		{
			id: 'gemini',
			baseUrl: configuration.GOOGLE_GEMINI_BASE_URL,
			key: configuration.GEMINI_API_KEY,
			keyNeeded: true,
			keyVariable: 'GEMINI_API_KEY',
			authenticate: (key) => ({ 'x-goog-api-key': key }),
			calls: [
				{
					method: 'POST',
					path: new RegExp(
						`^/v1(beta|alpha)?/models/${GEMINI_MODEL}:(generateContent|streamGenerateContent|countTokens)$`
					)
				},
				{ method: 'GET', path: new RegExp(`^/v1(beta|alpha)?/models(/${GEMINI_MODEL})?$`) }
			],
			errorShape: 'gemini',
			models: []
		},
		...configuration.compatible.map(({ name, baseUrl, key, models }) => compatibleProvider(name, baseUrl, models, key))
	];
	return new Map(providers.map((provider) => [provider.id, provider]));
}

/** Id of the compatible provider with that name. */
export const compatibleId = (name: string): string => `compatible-${name}`;

/**
 * Describes a compatible provider.
 * @param name as in `compatible-<name>`
 */
export function compatibleProvider(name: string, baseUrl: string, models: readonly string[], key?: string): Provider {
	return {
		id: compatibleId(name),
		baseUrl,
		key,
		keyNeeded: false,
		keyVariable: `COMPATIBLE_${name.toUpperCase().replaceAll('-', '_')}_API_KEY`,
		authenticate: bearer,
		calls: [chat, responses, listModels],
		errorShape: 'openai',
		models
	};
}
