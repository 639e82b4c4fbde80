import { once } from 'node:events';
import type http from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfiguration } from '#server/configuration/load.ts';
import { memoryCounters } from '#server/limits/counters.ts';
import { createBudgets } from '#server/spending/budgets.ts';
import { meter } from '#server/spending/meter.ts';
import { noRedis, startRedis } from '../limits/redis.ts';
import { askInTime as ask } from '../ask-in-time.ts';
import { startSandglass, startUpstream } from '../start.ts';

const KEY = 'sk-server-secret-0123456789';

/** One dollar per answer: 50,000 tokens of Opus 5.5 at 20 dollars per million. */
const dollar = [
	{ type: 'message_start', message: { model: 'claude-opus-5-5', usage: { input_tokens: 0, output_tokens: 1 } } },
	{ type: 'message_delta', usage: { output_tokens: 50_000 } }
];

async function startProvider() {
	return startUpstream((request, response: http.ServerResponse) => {
		request.resume();
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const event of dollar) response.write(`data: ${JSON.stringify(event)}\n\n`);
		response.end();
	});
}

const post = (url: string, forwarded = '') =>
	ask(`${url}/api/llm/anthropic/v1/messages`, {
		method: 'POST',
		body: '{}',
		headers: forwarded ? { 'x-forwarded-for': forwarded } : {}
	});

