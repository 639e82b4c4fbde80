import type { FetchedPage, FetchPage } from '#agent/extensions/web/fetch-page.ts';
import type { EgressLedger } from './ledger.ts';

const MOST_REDIRECTS = 5;
const MOST_BYTES = 5_000_000;

/** Fetches web pages for the agent: each request is in the ledger, which asks the user about new hosts. */
export function pageThroughLedger(egress: Pick<EgressLedger, 'request'>): FetchPage {
	const fetchPage = async (address: string): Promise<FetchedPage> => {
		let url = address;
		for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
			const headers: [string, string][] = [['accept', 'text/html, text/plain, application/json;q=0.9, */*;q=0.5']];
			const response = await egress.request({ url, method: 'GET', headers, body: null, purpose: 'web_fetch' });
			const header = (name: string) => response.headers.find(([each]) => each.toLowerCase() === name)?.[1];
			const location = header('location');
			if (response.status >= 300 && response.status < 400 && location) {
				url = new URL(location, url).href;
				continue;
			}
			const text = new TextDecoder().decode(response.body.subarray(0, MOST_BYTES));
			return { status: response.status, contentType: header('content-type') ?? 'text/plain', url, text };
		}
		throw new Error(`${address} redirects more than ${MOST_REDIRECTS} times. Give the address it leads to.`);
	};
	return Object.assign(fetchPage, { asksUser: true });
}
