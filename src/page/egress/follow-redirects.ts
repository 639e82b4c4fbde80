import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { EgressLedger } from './ledger.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Purposes whose programs expect the network to follow. Others get the redirect itself and ask again on their own. */
const FOLLOWED = new Set(['git', 'npm']);
/** Headers that say how an answer should look; all others may be meant for the first host only. */
const CARRIED = new Set(['accept', 'git-protocol', 'user-agent']);

/**
 * Sends a request of the sandbox, and each address that it is redirected to as a request of its own: the ledger writes a
 * line and asks for its host. Only requests without a body are repeated.
 */
export function followingRedirects(
	ledger: Pick<EgressLedger, 'request'>
): (request: WireRequest) => Promise<WireResponse> {
	return async (first) => {
		let request = first;
		for (let redirects = 0; ; redirects++) {
			const response = await ledger.request(request);
			const next = FOLLOWED.has(first.purpose) ? nextAddress(request, response) : null;
			if (next === null || redirects === MAX_REDIRECTS) return response;
			request = { ...request, url: next, headers: request.headers.filter(([name]) => CARRIED.has(name.toLowerCase())) };
		}
	};
}

/** Address to which a redirect may be followed; `null` if it may not, or there is none. */
function nextAddress({ method, url, purpose }: WireRequest, { status, headers }: WireResponse): string | null {
	const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
	if (method !== 'GET' || !REDIRECTS.has(status) || location === undefined || !URL.canParse(location, url)) return null;
	const [from, to] = [new URL(url), new URL(location, url)];
	if (from.protocol === 'https:' && to.protocol !== 'https:') return null;
	// A moved repository is found under the same end of the address, as git itself has it.
	const end = `/info/refs${from.search}`;
	if (purpose === 'git' && !(to.pathname + to.search).endsWith(end)) return null;
	return to.href;
}
