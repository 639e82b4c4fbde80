import { expect, it } from 'vitest';
import { forward } from '#page/egress/forward.ts';

it.each([
	['upstream_not_found', 502, 'ENOTFOUND'],
	['upstream_unreachable', 502, 'ENETUNREACH'],
	['upstream_timeout', 504, 'ENETUNREACH'],
	['address_refused', 403, 'ECONNREFUSED']
])('a refusal of the server by %s reaches a program as its code, in its sentence', async (refused, status, code) => {
	const body = JSON.stringify({ error: { type: refused, message: 'The "sentence".' } });
	const doors = {
		serverUrl: 'https://sandglass.example',
		npmRegistry: 'https://mirror.example/npm/',
		fetch: async () => new Response(body, { status, headers: { 'X-Sandglass-Error': refused } })
	};
	const request = { method: 'GET', url: 'https://host.example/', headers: [], body: null, purpose: 'fetch' } as const;
	await expect(forward({ ...request, headers: [] }, doors)).rejects.toMatchObject({ code, message: 'The "sentence".' });
});
