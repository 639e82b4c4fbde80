import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { createAdapter } from '#llm/adapters/registry.ts';
import { createClient } from '#llm/client.ts';
import type { ProviderError } from '#llm/errors.ts';
import { playTurn } from '#llm/scenario/player.ts';
import type { StreamEvent } from '#llm/types.ts';
import { anthropic } from '#test/model-server/anthropic.ts';
import type { WireFormat } from '#test/model-server/format.ts';
import { gemini } from '#test/model-server/gemini.ts';
import { openaiChat } from '#test/model-server/openai-chat.ts';
import { openaiResponses } from '#test/model-server/openai-responses.ts';
import { inTime } from '#test/in-time.ts';
import { ask, collect, only, readTool, type Wire, wires } from '../wires.ts';

const formats: Record<string, WireFormat> = {
	anthropic,
	'openai-responses': openaiResponses,
	'openai-chat': openaiChat,
	gemini
};
const words = 'Grüße 👋 aus "Köln"\n\n\u2028data: kein Ereignis';

/** The response sent by a provider's server, before any change on the way. */
function wholeText({ name }: Wire): string {
	const turn = {
		reasoning: 'Hm, ü.',
		text: words,
		toolCalls: [{ name: 'Read', arguments: { file_path: 'ä/👋.txt' } }]
	};
	const offered = formats[name]?.tools({ tools: [] }) ?? [];
	const frames = formats[name]?.frames(
		playTurn(turn, offered, () => 'call_1'),
		{ model: 'm', chunkCharacters: 3, serial: 1 }
	);
	return frames?.join('') ?? '';
}

/** A body in these pieces. */
function body(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
	const left = [...pieces];
	return new ReadableStream({
		pull(controller) {
			const next = left.shift();
			if (next) controller.enqueue(next);
			else controller.close();
		}
	});
}

async function read(wire: Wire, pieces: Uint8Array[], headers: Record<string, string> = {}): Promise<StreamEvent[]> {
	const type = { 'content-type': 'text/event-stream', ...headers };
	const fetch = async () => new Response(body(pieces), { headers: type });
	const client = createClient({
		providers: { [wire.provider]: wire.config('http://model.example') },
		fetch,
		retry: { retries: 0 }
	});
	return collect(client.stream(ask(wire, 'hi', { tools: [readTool] })));
}

const bytes = (text: string) => new TextEncoder().encode(text);

function cut(whole: Uint8Array, sizes: number[]): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	let at = 0;
	for (let index = 0; at < whole.length; index++) {
		const size = sizes[index % sizes.length] ?? 1;
		pieces.push(whole.subarray(at, at + size));
		at += size;
	}
	return pieces;
}

/** Ids made here differ between runs. */
function said(events: StreamEvent[]): unknown {
	const { message, finishReason, usage } = only(events, 'finish').response;
	const content = message.content.map((part) => (part.type === 'tool_call' ? { ...part, id: 'id' } : part));
	const deltas = events.flatMap((event) => ('delta' in event ? [event.delta] : []));
	return { content, finishReason, usage, deltas };
}

async function errorOf(wire: Wire, text: string, headers: Record<string, string> = {}): Promise<ProviderError> {
	const { error } = only(await read(wire, [bytes(text)], headers), 'error');
	return error as ProviderError;
}

/** Errors within a stream of each provider: overloaded, and request refused. */
const failures: Record<string, { overloaded: string; refused: string }> = {
	anthropic: {
		overloaded:
			'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded by all"}}\n\n',
		refused:
			'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"Not like this"}}\n\n'
	},
	'openai-responses': {
		overloaded:
			'event: error\ndata: {"type":"error","code":"server_error","message":"Overloaded by all","param":null}\n\n',
		refused:
			'data: {"type":"response.failed","response":{"id":"r","error":{"code":"invalid_prompt","message":"Not like this"}}}\n\n'
	},
	'openai-chat': {
		overloaded: 'data: {"error":{"type":"server_error","message":"Overloaded by all"}}\n\n',
		refused: 'data: {"error":{"code":"invalid_api_key","type":"x","message":"Not like this"}}\n\n'
	},
	gemini: {
		overloaded: 'data: {"error":{"code":503,"status":"UNAVAILABLE","message":"Overloaded by all"}}\n\n',
		refused: 'data: {"error":{"code":400,"status":"INVALID_ARGUMENT","message":"Not like this"}}\n\n'
	}
};

