import { describe, expect, it, vi } from 'vitest';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { refusal } from '#page/egress/rules.ts';

const rules = { ownHost: 'localhost:5173', allowedPrivate: ['git.intern.local:80'] };
const request = (url: string): WireRequest => ({ method: 'GET', url, headers: [], body: null, purpose: 'curl' });
const ok: WireResponse = { status: 200, statusText: 'OK', headers: [], url: '', body: new Uint8Array(5) };

describe('the egress ledger', () => {
	it('asks once for a host, sends when allowed, and writes everything down', async () => {
		const send = vi.fn(async () => ok);
		const ledger = new EgressLedger(send, async () => rules);
		const both = Promise.all([
			ledger.request(request('https://example.org/a')),
			ledger.request(request('https://example.org/b'))
		]);
		await vi.waitFor(() => expect(ledger.questions).toHaveLength(1));
		expect(send).not.toHaveBeenCalled();
		ledger.decide(ledger.questions[0]?.id ?? 0, 'session');
		await both;
		await ledger.request(request('https://example.org/c'));
		expect(ledger.questions).toEqual([]);
		expect(
			ledger.entries.map(({ url, outcome, status, receivedBytes }) => [url, outcome, status, receivedBytes])
		).toEqual([
			['https://example.org/a', 'done', 200, 5],
			['https://example.org/b', 'done', 200, 5],
			['https://example.org/c', 'done', 200, 5]
		]);
	});

	it('asks again for a host whose permission was taken back, and forgets a project’s hosts and requests with it', async () => {
		const ledger = new EgressLedger(
			async () => ok,
			async () => rules
		);
		ledger.allow('example.org');
		await ledger.request(request('https://example.org/a'));
		expect(ledger.allowedHosts).toEqual(['example.org']);
		ledger.revoke('example.org');
		const again = ledger.request(request('https://example.org/b'));
		await vi.waitFor(() => expect(ledger.questions).toHaveLength(1));
		ledger.decide(ledger.questions[0]?.id ?? 0, 'session');
		await again;
		expect(ledger.allowedHosts).toEqual(['example.org']);
		ledger.reset();
		expect([ledger.allowedHosts, ledger.entries]).toEqual([[], []]);
	});

	it('leaves hosts that are always allowed to the rules of the open project', async () => {
		const ledger = new EgressLedger(
			async () => ok,
			async () => rules
		);
		expect(ledger.canAllowAlways).toBe(false);
		const kept = new Map<string, string>();
		const giveUp = ledger.useLasting({
			get all() {
				return [...kept.keys()];
			},
			canAdd: true,
			add: (host, purpose) => void kept.set(host, purpose),
			remove: (host) => void kept.delete(host)
		});
		const both = [request('https://example.org/a'), request('https://example.org/b')].map((each) =>
			ledger.request(each)
		);
		await vi.waitFor(() => expect(ledger.questions).toHaveLength(1));
		ledger.decide(ledger.questions[0]?.id ?? 0, 'always');
		await Promise.all(both);
		expect([...kept]).toEqual([['example.org', 'curl']]);
		// A reset only affects answers for this session.
		ledger.reset();
		await ledger.request(request('https://example.org/c'));
		expect([ledger.questions, ledger.allowedHosts]).toEqual([[], ['example.org']]);
		giveUp();
		const asked = ledger.request(request('https://example.org/d'));
		await vi.waitFor(() => expect(ledger.questions).toHaveLength(1));
		ledger.decide(ledger.questions[0]?.id ?? 0, 'once');
		await asked;
		expect(ledger.allowedHosts).toEqual([]);
	});

	it('sends nothing when denied, and when no one answers for a minute', async () => {
		vi.useFakeTimers();
		const send = vi.fn(async () => ok);
		const ledger = new EgressLedger(send, async () => rules);
		const denied = expect(ledger.request(request('https://example.org/'))).rejects.toMatchObject({
			code: 'ECONNREFUSED',
			message: 'example.org was not allowed. Allow it when asked, and run the command again.'
		});
		await vi.waitFor(() => expect(ledger.questions).toHaveLength(1));
		ledger.decide(ledger.questions[0]?.id ?? 0, 'deny');
		await denied;
		const unanswered = expect(ledger.request(request('https://other.org/'))).rejects.toMatchObject({
			code: 'ECONNREFUSED',
			message: expect.stringMatching(
				/^No one answered for a minute whether other\.org may be reached\. .* run the command again\.$/
			)
		});
		await vi.advanceTimersByTimeAsync(60_000);
		await unanswered;
		vi.useRealTimers();
		expect(send).not.toHaveBeenCalled();
		expect(ledger.entries.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
	});

	it.each([
		'http://localhost:5173/api/llm/openai',
		'http://localhost/',
		'http://127.0.0.1/',
		'http://127.1/',
		'http://2130706433/',
		'http://0x7f.0.0.1/',
		'http://10.1.2.3/',
		'http://[::1]/',
		'http://[::ffff:127.0.0.1]/',
		'http://192.168.0.1/',
		'http://169.254.169.254/latest/meta-data',
		'http://168.63.129.16/machine?comp=goalstate',
		'http://100.100.100.200/latest/meta-data',
		'http://192.0.0.192/opc/v2/',
		'http://198.18.0.1/',
		'http://224.0.0.1/',
		'http://255.255.255.255/',
		'http://metadata.google.internal/',
		'http://router.home.arpa./',
		'http://printer.local./',
		'http://[64:ff9b::7f00:1]/',
		'http://[2002:7f00:1::]/',
		'http://[2001:0:a9fe:a9fe::]/',
		'http://[::7f00:1]/',
		'http://[fec0::1]/',
		'http://[4000::1]/',
		'http://[ff02::1]/',
		'ftp://example.org/',
		'https://user:password@example.org/',
		'nonsense'
	])('refuses %s without a question', (url) => {
		expect(refusal(url, rules)).toEqual(expect.any(String));
	});

	it('lets a private host through that the operator named', () => {
		expect(refusal('http://git.intern.local/repo', rules)).toBeNull();
		expect(refusal('https://example.org/', rules)).toBeNull();
		for (const address of [
			'8.8.8.8',
			'100.128.0.1',
			'172.32.0.1',
			'[2606:4700::1111]',
			'[2a00:1450::1]',
			'[2001:4860:4860::8888]',
			'[2001:200::1]',
			'local.example'
		])
			expect(refusal(`https://${address}/`, rules), address).toBeNull();
	});
});
