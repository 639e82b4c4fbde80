import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { browserClient } from '#page/browser-models.ts';
import { patience } from '#page/models/patience.ts';
import { ownKeys } from '#page/settings/own-keys.ts';
import { emptyStorage } from './empty-storage.ts';

const BEGINNING = [
	['message_start', { message: { id: 'm', model: 'claude', role: 'assistant', content: [], usage: {} } }],
	['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
	['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Well' } }]
] as const;

/** Answers each request with the start of a message, and then nothing more. */
const stalls = (input: unknown): Promise<Response> => {
	if (String(input instanceof Request ? input.url : input).includes('/api/config'))
		return Promise.resolve(new Response('', { status: 404 }));
	const events = BEGINNING.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
	const body = new ReadableStream<Uint8Array>({
		start: (controller) => controller.enqueue(new TextEncoder().encode(events.join('')))
	});
	return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
};

beforeEach(() => {
	vi.stubGlobal('localStorage', emptyStorage());
	vi.stubGlobal('sessionStorage', emptyStorage());
	vi.stubGlobal('location', { origin: 'http://localhost' });
	vi.stubGlobal('fetch', stalls);
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
	ownKeys.set('anthropic', { key: 'sk-ant-x' }, false);
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

/** Seconds of silence after which an answer is aborted. */
async function givenUpAfter(client: ReturnType<typeof browserClient>): Promise<number> {
	const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
	let text = '';
	let failure: Error | null = null;
	const reading = (async () => {
		for await (const event of client.stream({ provider: 'anthropic', model: 'claude-opus-5', messages })) {
			if (event.type === 'text_delta') text += event.delta;
			if (event.type === 'error') failure = event.error;
		}
	})();
	await vi.waitFor(() => expect(text).toBe('Well'), { timeout: 30_000 });
	let seconds = 0;
	while (failure === null && seconds < 1_000) {
		seconds += 1;
		await vi.advanceTimersByTimeAsync(1_000);
	}
	await reading;
	expect(String(failure)).toContain('fell silent');
	return seconds;
}

it('an answer that falls silent is given up after five minutes, or after as long as the user says', async () => {
	const client = browserClient();
	expect(await givenUpAfter(client)).toBe(300);
	patience.seconds = 10;
	expect(await givenUpAfter(client)).toBe(10);
	expect(patience.seconds).toBe(10);
});

it('what is kept and makes no sense counts as absent', () => {
	localStorage.setItem('sandglass:patience', '"soon"');
	expect(patience.seconds).toBe(300);
});
