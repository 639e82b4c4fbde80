import { Refusal } from '../refusal.ts';
import type { OutboundResponse } from './types.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Returns a redirect to the page as a refusal with the code `redirected`, since a browser hides the `Location` of a
 * real one. `X-Sandglass-Status` and `X-Sandglass-Location` contain the host's status and location. The page's ledger
 * then decides about the next address; the server itself sends nothing there.
 * @throws Refusal 502 if the response is a redirect
 */
export function refuseRedirect({ status, headers, body, url }: OutboundResponse): void {
	const { location } = headers;
	if (!REDIRECTS.has(status) || location === undefined) return;
	body.destroy();
	if (!URL.canParse(location, url.href))
		throw new Refusal(502, 'redirect_invalid', `${url.host} redirected to an invalid address.`);
	const next = new URL(location, url);
	if (url.protocol === 'https:' && next.protocol !== 'https:')
		throw new Refusal(502, 'redirect_refused', `${url.host} redirected to an unencrypted address.`);
	throw new Refusal(502, 'redirected', `${url.host} redirects to ${next.host}, which this server does not follow.`, {
		'X-Sandglass-Status': String(status),
		'X-Sandglass-Location': next.href
	});
}
