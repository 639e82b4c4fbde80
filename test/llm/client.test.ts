import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProviderError, ServerError } from '#llm/errors.ts';
import { createClient } from '#llm/client.ts';
import type { Scenario, ScenarioFault } from '#llm/scenario/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, collect, only, wires } from './wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});
async function serve(...turns: Scenario['turns']): Promise<ModelServer> {
	server = await startModelServer({ name: 'test', turns });
	return server;
}
const status = (code: number, more: Partial<ScenarioFault & { kind: 'status' }> = {}) => ({
	fault: { kind: 'status' as const, status: code, ...more }
});
const quick = { retries: 2, baseMs: 1, random: () => 0 };

function errorOf(error: Error): ProviderError {
	expect(error).toBeInstanceOf(ProviderError);
	if (!(error instanceof ProviderError)) throw error;
	return error;
}

describe.each(wires)('$name', (wire) => {
	it.each([
		[400, 'invalid_request', false],
		[401, 'authentication', false],
		[403, 'access_denied', false],
		[404, 'not_found', false],
		[413, 'context_length', false],
		[429, 'rate_limit', true],
		[500, 'server', true],
		[503, 'server', true],
		[529, 'server', true]
	])('turns status %i into %s [U-18]', async (code, expected, retryable) => {
		const { url } = await serve(status(code));
		const error = errorOf(only(await collect(clientFor(wire, url).stream(ask(wire, 'hi'))), 'error').error);
		expect(error).toMatchObject({ code: expected, retryable, status: code, provider: wire.provider });
		expect(error.message).toMatch(/^[A-Z].*\. /);
		expect(error.body).toContain('Scripted failure');
	});

	it.each([401, 403, 404])('hands on %i at once [U-21]', async (code) => {
		const { url, requests } = await serve(status(code), { text: 'too late' });
		const events = await collect(clientFor(wire, url, { retry: quick }).stream(ask(wire, 'hi')));
		expect(requests).toHaveLength(1);
		expect(events.filter((event) => event.type === 'retry')).toEqual([]);
		expect(only(events, 'error').error).toMatchObject({ status: code });
	});

	it('tries again after 500 and 529, each time with an event', async () => {
		const { url, requests } = await serve(status(500), status(529), { text: 'at last' });
		const events = await collect(clientFor(wire, url, { retry: quick }).stream(ask(wire, 'hi')));
		expect(requests).toHaveLength(3);
		expect(events.filter((event) => event.type === 'retry')).toMatchObject([
			{ attempt: 1, code: 'server', delayMs: 1 },
			{ attempt: 2, code: 'server', delayMs: 1 }
		]);
		expect(only(events, 'finish').response.message.content).toEqual([{ type: 'text', text: 'at last' }]);
		expect(events.filter((event) => event.type === 'start')).toHaveLength(1);
	});

	it('takes an empty 400 for an overflow, and never a 429', async () => {
		const tooLong = 'prompt is too long: 210000 tokens > 200000 maximum';
		const { url } = await serve(status(400, { body: '' }), status(429, { body: tooLong }));
		const client = clientFor(wire, url);
		await expect(client.complete(ask(wire, 'hi'))).rejects.toMatchObject({ code: 'context_length' });
		await expect(client.complete(ask(wire, 'hi'))).rejects.toMatchObject({ code: 'rate_limit' });
	});

	it('takes an empty response to more than the model holds for an overflow [U-24]', async () => {
		const { url } = await serve({ usage: { input: 2_000_000 } });
		const model = wire.name === 'openai-chat' ? 'claude-haiku-4-5' : wire.model;
		const asked = clientFor(wire, url).complete(ask(wire, 'hi', { model }));
		await expect(asked).rejects.toMatchObject({ code: 'context_length' });
	});

	it('ends with a stream error and the partial message when the connection is cut, without another try [U-20] [U-22]', async () => {
		const { url, requests } = await serve(
			{ text: 'word '.repeat(400), fault: { kind: 'cut', afterBytes: 3000 } },
			{ text: 'never asked for' }
		);
		const events = await collect(clientFor(wire, url, { retry: quick }).stream(ask(wire, 'hi')));
		const { error, partial } = only(events, 'error');
		expect(error).toMatchObject({ code: 'stream', retryable: true });
		expect(JSON.stringify(partial)).toContain('word word');
		expect(only(events, 'text_end').text).toMatch(/^word /);
		expect(events.at(-1)?.type).toBe('error');
		expect(requests).toHaveLength(1);
	});

	it('tries again when the connection is cut before anything came', async () => {
		const { url } = await serve({ text: 'lost', fault: { kind: 'cut', afterBytes: 0 } }, { text: 'found' });
		const events = await collect(clientFor(wire, url, { retry: quick }).stream(ask(wire, 'hi')));
		expect(only(events, 'retry').code).toBe('stream');
		expect(only(events, 'finish').response.message.content).toEqual([{ type: 'text', text: 'found' }]);
	});

	it('ends a stream that falls silent with a timeout [U-22]', async () => {
		const { url, requests } = await serve({ text: 'word '.repeat(400), fault: { kind: 'stall', afterBytes: 3000 } });
		const client = clientFor(wire, url, { deadlines: { silenceMs: 200 } });
		const events = await collect(client.stream(ask(wire, 'hi')));
		const { error, partial } = only(events, 'error');
		expect(error).toMatchObject({ code: 'timeout' });
		expect(JSON.stringify(partial)).toContain('word word');
		expect(await requests[0]?.closed).toBe(true);
	});

	it('ends with a timeout when headers come and content never does', async () => {
		const { url } = await serve({ text: 'word', fault: { kind: 'stall', afterBytes: 0 } });
		const client = clientFor(wire, url, { deadlines: { firstContentMs: 150 } });
		await expect(client.complete(ask(wire, 'hi'))).rejects.toMatchObject({ code: 'timeout' });
	});

	it('ends garbage with an error', async () => {
		const { url } = await serve(
			{ fault: { kind: 'garbage', body: 'data: {"oops\n\n' } },
			{ fault: { kind: 'garbage', body: '<html>Please log in</html>' } }
		);
		const client = clientFor(wire, url);
		for (let count = 0; count < 2; count++) {
			const events = await collect(client.stream(ask(wire, 'hi')));
			expect(only(events, 'error').error).toMatchObject({ code: 'stream' });
		}
	});

	it('aborts, down to the connection [U-23]', async () => {
		const slow = { text: 'word '.repeat(1000), pace: { chunkCharacters: 5, delayMs: 5 } };
		const { url, requests } = await serve(slow, slow);
		const controller = new AbortController();
		const client = clientFor(wire, url, { retry: quick });
		const events = [];
		for await (const event of client.stream(ask(wire, 'hi', { signal: controller.signal }))) {
			events.push(event);
			if (event.type === 'text_delta') controller.abort();
		}
		expect(only(events, 'error').error).toMatchObject({ code: 'aborted', retryable: false });
		expect(await requests[0]?.closed).toBe(true);
		const second = new AbortController();
		const completed = client.complete(ask(wire, 'hi', { signal: second.signal }));
		await until(() => requests.length === 2);
		second.abort();
		await expect(completed).rejects.toMatchObject({ code: 'aborted' });
		expect(await requests[1]?.closed).toBe(true);
	});

	it.each([401, 500])(
		'leaves its key out of what it says of status %i, where the provider quotes it [S-40]',
		async (code) => {
			const apiKey = 'a-key-of/no+known.shape';
			const body = JSON.stringify({ error: { message: `Incorrect key "${apiKey}" of ${encodeURIComponent(apiKey)}` } });
			const { url } = await serve(status(code, { body }), status(code, { body }));
			const providers = { [wire.provider]: { ...wire.config(url), apiKey } };
			const client = createClient({ providers, retry: { retries: 1, baseMs: 1 } });
			const events = await collect(client.stream(ask(wire, 'hi')));
			const error = errorOf(only(events, 'error').error);
			expect(error.message).toContain('Incorrect key');
			const shown = JSON.stringify([events, error.message, error.body]);
			expect(shown).not.toContain(apiKey);
			expect(shown).not.toContain(encodeURIComponent(apiKey));
		}
	);

	it('closes the connection when the consumer leaves', async () => {
		const { url, requests } = await serve({
			text: 'word '.repeat(1000),
			pace: { chunkCharacters: 5, delayMs: 5 }
		});
		for await (const event of clientFor(wire, url).stream(ask(wire, 'hi'))) if (event.type === 'text_delta') break;
		expect(await requests[0]?.closed).toBe(true);
	});

	it('ends with a network error where no one listens', async () => {
		const { url, close } = await serve({ text: '' });
		await close();
		await expect(clientFor(wire, url).complete(ask(wire, 'hi'))).rejects.toMatchObject({ code: 'network' });
	});
});

