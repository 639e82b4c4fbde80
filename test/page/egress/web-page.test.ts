import { describe, expect, it } from 'vitest';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { pageThroughLedger } from '#page/egress/web-page.ts';

const answers: Record<string, Partial<WireResponse>> = {
	'https://a.example/': { status: 302, headers: [['Location', 'https://b.example/page']] },
	'https://b.example/page': {
		status: 200,
		headers: [['Content-Type', 'text/plain']],
		body: new TextEncoder().encode('Hi')
	},
	'https://loop.example/': { status: 301, headers: [['location', '/']] }
};
const send = ({ url }: WireRequest): Promise<WireResponse> =>
	Promise.resolve({ status: 404, statusText: '', headers: [], body: new Uint8Array(), url, ...answers[url] });
const rules = () => Promise.resolve({ ownHost: 'app.example', allowedPrivate: [] });

describe('a page on the web', () => {
	it('comes through the ledger, and where it is redirected to is asked about as well', async () => {
		const ledger = new EgressLedger(send, rules);
		const asked: string[] = [];
		ledger.onChange(() => {
			for (const { id, host } of ledger.questions) {
				asked.push(host);
				ledger.decide(id, 'once');
			}
		});
		const page = await pageThroughLedger(ledger)('https://a.example/', new AbortController().signal);
		expect(page).toEqual({ status: 200, contentType: 'text/plain', url: 'https://b.example/page', text: 'Hi' });
		expect(new Set(asked)).toEqual(new Set(['a.example', 'b.example']));
		expect(ledger.entries.map(({ url, purpose }) => [url, purpose])).toEqual(
			['https://a.example/', 'https://b.example/page'].map((url) => [url, 'web_fetch'])
		);
	});

	it('is not read where the user says no, or the redirects never end', async () => {
		const ledger = new EgressLedger(send, rules);
		ledger.onChange(() =>
			ledger.questions.forEach(({ id, host }) => ledger.decide(id, host === 'a.example' ? 'deny' : 'session'))
		);
		const read = pageThroughLedger(ledger);
		await expect(read('https://a.example/', new AbortController().signal)).rejects.toMatchObject({
			code: 'ECONNREFUSED'
		});
		await expect(read('https://loop.example/', new AbortController().signal)).rejects.toThrow(
			'redirects more than 5 times'
		);
	});
});
