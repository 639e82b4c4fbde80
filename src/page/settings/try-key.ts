import { directBase, fetchModelList } from '../models/provider-models.ts';
import { providerName, type DirectProvider } from './direct-providers.ts';
import type { OwnKey } from './own-keys.ts';
import { reachProblem } from './reach.ts';
import { t } from '../strings/index.ts';

/**
 * Tests a key with the cheapest call there is, the list of models.
 *
 * @returns reason why it cannot be used, as a sentence; `null` if it can
 */
export async function tryKey(provider: DirectProvider, own: OwnKey, signal?: AbortSignal): Promise<string | null> {
	const name = providerName(provider);
	const problem = await reachProblem(directBase(provider, own));
	if (problem !== null) return problem;
	let status: number;
	try {
		({ status } = await fetchModelList(provider, own, 1, signal));
	} catch {
		signal?.throwIfAborted();
		return t.settings.tried.unreachable(name);
	}
	// Gemini responds with 400 to an unknown key.
	if (status === 401 || status === 403 || (status === 400 && provider === 'gemini'))
		return t.settings.tried.refused(name);
	if (status >= 500) return t.settings.tried.trouble(name, status);
	return null;
}