const [anthropic] = wires;
if (!anthropic) throw new Error('There are wires.');

describe('retrying', () => {
	it('waits as long as Retry-After says, and not at all when that is beyond the cap', async () => {
		const { url, requests } = await serve(status(429, { retryAfterSeconds: 0.05 }), { text: 'ok' });
		const waited = await collect(clientFor(anthropic, url, { retry: quick }).stream(ask(anthropic, 'hi')));
		expect(only(waited, 'retry')).toMatchObject({ delayMs: 50, code: 'rate_limit' });
		await server?.close();

		const long = await serve(status(429, { retryAfterSeconds: 61 }), { text: 'never' });
		const given = await collect(clientFor(anthropic, long.url, { retry: quick }).stream(ask(anthropic, 'hi')));
		expect(only(given, 'error').error).toMatchObject({ code: 'rate_limit', retryAfterMs: 61_000 });
		expect(long.requests).toHaveLength(1);
		expect(requests).toHaveLength(2);
	});

	it.each([
		['a server that fails', () => new ServerError({ provider: 'own' }), 'server'],
		['a network that is down', () => new TypeError('fetch failed'), 'network']
	])(
		'is done twice where nothing else is asked for, about 1 s and 2 s after %s [U-19, S-24]',
		async (_, fail, code) => {
			vi.useFakeTimers();
			onTestFinished(() => void vi.useRealTimers());
			const asked: number[] = [];
			const client = createClient({
				providers: {
					own: {
						async *stream() {
							asked.push(Date.now());
							yield { type: 'start', model: 'x' };
							throw fail();
						}
					}
				}
			});
			const collected = collect(client.stream(ask(anthropic, 'hi', { provider: 'own' })));
			await vi.runAllTimersAsync();
			const events = await collected;
			const [first, second, ...more] = events.flatMap((event) => (event.type === 'retry' ? [event] : []));
			expect([first?.code, second?.code, more]).toEqual([code, code, []]);
			expect(Math.abs((first?.delayMs ?? 0) - 1_000)).toBeLessThanOrEqual(500);
			expect(Math.abs((second?.delayMs ?? 0) - 2_000)).toBeLessThanOrEqual(1_000);
			expect(only(events, 'error').error).toMatchObject({ code });
			expect(asked).toHaveLength(3);
			expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(Math.floor(first?.delayMs ?? 0));
			expect((asked[2] ?? 0) - (asked[1] ?? 0)).toBeGreaterThanOrEqual(Math.floor(second?.delayMs ?? 0));
		}
	);

	it('gives up after two', async () => {
		const { url, requests } = await serve(status(500), status(500), status(500), { text: 'never' });
		const events = await collect(clientFor(anthropic, url, { retry: quick }).stream(ask(anthropic, 'hi')));
		expect(only(events, 'error').error).toMatchObject({ code: 'server' });
		expect(requests).toHaveLength(3);
	});

	it('can be stopped while it waits', async () => {
		const { url } = await serve(status(429, { retryAfterSeconds: 50 }));
		const controller = new AbortController();
		const events = [];
		const client = clientFor(anthropic, url, { retry: quick });
		for await (const event of client.stream(ask(anthropic, 'hi', { signal: controller.signal }))) {
			events.push(event);
			if (event.type === 'retry') controller.abort();
		}
		expect(only(events, 'error').error).toMatchObject({ code: 'aborted' });
	});
});

