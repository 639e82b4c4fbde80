import { EgressLedger } from '#page/egress/ledger.ts';

const wire = (purpose: string, url: string, method = 'GET') => ({ purpose, url, method, headers: [], body: null });

/** A list of requests, some of them refused; with `asks`, another one waits for the user. */
export function harnessLedger(asks: boolean): EgressLedger {
	const body = new TextEncoder().encode('{"name":"left-pad","version":"1.3.0"}'.repeat(40));
	const ledger = new EgressLedger(
		async () => ({ status: 200, statusText: 'OK', headers: [], body, url: '' }),
		async () => ({ ownHost: location.host, allowedPrivate: [] })
	);
	ledger.allow('registry.npmjs.org');
	const requests = [
		wire('npm', 'https://registry.npmjs.org/left-pad'),
		wire('npm', 'https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz'),
		wire('curl', 'http://169.254.169.254/latest/meta-data'),
		...(asks ? [wire('fetch', 'https://api.example.org/v1/items?page=2')] : [])
	];
	for (const request of requests) ledger.request(request).catch(() => {});
	return ledger;
}