it('stops at the daily budget of a key, counted from the usage in the stream', async () => {
	const { url } = await startProvider();
	const server = await startSandglass({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url, SANDGLASS_DAILY_USD: '1.5' });
	expect((await post(server.url)).status).toBe(200);
	expect((await post(server.url)).status).toBe(200);
	await vi.waitFor(async () => expect((await post(server.url)).status).toBe(402), 10_000);
	const refused = await post(server.url);
	expect(refused.headers['x-sandglass-error']).toBe('budget_spent');
	expect(JSON.parse(refused.text).error.message).toContain('midnight UTC');
	const count = await ask(`${server.url}/api/llm/anthropic/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
	expect(count.status).toBe(200); // costs nothing
	const { providers } = JSON.parse((await ask(`${server.url}/api/config`)).text);
	expect(providers).toContainEqual(
		expect.objectContaining({ id: 'anthropic', budget: { limitUsd: 1.5, remainingUsd: 0 } })
	);
	expect(providers).toContainEqual(expect.objectContaining({ id: 'openai', budget: null })); // no key, no cost
});

it('lends to strangers without a token, with a budget for each of them', async () => {
	const lent = { HOST: '0.0.0.0', ANTHROPIC_API_KEY: KEY, SANDGLASS_LEND: '1' };
	expect(() => loadConfiguration(lent)).toThrow('SANDGLASS_GUEST_USD');
	expect(() => loadConfiguration({ SANDGLASS_GUEST_USD: '1' })).toThrow('SANDGLASS_LEND');
	expect(() => loadConfiguration({ ...lent, SANDGLASS_GUEST_USD: '1' })).not.toThrow();

	const { url } = await startProvider();
	const server = await startSandglass({
		ANTHROPIC_API_KEY: KEY,
		ANTHROPIC_BASE_URL: url,
		SANDGLASS_LEND: '1',
		SANDGLASS_GUEST_USD: '1',
		SANDGLASS_TRUST_PROXY: '1'
	});
	const left = async (forwarded: string) => {
		const { text } = await ask(`${server.url}/api/config`, { headers: { 'x-forwarded-for': forwarded } });
		return JSON.parse(text).providers.find(({ id }: { id: string }) => id === 'anthropic').budget.remainingUsd;
	};
	expect(await left('1.1.1.1')).toBe(1);
	expect((await post(server.url, '1.1.1.1')).status).toBe(200);
	await vi.waitFor(async () => expect(await left('1.1.1.1')).toBe(0), 10_000);
	expect(await left('2.2.2.2')).toBe(1);
	expect((await post(server.url, '1.1.1.1')).status).toBe(402);
	expect((await post(server.url, '2.2.2.2')).status).toBe(200);
});

it('holds the cost of calls in flight, so that many at once do not pass the end together', async () => {
	const counter = memoryCounters().counter('spent', 60, 'fail');
	const budgets = createBudgets(counter, { perKeyUsd: 0.25, perGuestUsd: undefined });
	const held = await Promise.allSettled(Array.from({ length: 20 }, () => budgets!.hold('anthropic', 'a', 400)));
	const taken = held.filter(({ status }) => status === 'fulfilled');
	expect(taken).toHaveLength(3); // a tenth of a dollar each
	for (const { value } of taken as PromiseFulfilledResult<{ settle(cost: number): Promise<void> }>[])
		await value.settle(0);
	await expect(budgets!.hold('anthropic', 'a', 400)).resolves.toBeDefined();
});

it.skipIf(noRedis)(`spends nothing while the budget cannot be counted${noRedis ? `: ${noRedis}` : ''}`, async () => {
	const redis = await startRedis();
	onTestFinished(redis.stop);
	const { url } = await startProvider();
	const settings = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url, SANDGLASS_DAILY_USD: '1', REDIS_URL: redis.url };
	const [one, other] = [await startSandglass(settings), await startSandglass(settings)];
	expect((await post(one.url)).status).toBe(200);
	await vi.waitFor(async () => expect((await post(other.url)).status).toBe(402), 10_000);
	await redis.stop();
	await vi.waitFor(async () => expect((await post(one.url)).status).toBe(503), 10_000);
	const { providers } = JSON.parse((await ask(`${one.url}/api/config`)).text);
	expect(providers[0].budget).toEqual({ limitUsd: 1, remainingUsd: null });
});

it('refuses a call that would work on unseen', async () => {
	const settings = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', SANDGLASS_DAILY_USD: '1' };
	const server = await startSandglass(settings);
	const body = '{"model":"gpt-5.2","b\\u0061ckground":true}';
	expect((await ask(`${server.url}/api/llm/openai/responses`, { method: 'POST', body })).status).toBe(400);
});

it('passes on what is no call at all: its provider refuses it', async () => {
	const asked: string[] = [];
	const { url } = await startUpstream((request, response) => {
		asked.push(request.url ?? '');
		request.resume();
		response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
	});
	const settings = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, SANDGLASS_DAILY_USD: '100' };
	const server = await startSandglass(settings);
	for (const body of ['no JSON', 'null', '7', '[]', '{"background":false}'])
		expect((await ask(`${server.url}/api/llm/openai/responses`, { method: 'POST', body })).status).toBe(400);
	expect(asked).toHaveLength(5);
});

it('spends nothing on a provider that cannot be reached', async () => {
	const settings = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', SANDGLASS_DAILY_USD: '0.15' };
	const server = await startSandglass(settings);
	// A tenth of a dollar is reserved for each call: with it the second would be refused.
	for (let call = 0; call < 3; call++) {
		expect((await post(server.url)).status).toBe(502);
		await vi.waitFor(async () => {
			const { providers } = JSON.parse((await ask(`${server.url}/api/config`)).text);
			const budget = { limitUsd: 0.15, remainingUsd: 0.15 };
			expect(providers).toContainEqual(expect.objectContaining({ id: 'anthropic', budget }));
		});
	}
});

const json = {
	model: 'gpt-5-mini',
	usage: { prompt_tokens: 1_000_000, completion_tokens: 0, prompt_tokens_details: { cached_tokens: 1_000_000 } }
};
it.each([
	[
		'Responses',
		'openai',
		'text/event-stream',
		`data: ${JSON.stringify({ type: 'response.completed', response: { model: 'gpt-5.2-2025-12-11', usage: { input_tokens: 0, output_tokens: 1_000_000 } } })}\n\n`,
		14_000_000
	],
	['Chat Completions', 'openai', 'application/json', JSON.stringify(json, null, 2), 25_000],
	[
		'Gemini',
		'gemini',
		'application/json',
		JSON.stringify([
			{ modelVersion: 'gemini-2.5-pro', usageMetadata: { promptTokenCount: 1_000_000, thoughtsTokenCount: 100_000 } }
		]),
		2_250_000
	],
	['an answer without a count', 'openai', 'text/event-stream', 'data: [DONE]\n\n', 777]
])('counts %s', async (_name, provider, type, text, expected) => {
	const settle = vi.fn();
	const counted = meter(provider, type, 777, settle).resume();
	for (const byte of Buffer.from(text)) counted.write(Buffer.from([byte]));
	counted.end();
	await once(counted, 'close');
	expect(settle.mock.calls).toEqual([[expected]]);
});

it('charges an answer that was cut short by what came of it', async () => {
	const settle = vi.fn();
	const counted = meter('openai', 'text/event-stream', 1, settle).resume();
	counted.write(Buffer.alloc(8_000));
	counted.destroy();
	await once(counted, 'close');
	expect(settle.mock.calls).toEqual([[30_000]]);
});
