import type { EgressLedger } from './ledger.ts';
import { EgressRefused } from './refused.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Wraps `fetch` for imports: a repository's archive is an entry in the ledger, and so is each URL that its host
 * redirects to, which requires permission and gets no token.
 */
export function archiveThroughLedger(ledger: Pick<EgressLedger, 'stream'>, send: typeof fetch): typeof fetch {
	return async (input, init) => {
		const asked = input instanceof Request ? input.url : String(input);
		const repository = URL.canParse(asked) ? new URL(asked) : null;
		const address = repository?.pathname.endsWith('/api/archive') ? repository.searchParams.get('url') : null;
		if (address === null) return send(input, init);
		try {
			let response = await ledger.stream(importOf(address), () => send(input, init), 'user');
			for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
				const next = redirectedTo(response);
				if (next === null) return response;
				const egress = new URL(`egress?url=${encodeURIComponent(next)}`, asked);
				const request = (): Promise<Response> => send(egress, { signal: init?.signal ?? null }).then(unwrap);
				response = await ledger.stream(importOf(next), request, 'program');
			}
			return response;
		} catch (error) {
			if (!(error instanceof EgressRefused)) throw error;
			return new Response(error.message, { status: 403 });
		}
	};
}

const importOf = (url: string) => ({ method: 'GET', url, headers: [], body: null, purpose: 'import' });

/** Unwraps the host's response from that of `/api/egress`. */
function unwrap(response: Response): Response {
	const status = Number(response.headers.get('X-Egress-Status'));
	if (!status) return response;
	const location = response.headers.get('X-Egress-Location');
	const headers = new Headers(location === null ? {} : { location });
	return new Response(REDIRECTS.has(status) ? null : response.body, { status, headers });
}

function redirectedTo(response: Response): string | null {
	if (response.headers.get('X-Sandglass-Error') === 'redirected') return response.headers.get('X-Sandglass-Location');
	return REDIRECTS.has(response.status) ? response.headers.get('location') : null;
}
