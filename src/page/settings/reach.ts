import { serverConfig } from '../server-config.ts';
import { t } from '../strings/index.ts';

/**
 * Reason why the page itself cannot reach a URL, as a sentence; `null` if none is known. The page's policy allows its
 * own server and origins that the operator added.
 */
export async function reachProblem(address: string): Promise<string | null> {
	if (!URL.canParse(address)) return t.settings.noAddress(address);
	const { origin, protocol } = new URL(address);
	if (protocol !== 'https:' && protocol !== 'http:') return t.settings.noAddress(address);
	if (origin === location.origin) return null;
	const config = await serverConfig();
	// Static hosting sets its own policy, which the page cannot read.
	if (!config || config.connectHosts.includes(origin)) return null;
	return t.settings.notReachable(origin);
}
