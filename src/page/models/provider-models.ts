import * as z from 'zod/mini';
import { DIRECT_PROVIDERS, type DirectProvider } from '../settings/direct-providers.ts';
import { ownKeys, type OwnKey } from '../settings/own-keys.ts';

/** Time limit, since a form is waiting. */
const PATIENCE_MS = 15_000;
/** Size limit of a list: the longest known has about 400 entries of 300 bytes. */
const MOST_BYTES = 4_000_000;
const MOST_MODELS = 1_000;

const Id = z.string().check(z.minLength(1), z.maxLength(200));
const ListByData = z.object({ data: z.array(z.object({ id: Id })) });
const ListByModels = z.object({
	models: z.array(z.object({ name: Id, supportedGenerationMethods: z.optional(z.array(z.string())) }))
});

/** OpenAI models that are not for chat: pictures, speech, embeddings, moderation. */
const OPENAI_OTHERS = /embedding|moderation|tts|whisper|dall-e|image|audio|realtime|transcribe|sora|davinci|babbage/;

interface ListRequest {
	url: string;
	headers: Record<string, string>;
}

/**
 * Builds the request for a provider's list of models, the cheapest call there is.
 *
 * @param base base URL of the provider's API, without a trailing slash
 * @param key absent: the server in between has it
 */
function listRequest(provider: string, base: string, key: string | undefined, limit: number): ListRequest {
	switch (provider) {
		case 'anthropic':
			return {
				url: `${base}/v1/models?limit=${limit}`,
				headers: {
					'anthropic-version': '2023-06-01',
					...(key === undefined ? {} : { 'x-api-key': key, 'anthropic-dangerous-direct-browser-access': 'true' })
				}
			};
		case 'gemini':
			return {
				url: `${base}/v1beta/models?pageSize=${limit}`,
				headers: key === undefined ? {} : { 'x-goog-api-key': key }
			};
		default:
			return { url: `${base}/models`, headers: key === undefined ? {} : { authorization: `Bearer ${key}` } };
	}
}

/** Base URL of a provider's API for the user's own key. */
export const directBase = (provider: DirectProvider, { baseUrl }: OwnKey): string =>
	(baseUrl ?? DIRECT_PROVIDERS.find(({ id }) => id === provider)!.baseUrl).replace(/\/+$/, '');

/**
 * Requests a provider's list of models.
 *
 * @param own the user's key for it; absent: the server in between has one
 * @param limit maximum number of models
 * @throws Error if it cannot be reached in time
 */
export function fetchModelList(
	provider: string,
	own: OwnKey | undefined,
	limit: number,
	signal?: AbortSignal
): Promise<Response> {
	const base = own ? directBase(provider as DirectProvider, own) : `${location.origin}/api/llm/${provider}`;
	const { url, headers } = listRequest(provider, base, own?.key, limit);
	const timeout = AbortSignal.timeout(PATIENCE_MS);
	return fetch(url, {
		headers,
		credentials: own ? 'omit' : 'same-origin',
		redirect: 'error',
		signal: signal ? AbortSignal.any([timeout, signal]) : timeout
	});
}

/**
 * Names of a provider's chat models that are available with the current key, sorted.
 *
 * @throws Error if the provider cannot be reached or the answer is invalid
 */
export async function providerModels(provider: string, signal: AbortSignal): Promise<string[]> {
	const response = await fetchModelList(provider, ownKeys.all()[provider], MOST_MODELS, signal);
	if (!response.ok) throw new Error(`The list of models was answered with ${response.status}.`);
	const text = await response.text();
	if (text.length > MOST_BYTES) throw new Error('The list of models is too long to be one.');
	return namesIn(provider, JSON.parse(text)).slice(0, MOST_MODELS);
}

function namesIn(provider: string, answer: unknown): string[] {
	const named = z.safeParse(ListByModels, answer);
	if (provider === 'gemini' && named.success)
		return named.data.models
			.filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true)
			.map(({ name }) => name.replace(/^models\//, ''))
			.sort();
	const names = z.parse(ListByData, answer).data.map(({ id }) => id);
	return names.filter((name) => provider !== 'openai' || !OPENAI_OTHERS.test(name)).sort();
}
