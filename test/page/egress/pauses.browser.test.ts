import { expect, it } from 'vitest';
import { commands } from 'vitest/browser';
import type { EventOf, SessionEvent } from '#agent/events.ts';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { Session } from '#agent/session.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';
import { createWasmEnvironment } from '#computer/host/environment.ts';
import { createClient } from '#llm/client.ts';
import { EgressLedger } from '#page/egress/ledger.ts';
import { pausesForQuestions } from '#page/egress/pauses.ts';

const LIMIT_MS = 3_000;
const THINKING_MS = 6_000;

it('the time limit of the agent’s command stands while the user is asked about a host', async () => {
	const send = (): Promise<WireResponse> =>
		Promise.resolve({
			status: 200,
			statusText: 'OK',
			headers: [],
			url: 'https://hello.example/',
			body: new TextEncoder().encode('hello from there\n')
		});
	const ledger = new EgressLedger(send, () => Promise.resolve({ ownHost: 'localhost', allowedPrivate: [] }));
	const environment = createWasmEnvironment({
		egress: (request) => ledger.request(request),
		pauses: pausesForQuestions(ledger)
	});
	await environment.initialize();
	const command = { command: 'curl -sS https://hello.example/', timeout: LIMIT_MS };
	const url = await commands.startModel([
		{ turns: [{ toolCalls: [{ name: 'Bash', arguments: command, verbatim: true }] }, { text: 'Done.' }] }
	]);
	const session = new Session({
		profile: createAnthropicProfile({ model: 'claude-opus-4-6' }),
		environment,
		client: createClient({ providers: { anthropic: { api: 'anthropic-messages', baseUrl: url, apiKey: 'key' } } }),
		mode: 'full'
	});
	const events: SessionEvent[] = [];
	session.emitter.onEvent((event) => events.push(event));
	const asked = new Set<number>();
	ledger.onChange(() => {
		for (const { id } of ledger.questions) {
			if (asked.has(id)) continue;
			asked.add(id);
			setTimeout(() => ledger.decide(id, 'session'), THINKING_MS);
		}
	});
	try {
		await session.submit('Get it').result;
		const end = events.find((event): event is EventOf<'tool_call_end'> => event.type === 'tool_call_end');
		expect(asked.size).toBe(1);
		expect(end?.output).toContain('hello from there');
		expect(end).toMatchObject({ isError: false });
		expect(end?.durationMs).toBeGreaterThan(THINKING_MS - 100);
	} finally {
		await session.abort();
		await environment.cleanup();
		expect(await commands.stopModel(url)).toEqual([]);
	}
});