describe('routing', () => {
	it('goes by provider, to the default one where none is named, and says when there is none [U-1]', async () => {
		const { url } = await serve({ text: 'default' }, { text: 'other default' }, { text: 'named' });
		const providers = { first: anthropic.config(url), second: anthropic.config(url) };
		const client = createClient({ providers });
		expect(await client.complete(ask(anthropic, 'hi', { provider: '' }))).toMatchObject({ provider: 'first' });
		const other = createClient({ providers, defaultProvider: 'second' });
		expect(await other.complete(ask(anthropic, 'hi', { provider: '' }))).toMatchObject({ provider: 'second' });
		expect(await client.complete(ask(anthropic, 'hi', { provider: 'second' }))).toMatchObject({ provider: 'second' });
		await expect(client.complete(ask(anthropic, 'hi', { provider: 'third' }))).rejects.toMatchObject({
			code: 'configuration',
			message: expect.stringContaining('first, second')
		});
		await expect(createClient({ providers: {} }).complete(ask(anthropic, 'hi'))).rejects.toMatchObject({
			code: 'configuration'
		});
	});

	it('takes adapters of one’s own, and sends nothing before the first read [U-1]', async () => {
		let asked = 0;
		const client = createClient({
			providers: {
				own: {
					async *stream() {
						asked++;
						yield { type: 'start', model: 'x' };
						throw new Error('broken');
					}
				}
			},
			retry: { retries: 0 }
		});
		const events = client.stream(ask(anthropic, 'hi', { provider: 'own' }));
		expect(asked).toBe(0);
		const all = await collect(events);
		expect(asked).toBe(1);
		expect(only(all, 'error').error).toBeInstanceOf(ProviderError);
	});

	it('sends by the `fetch` of the provider, or else by the client’s own', async () => {
		const { url } = await serve({ text: 'one' }, { text: 'two' });
		const sent: string[] = [];
		const by =
			(name: string): typeof fetch =>
			(input, init) => {
				sent.push(name);
				return fetch(input, init);
			};
		const own = { ...anthropic.config(url), fetch: by('provider') };
		const client = createClient({ providers: { own, plain: anthropic.config(url) }, fetch: by('client') });
		await client.complete(ask(anthropic, 'hi', { provider: 'own' }));
		await client.complete(ask(anthropic, 'hi', { provider: 'plain' }));
		expect(sent).toEqual(['provider', 'client']);
	});

	it('makes one adapter a provider', async () => {
		const { url } = await serve({ text: 'one' }, { text: 'two' });
		let read = 0;
		const config = anthropic.config(url);
		const counted = Object.defineProperty({ ...config }, 'apiKey', {
			enumerable: true,
			get: () => {
				read += 1;
				return 'apiKey' in config ? config.apiKey : undefined;
			}
		});
		const client = createClient({ providers: { anthropic: counted } });
		await client.complete(ask(anthropic, 'hi'));
		const once = read;
		await client.complete(ask(anthropic, 'hi'));
		expect([once, read]).toEqual([once, once]);
		expect(once).toBeGreaterThan(0);
	});

	it('says what no provider, a stream without an end and a wrapper without an answer come to', async () => {
		await expect(createClient({ providers: {} }).complete(ask(anthropic, 'hi'))).rejects.toThrow(/provider/i);
		const silent = createClient({
			providers: {
				own: {
					async *stream() {
						yield { type: 'start', model: 'x' };
					}
				}
			},
			retry: { retries: 0 }
		});
		await expect(silent.complete(ask(anthropic, 'hi', { provider: 'own' }))).rejects.toMatchObject({
			code: 'stream',
			provider: 'own',
			message: 'The response ended without a result. Try again.'
		});
		const swallowed = createClient({
			providers: {},
			middleware: [
				async function* () {
					yield { type: 'start', model: 'x' };
				}
			]
		});
		await expect(swallowed.complete(ask(anthropic, 'hi'))).rejects.toMatchObject({ code: 'stream', provider: '' });
	});

	it('wraps requests in order and responses in reverse [U-2]', async () => {
		const { url } = await serve({ text: 'hi' }, { text: 'hi' });
		const seen: string[] = [];
		const note = (name: string) =>
			async function* (
				request: Parameters<ReturnType<typeof createClient>['stream']>[0],
				next: ReturnType<typeof createClient>['stream']
			) {
				seen.push(`${name} in`);
				for await (const event of next(request)) {
					if (event.type === 'finish') seen.push(`${name} out`);
					yield event;
				}
			};
		const client = createClient({
			providers: { anthropic: anthropic.config(url) },
			middleware: [note('outer'), note('inner')]
		});
		await client.complete(ask(anthropic, 'hi'));
		await collect(client.stream(ask(anthropic, 'hi')));
		const once = ['outer in', 'inner in', 'inner out', 'outer out'];
		expect(seen).toEqual([...once, ...once]);
	});
});

/** Waits for a condition, checking it each turn of the event loop. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
