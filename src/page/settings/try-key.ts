import { directBase, listRequest } from '../models/provider-models.ts';
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
export async function tryKey(provider: DirectProvider, own: OwnKey, signal?: AbortSignal): Promise<string | null> {
	const { name } = DIRECT_PROVIDERS.find(({ id }) => id === provider)!;
	const base = directBase(provider, own);
	const problem = await reachProblem(base);
	if (problem !== null) return problem;
	const limit = AbortSignal.timeout(PATIENCE_MS);
	const { url, headers } = listRequest(provider, base, own.key, 1);
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
