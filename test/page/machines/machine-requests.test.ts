import { describe, expect, it } from 'vitest';
import type { WireRequest } from '#computer/abi/syscalls.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { answerThroughLedger } from '#page/egress/machine-requests.ts';

function setUp() {
	const sent: WireRequest[] = [];
	const ledger = new EgressLedger(
		async (request) => {
			sent.push(request);
			return { status: 200, statusText: 'Gut ✓', headers: [['x-a', 'b']], url: request.url, body: new Uint8Array([1]) };
		},
		async () => ({ ownHost: 'sandglass.example', allowedPrivate: [] })
	);
	const ask = (url: string, body = new Uint8Array()) =>
		answerThroughLedger(ledger)({ method: 'GET', url, headers: [['user-agent', 'git/2.47']], body });
	return { ledger, sent, ask };
}

describe('requests of programs on a machine', () => {
	it('wait until the user has decided about the host, and are in the ledger', async () => {
		const { ledger, sent, ask } = setUp();
		const answer = ask('http://example.org/a');
		await expect.poll(() => ledger.questions.length).toBe(1);
		const [question] = ledger.questions;
		expect(question).toMatchObject({ kind: 'host', host: 'example.org' });
		expect(sent).toEqual([]);
		ledger.decide(question?.id ?? 0, 'once');
		expect(await answer).toEqual({
			status: 200,
			statusText: 'Gut ',
			headers: [['x-a', 'b']],
			body: new Uint8Array([1])
		});
		expect(ledger.entries).toMatchObject([{ url: 'http://example.org/a', outcome: 'done' }]);
	});

	it('are refused with the reason where the user says no, or the address is private', async () => {
		const { ledger, sent, ask } = setUp();
		const answer = ask('http://example.org/');
		await expect.poll(() => ledger.questions.length).toBe(1);
		ledger.decide(ledger.questions[0]?.id ?? 0, 'deny');
		await expect(answer).rejects.toThrow('example.org was not allowed');
		for (const url of ['http://169.254.169.254/latest', 'https://10.0.0.1/', 'https://localhost/'])
			await expect(ask(url)).rejects.toThrow('private');
		await expect(ask('https://sandglass.example/api/shares')).rejects.toThrow('the server this page comes from');
		expect(sent).toEqual([]);
	});

	it('are no git and no npm to the page, whatever they say', async () => {
		const { ledger, sent, ask } = setUp();
		ledger.allow('example.org');
		await ask('http://example.org/repository.git/info/refs?service=git-upload-pack');
		expect(sent.map(({ purpose }) => ['git', 'npm'].includes(purpose))).toEqual([false]);
	});
});
