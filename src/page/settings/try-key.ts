import { DIRECT_PROVIDERS, type DirectProvider, type OwnKey } from './own-keys.ts';
import { reachProblem } from './reach.ts';
import { t } from '../strings/index.ts';

/** As long as someone waits for a form. */
const PATIENCE_MS = 15_000;

/**
 * Tries a key with the cheapest call there is, the list of models.
 *
 * @returns why it cannot be used, as a sentence; `null` when it can
 */
export async function tryKey(
	provider: DirectProvider,
	{ key, baseUrl }: OwnKey,
	signal?: AbortSignal
): Promise<string | null> {
	const { name, baseUrl: usual } = DIRECT_PROVIDERS.find(({ id }) => id === provider)!;
	const problem = await reachProblem(baseUrl ?? usual);
	if (problem !== null) return problem;
	const limit = AbortSignal.timeout(PATIENCE_MS);
	const { url, headers } = request(provider, key, (baseUrl ?? usual).replace(/\/+$/, ''));
	let status: number;
	try {
		const signals = signal ? AbortSignal.any([limit, signal]) : limit;
		({ status } = await fetch(url, { headers, credentials: 'omit', redirect: 'error', signal: signals }));
	} catch {
		signal?.throwIfAborted();
		return t.settings.tried.unreachable(name);
	}
	// Gemini answers 400 to a key that it does not know.
	if (status === 401 || status === 403 || (status === 400 && provider === 'gemini'))
		return t.settings.tried.refused(name);
	if (status >= 500) return t.settings.tried.trouble(name, status);
	return null;
}

function request(
	provider: DirectProvider,
	key: string,
	base: string
): { url: string; headers: Record<string, string> } {
	switch (provider) {
		case 'anthropic':
			return {
				url: `${base}/v1/models?limit=1`,
				headers: {
					'x-api-key': key,
					'anthropic-version': '2023-06-01',
					'anthropic-dangerous-direct-browser-access': 'true'
				}
			};
		case 'openai':
			return { url: `${base}/models`, headers: { authorization: `Bearer ${key}` } };
		case 'gemini':
			return { url: `${base}/v1beta/models?pageSize=1`, headers: { 'x-goog-api-key': key } };
	}
}
