import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import type { EgressLedger } from './ledger.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Purposes whose programs expect the network to follow redirects. Others get the redirect itself and send another
 * request.
 */
const FOLLOWED = new Set(['git', 'npm']);
/** Headers that describe the expected response; all others may be meant only for the first host. */
const CARRIED = new Set(['accept', 'git-protocol', 'user-agent']);

/**
 * Sends a request of the sandbox, and each redirect as a separate request: the ledger records it and asks about its
 * host. Only requests without a body are repeated.
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

/** URL of a redirect that may be followed; `null` if it may not be, or there is none. */
function nextAddress({ method, url, purpose }: WireRequest, { status, headers }: WireResponse): string | null {
	const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
	if (method !== 'GET' || !REDIRECTS.has(status) || location === undefined || !URL.canParse(location, url)) return null;
	const [from, to] = [new URL(url), new URL(location, url)];
	if (from.protocol === 'https:' && to.protocol !== 'https:') return null;
	// A moved repository keeps the end of its URL; git requires the same.
	const end = `/info/refs${from.search}`;
	if (purpose === 'git' && !(to.pathname + to.search).endsWith(end)) return null;
	return to.href;
}
