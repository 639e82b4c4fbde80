import { Stream } from '@anthropic-ai/sdk/core/streaming';
import fc from '#test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { type ServerSentEvent, ServerSentEvents } from '#llm/server-sent-events.ts';

const encoder = new TextEncoder();

/** Events of a stream split into these pieces. */
function read(pieces: Uint8Array[]): ServerSentEvent[] {
	const events = new ServerSentEvents();
	return [...pieces.flatMap((piece) => events.push(piece)), ...events.end()].map(({ event, data }) =>
		event === undefined ? { data } : { event, data }
	);
}
const readText = (...texts: string[]) => read(texts.map((text) => encoder.encode(text)));

/** Same with the decoder of an official SDK, which also returns events without data. */
async function readBySdk(pieces: Uint8Array[]): Promise<ServerSentEvent[]> {
	const left = [...pieces];
	const body = new ReadableStream<Uint8Array>({
		pull(controller) {
			const next = left.shift();
			if (next) controller.enqueue(next);
			else controller.close();
		}
	});
	const events: ServerSentEvent[] = [];
	for await (const { event, data, raw } of Stream.rawEvents(new Response(body)))
		if (raw.some((line) => /^data(:|$)/.test(line))) events.push(event ? { event, data } : { data });
	return events;
}

function cut(whole: Uint8Array, sizes: number[]): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	for (let at = 0, index = 0; at < whole.length; at += sizes[index++ % sizes.length] ?? 1)
		pieces.push(whole.subarray(at, at + (sizes[index % sizes.length] ?? 1)));
	return pieces;
}

describe('server-sent events', () => {
	it('have data and perhaps a name', () =>
		expect(readText('data: one\n\nevent: named\ndata:two\n\n')).toEqual([
			{ data: 'one' },
			{ event: 'named', data: 'two' }
		]));

	it('join lines of data, and keep what stands in them', () =>
		expect(readText('data: {\ndata:  "a: b"\ndata\ndata: }\n\n')).toEqual([{ data: '{\n "a: b"\n\n}' }]));

	it('end their lines with LF, CRLF or CR, also where a piece ends between', () => {
		const expected = [{ event: 'a', data: '1\n2' }, { data: '3' }];
		for (const end of ['\n', '\r\n', '\r']) {
			const text = ['event: a', 'data: 1', 'data: 2', '', 'data: 3', '', ''].join(end);
			expect(readText(text)).toEqual(expected);
			expect(readText(...text)).toEqual(expected);
		}
		expect(readText('data: 1\r\r', '')).toEqual([{ data: '1' }]);
	});

	it('come with the bytes that complete them, not later', () => {
		const events = new ServerSentEvents();
		expect(events.push(encoder.encode('data: 1\n\ndata: 2\n'))).toMatchObject([{ data: '1' }]);
		expect(events.push(encoder.encode('\n'))).toMatchObject([{ data: '2' }]);
	});

	it('may begin with a byte order mark, and have characters cut in two', () => {
		const whole = encoder.encode('\ufeffdata: Grüße 👋\n\n');
		expect(read(cut(whole, [1]))).toEqual([{ data: 'Grüße 👋' }]);
	});

	it('show bytes that are no UTF-8 as U+FFFD', () =>
		expect(read([Uint8Array.from([...encoder.encode('data: '), 0xff, 0x0a, 0x0a])])).toEqual([{ data: '\ufffd' }]));

	it('are not comments, ids, times and names alone', () =>
		expect(readText(': ping\n\nid: 1\nretry: 5\n\nevent: empty\n\nother: x\n\ndata: 1\n\n')).toEqual([{ data: '1' }]));

	it('are none without the empty line behind them', () => {
		expect(readText('data: 1\n\ndata: 2')).toEqual([{ data: '1' }]);
		expect(readText('data: 1\n\ndata: 2\n')).toEqual([{ data: '1' }]);
		expect(readText('data: 1\r\rdata: 2\r')).toEqual([{ data: '1' }]);
	});

	it('are what the official SDK makes of the same bytes', async () => {
		const value = fc.string({ unit: fc.constantFrom('a', ' ', ':', 'ü', '👋', '{', '"', '\u2028', '\u0085') });
		const line = fc.oneof(
			value.map((text) => `data: ${text}`),
			value.map((text) => `data:${text}`),
			fc.constantFrom('data', 'event: named', 'event:other', ': comment', 'id: 3', 'retry: 10', 'unknown: field', ''),
			fc.constant('')
		);
		const end = fc.constantFrom('\n', '\r\n', '\r');
		const stream = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''));
		const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
		await fc.assert(
			fc.asyncProperty(stream, sizes, fc.boolean(), async (text, lengths, marked) => {
				const pieces = cut(encoder.encode((marked ? '\ufeff' : '') + text), lengths);
				expect(read(pieces)).toEqual(await readBySdk(pieces));
			}),
			{ numRuns: 400 }
		);
	});

	it('cost the same a byte however long one is', () => {
		const events = new ServerSentEvents();
		const piece = encoder.encode('x'.repeat(1_000));
		events.push(encoder.encode('data: '));
		for (let count = 0; count < 5_000; count++) expect(events.push(piece)).toEqual([]);
		expect(events.push(encoder.encode('\n\n'))[0]?.data.length).toBe(5_000_000);
	});

	it('leave the beginning of one long line that stands in their place, and no more', () => {
		const events = new ServerSentEvents();
		events.push(encoder.encode(`${'y'.repeat(50_000)}\n`));
		expect(events.stray).toBe(`${'y'.repeat(16_384)}\n`);
		events.push(encoder.encode('more\n'));
		expect(events.stray).not.toContain('more');
	});

	it('count only what is no field at all as said in their place', () => {
		const events = new ServerSentEvents();
		events.push(encoder.encode('retry: soon\n\ndata: 1\n\n'));
		events.end();
		expect(events.stray).toBe('');
	});

	it('end a carriage return with the stream, and only where one was last', () => {
		expect(readText('data: 1\r', '', '\r')).toEqual([{ data: '1' }]);
		expect(readText('data: 1\n\r')).toEqual([{ data: '1' }]);
		expect(readText('data: 1\r\n', '')).toEqual([]);
	});

	it('leave what is said in their place, as far as anybody would read it', () => {
		const events = new ServerSentEvents();
		events.push(encoder.encode('{\n"error": {"message": "No."}\n}'));
		expect(events.end()).toEqual([]);
		expect(JSON.parse(events.stray)).toEqual({ error: { message: 'No.' } });
		for (let count = 0; count < 100; count++) events.push(encoder.encode(`${'y'.repeat(1_000)}\n`));
		expect(events.stray.length).toBeLessThan(20_000);
	});
});