describe.each(wires)('$name', (wire) => {
	it('reads the same however the bytes are cut, whatever ends the lines', async () => {
		const text = wholeText(wire);
		const expected = said(await read(wire, [bytes(text)]));
		expect(JSON.stringify(expected)).toContain('👋.txt');
		const endings = fc.constantFrom('\n', '\r\n', '\r');
		const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(endings, sizes, fc.boolean(), async (ending, lengths, marked) => {
				const whole = bytes((marked ? '\ufeff' : '') + text.replaceAll('\n', ending));
				expect(said(await read(wire, cut(whole, lengths)))).toEqual(expected);
			}),
			{ numRuns: 30 }
		);
	});

	it('sends the headers of its provider’s configuration', async () => {
		const sent: (string | null)[] = [];
		const fetch = async (input: string | URL | globalThis.Request, init?: RequestInit) => {
			sent.push(new Request(input, init).headers.get('x-team'));
			return new Response(wholeText(wire), { headers: { 'content-type': 'text/event-stream' } });
		};
		const config = { ...wire.config('http://model.example'), headers: { 'x-team': 'blue' } };
		const client = createClient({ providers: { [wire.provider]: config }, fetch, retry: { retries: 0 } });
		await client.complete(ask(wire, 'hi', { tools: [readTool] }));
		expect(sent).toEqual(['blue']);
	});

	it('takes no notice of comments and fields it does not know', async () => {
		const text = wholeText(wire);
		const expected = said(await read(wire, [bytes(text)]));
		const noisy = `: connected\n\n${text.replaceAll('\n\n', '\n\n: still here\n\nid: 7\nretry: 10\n\n')}`;
		expect(said(await read(wire, [bytes(noisy)]))).toEqual(expected);
	});

	it('ends with the typed error the provider names within its stream [U-18]', async () => {
		const { overloaded, refused } = failures[wire.name] ?? { overloaded: '', refused: '' };
		expect(await errorOf(wire, overloaded)).toMatchObject({ code: 'server', retryable: true, provider: wire.provider });
		const error = await errorOf(wire, refused);
		expect(error.retryable).toBe(false);
		expect(error.message).toContain('Its message: Not like this');
		expect(error.body).toContain('Not like this');
	});

	it('hands on what came before an error in the same piece', async () => {
		const frames = wholeText(wire).split(/(?<=\n\n)/);
		const begun = frames.slice(0, Math.ceil(frames.length / 2)).join('');
		const events = await read(wire, [bytes(begun + (failures[wire.name]?.overloaded ?? ''))]);
		const { error, partial } = only(events, 'error');
		expect(error).toMatchObject({ code: 'server' });
		expect(JSON.stringify(partial)).toContain('Grüße');
		expect(events.some((event) => event.type === 'text_delta')).toBe(true);
	});

	it('ends with a stream error at an event that is no JSON', async () => {
		// Anthropic's events have names; one without a name is invalid.
		expect(await errorOf(wire, 'event: message_start\ndata: <html>\n\n')).toMatchObject({
			code: 'stream',
			message: expect.stringContaining('not valid JSON')
		});
	});

	it('ends with a stream error where a response is not whole', async () => {
		const frames = wholeText(wire).split(/(?<=\n\n)/);
		const half = frames.slice(0, frames.length >> 1).join('');
		expect(await errorOf(wire, half)).toMatchObject({ code: 'stream', retryable: true });
		expect(await errorOf(wire, `${half}data: {"type":`)).toMatchObject({ code: 'stream' });
		expect(await errorOf(wire, '')).toMatchObject({ code: 'stream' });
	});

	it('ends with the error that is said in place of any event', async () => {
		const said = { error: { code: 503, type: 'server_error', status: 'UNAVAILABLE', message: 'Overloaded by all' } };
		for (const text of [JSON.stringify(said), JSON.stringify(said, null, 2)])
			expect(await errorOf(wire, text)).toMatchObject({
				code: 'server',
				message: expect.stringContaining('Overloaded by all')
			});
	});

	it('ends with the error that is said in place of any event, also in pieces', async () => {
		const said = bytes(JSON.stringify({ error: { code: 503, type: 'server_error', message: 'Overloaded by all' } }));
		const { error } = only(await read(wire, cut(said, [7])), 'error');
		expect(error).toMatchObject({ code: 'server', message: expect.stringContaining('Overloaded by all') });
	});

	it('needs no client to be stopped', async () => {
		const controller = new AbortController();
		const fetch = (_: unknown, init?: RequestInit) =>
			new Promise<Response>((_resolve, reject) => {
				init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
				controller.abort();
			});
		const adapter = createAdapter(wire.provider, { ...wire.config('http://model.example'), fetch });
		const { signal } = controller;
		const events = await inTime(collect(adapter.stream(ask(wire, 'hi', { signal }))), 'the end of the response');
		expect(only(events, 'error').error).toMatchObject({ code: 'aborted' });
	});

	it('needs no client: an adapter alone streams, without a signal', async () => {
		const fetch = async () =>
			new Response(body([bytes(wholeText(wire))]), { headers: { 'content-type': 'text/event-stream' } });
		const adapter = createAdapter(wire.provider, { ...wire.config('http://model.example'), fetch });
		const events = await collect(adapter.stream(ask(wire, 'hi', { tools: [readTool] })));
		expect(said(events)).toEqual(said(await read(wire, [bytes(wholeText(wire))])));
		const half = async () =>
			new Response(body([bytes(wholeText(wire).slice(0, 40))]), { headers: { 'content-type': 'text/event-stream' } });
		const cutOff = createAdapter(wire.provider, { ...wire.config('http://model.example'), fetch: half });
		expect(only(await collect(cutOff.stream(ask(wire, 'hi'))), 'error').error).toMatchObject({ code: 'stream' });
	});
});
