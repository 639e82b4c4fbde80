import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http2 from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ERROR, FLAG, FRAME, SETTING } from '#computer/node/modules/http2/protocol/codes.ts';
import { Connection, type GracefulEvents } from '#computer/node/modules/http2/protocol/connection.ts';
import type { ConnectionOptions, HeaderBlock } from '#computer/node/modules/http2/protocol/connection-state.ts';
import {
	frame,
	headerFrames,
	joined,
	PREFACE,
	settingsPayload,
	words
} from '#computer/node/modules/http2/protocol/frames.ts';
import { HeaderEncoder } from '#computer/node/modules/http2/protocol/header-encoder.ts';
import type { HeaderField } from '#computer/node/modules/http2/protocol/header-table.ts';
import type { SettingEntry } from '#computer/node/modules/http2/protocol/settings.ts';
import type { StreamState } from '#computer/node/modules/http2/protocol/stream-state.ts';
import fc from '#test/fast-check.ts';

const LIMITS: Omit<ConnectionOptions, 'isServer'> = {
	maxTableBytes: 4096,
	maxReservedStreams: 200,
	maxSentHeaderBytes: 65_536,
	peerMaxStreams: 100,
	maxHeaderPairs: 128,
	maxPings: 10,
	maxSettings: 10,
	maxMemoryBytes: 10_000_000,
	maxSettingEntries: 32,
	resetBurst: 1000,
	resetRate: 33,
	isStrict: true,
	maxInvalidFrames: 1000,
	maxRejectedStreams: 100,
	customSettings: []
};

const unheard: GracefulEvents = {
	headers: () => undefined,
	data: () => undefined,
	ended: () => undefined,
	closed: () => true,
	wantsTrailers: () => undefined,
	settings: () => undefined,
	settingsAcknowledged: () => undefined,
	ping: () => undefined,
	pingAcknowledged: () => true,
	goaway: () => undefined,
	priority: () => undefined,
	alternative: () => undefined,
	origins: () => undefined,
	frameError: () => undefined,
	failed: () => undefined,
	finished: () => undefined
};

/** Our side of a connection over a socket. */
function over(socket: Socket, isServer: boolean, events: Partial<GracefulEvents>, settings: SettingEntry[] = []) {
	const connection = new Connection(
		{ ...LIMITS, isServer },
		{ ...unheard, ...events },
		{
			write: (frames, done) => {
				if (!socket.writable) return true;
				const isTaken = socket.write(joined(frames));
				if (!isTaken) socket.once('drain', done);
				return isTaken;
			},
			schedule: (flush) => void setImmediate(flush)
		}
	);
	socket.on('data', (bytes) => connection.receive(Uint8Array.from(bytes)));
	socket.on('error', () => undefined);
	connection.settings(settings);
	return connection;
}

interface Message {
	headers: Record<string, string>;
	trailers: Record<string, string>;
	/** Sizes of the parts of a body. */
	parts: number[];
}

const name = fc.stringMatching(/^x-[a-z0-9-]{1,20}$/);
const value = fc.stringMatching(/^[!-~]([ -~]{0,40}[!-~])?$/);
const headers = fc.dictionary(name, value, { maxKeys: 8 });
const message: fc.Arbitrary<Message> = fc.record({
	headers,
	trailers: fc.oneof(fc.constant({}), headers),
	parts: fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 40_000 })), { maxLength: 4 })
});

const part = (size: number, seed: number) => Uint8Array.from({ length: size }, (_, at) => (at * 7 + seed) & 255);
const hashed = (bytes: Uint8Array) => `${bytes.length} ${createHash('sha1').update(bytes).digest('hex')}`;
const body = ({ parts }: Message) => hashed(Buffer.concat(parts.map(part)));
const listed = (given: Record<string, string>): HeaderField[] =>
	Object.entries(given).map(([one, text]) => ({ name: one, value: text }));
const ownOnly = (given: object): Record<string, string> =>
	Object.fromEntries(Object.entries(given as Record<string, string>).filter(([one]) => one.startsWith('x-')));
const ofFields = (fields: readonly HeaderField[]) =>
	ownOnly(Object.fromEntries(fields.map((field) => [field.name, field.value])));

/** Sends a message on a stream of ours, whose head is sent already. */
function sendBody(connection: Connection, stream: StreamState, { parts }: Message): void {
	for (const [seed, size] of parts.entries()) connection.write(stream, part(size, seed), () => undefined);
	connection.shutDown(stream);
}

/** What arrived on a stream. */
interface Heard {
	headers: Record<string, string>;
	trailers: Record<string, string>;
	body: string;
	code: number | null;
}

/** Collects what arrives on streams of ours. */
class Heards {
	readonly all = new Map<number, Heard>();
	readonly #chunks = new Map<number, Uint8Array[]>();
	constructor(private readonly trailersOf: (stream: StreamState) => Record<string, string>) {}

	events(connection: () => Connection, onEnd: (stream: StreamState) => void): Partial<GracefulEvents> {
		const of = (stream: StreamState): Heard => {
			const known = this.all.get(stream.id) ?? { headers: {}, trailers: {}, body: '', code: null };
			this.all.set(stream.id, known);
			return known;
		};
		return {
			headers: (stream, { fields, flags }: HeaderBlock) => {
				const isFirst = !this.all.has(stream.id);
				of(stream)[isFirst ? 'headers' : 'trailers'] = ofFields(fields);
				if (isFirst) connection().startReading(stream);
				if (flags & FLAG.END_STREAM) onEnd(stream);
			},
			data: (stream, bytes) => {
				const chunks = this.#chunks.get(stream.id) ?? [];
				this.#chunks.set(stream.id, [...chunks, Uint8Array.from(bytes)]);
			},
			ended: (stream) => onEnd(stream),
			closed: (stream, code) => {
				of(stream).body = hashed(Buffer.concat(this.#chunks.get(stream.id) ?? []));
				of(stream).code = code;
				connection().forget(stream);
				return true;
			},
			wantsTrailers: (stream) => void setImmediate(() => connection().trailers(stream, listed(this.trailersOf(stream))))
		};
	}
}

const open: { close(): unknown }[] = [];
afterEach(() => {
	for (const one of open.splice(0)) one.close();
});
const port = (server: { address(): unknown }) => (server.address() as { port: number }).port;

/** Requests of each side, in groups with settings of their own. */
const GROUPS = 20;
const REQUESTS = 50;
const groups = fc.sample(
	fc.record({
		window: fc.constantFrom(1, 100, 20_000, 65_535, 1_000_000),
		ownWindow: fc.constantFrom(100, 20_000, 65_535, 1_000_000),
		table: fc.constantFrom(0, 100, 4096, 65_536),
		streams: fc.constantFrom(1, 3, 100),
		frames: fc.constantFrom(16_384, 20_000, 1_000_000),
		padding: fc.constantFrom(0, 1, 2),
		exchanges: fc.array(fc.tuple(message, message), { minLength: REQUESTS, maxLength: REQUESTS })
	}),
	{ numRuns: GROUPS, seed: Number(process.env['SOAK_SEED'] ?? 1) }
);
type Group = (typeof groups)[number];

const ownSettings = ({ ownWindow, table }: Group): SettingEntry[] => [
	[SETTING.HEADER_TABLE_SIZE, table],
	[SETTING.INITIAL_WINDOW_SIZE, ownWindow]
];
const theirSettings = ({ window, table, streams, frames, padding }: Group) => ({
	paddingStrategy: padding,
	settings: {
		initialWindowSize: window,
		headerTableSize: table,
		maxConcurrentStreams: streams,
		maxFrameSize: frames
	}
});

/** A body of many bytes in a window of one would take hours. */
const limited = ({ window, ownWindow }: Group, { parts, ...rest }: Message): Message => {
	const most = Math.min(window, ownWindow) < 1000 ? 300 : 40_000;
	return { ...rest, parts: parts.map((size) => Math.min(size, most)) };
};

describe(`${GROUPS * REQUESTS} requests between our connection and Node's own`, () => {
	it.each(groups.map((group, at) => [at, group] as const))('as a client, group %i', async (_at, group) => {
		const exchanges = group.exchanges.map((both) => both.map((one) => limited(group, one)) as [Message, Message]);
		const server = http2.createServer(theirSettings(group));
		open.push(server);
		const asked = new Map<number, object>();
		server.on('stream', (stream, head) => {
			const at = Number(head[':path']?.slice(1));
			const [, answer] = exchanges[at] as [Message, Message];
			const chunks: Buffer[] = [];
			let trailers = {};
			stream.on('trailers', (given: object) => (trailers = ownOnly(given)));
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				asked.set(at, { headers: ownOnly(head), trailers, body: hashed(Buffer.concat(chunks)) });
				stream.respond({ ':status': 200, ...answer.headers }, { waitForTrailers: true });
				stream.on('wantTrailers', () => stream.sendTrailers(answer.trailers));
				for (const [seed, size] of answer.parts.entries()) stream.write(part(size, seed));
				stream.end();
			});
		});
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const socket = connect(port(server), '127.0.0.1');
		open.push({ close: () => socket.destroy() });
		const heards = new Heards(({ id }) => exchanges[(id - 1) / 2]?.[0].trailers ?? {});
		let hasSettings = false;
		const events = heards.events(
			() => connection,
			() => undefined
		);
		const connection: Connection = over(
			socket,
			false,
			{ ...events, settings: () => (hasSettings = true) },
			ownSettings(group)
		);
		// Streams beyond the server's limit would be refused.
		await expect.poll(() => hasSettings).toBe(true);
		for (const [at, [request]] of exchanges.entries()) {
			const pseudo = { ':method': 'POST', ':scheme': 'http', ':authority': 'a', ':path': `/${at}` };
			const fields = listed({ ...pseudo, ...request.headers });
			const options = { endsStream: false, hasTrailers: Object.keys(request.trailers).length > 0, dependency: null };
			const stream = connection.request(fields, options);
			if (typeof stream !== 'number') sendBody(connection, stream, request);
		}
		await expect.poll(() => [...heards.all.values()].filter(({ code }) => code !== null).length).toBe(REQUESTS);
		for (const [at, [request, answer]] of exchanges.entries()) {
			const { headers: sent, trailers } = request;
			expect(asked.get(at)).toEqual({ headers: sent, trailers, body: body(request) });
			const { headers: received, trailers: last } = answer;
			expect(heards.all.get(at * 2 + 1)).toEqual({ headers: received, trailers: last, body: body(answer), code: 0 });
		}
	});

	it.each(groups.map((group, at) => [at, group] as const))('as a server, group %i', async (_at, group) => {
		const exchanges = group.exchanges.map((both) => both.map((one) => limited(group, one)) as [Message, Message]);
		const byStream = new Map<number, number>();
		const messageOf = ({ id }: StreamState, side: 0 | 1) => exchanges[byStream.get(id) ?? -1]?.[side] as Message;
		const heards = new Heards((stream) => messageOf(stream, 1).trailers);
		const server = createServer((socket) => {
			open.push({ close: () => socket.destroy() });
			const events = heards.events(
				() => connection,
				(stream) => {
					const answer = messageOf(stream, 1);
					const fields = listed({ ':status': '200', ...answer.headers });
					connection.respond(stream, fields, false, Object.keys(answer.trailers).length > 0);
					sendBody(connection, stream, answer);
				}
			);
			const noted: Partial<GracefulEvents> = {
				...events,
				headers: (stream, block) => {
					const path = block.fields.find((one) => one.name === ':path');
					if (path) byStream.set(stream.id, Number(path.value.slice(1)));
					events.headers?.(stream, block);
				}
			};
			const connection: Connection = over(socket, true, noted, ownSettings(group));
		});
		open.push(server);
		await once(server.listen(0, '127.0.0.1'), 'listening');
		const session = http2.connect(`http://127.0.0.1:${port(server)}`, theirSettings(group));
		open.push({ close: () => session.destroy() });
		const answers = await Promise.all(
			exchanges.map(async ([request], at) => {
				const head = { ':method': 'POST', ':path': `/${at}`, ...request.headers };
				const stream = session.request(head, { waitForTrailers: true });
				stream.on('wantTrailers', () => stream.sendTrailers(request.trailers));
				const answer = { headers: {}, trailers: {}, body: '' };
				const chunks: Buffer[] = [];
				stream.on('response', (given) => (answer.headers = ownOnly(given)));
				stream.on('trailers', (given: object) => (answer.trailers = ownOnly(given)));
				stream.on('data', (chunk: Buffer) => chunks.push(chunk));
				for (const [seed, size] of request.parts.entries()) stream.write(part(size, seed));
				stream.end();
				await once(stream, 'close');
				answer.body = hashed(Buffer.concat(chunks));
				return answer;
			})
		);
		for (const [at, [request, { headers: sent, trailers, ...rest }]] of exchanges.entries()) {
			expect(answers[at]).toEqual({ headers: sent, trailers, body: body({ headers: sent, trailers, ...rest }) });
			const id = [...byStream].find(([, one]) => one === at)?.[0] ?? -1;
			const { headers: asked, trailers: last } = request;
			expect(heards.all.get(id)).toMatchObject({ headers: asked, trailers: last, body: body(request) });
		}
	});
});

/** A server of ours whose client is a list of bytes. */
function served(events: Partial<GracefulEvents> = {}, options: Partial<ConnectionOptions> = {}) {
	const written: Uint8Array[] = [];
	const failures: (number | string)[] = [];
	const connection: Connection = new Connection(
		{ ...LIMITS, isServer: true, ...options },
		{
			...unheard,
			headers: (stream) => connection.startReading(stream),
			failed: (cause, code) => void failures.push(code ?? cause),
			...events
		},
		{
			write: (frames) => {
				written.push(...frames);
				return true;
			},
			schedule: (flush) => flush()
		}
	);
	connection.receive(joined([PREFACE, frame(FRAME.SETTINGS, 0, 0, new Uint8Array(0))]));
	/** Error code of the GOAWAY that was written. */
	const ended = () => {
		const goaway = written.findLast((bytes) => bytes[3] === FRAME.GOAWAY);
		return goaway && Buffer.from(goaway).readUInt32BE(13);
	};
	const resets = () =>
		written
			.filter((bytes) => bytes[3] === FRAME.RST_STREAM)
			.map((bytes) => [Buffer.from(bytes).readUInt32BE(5), Buffer.from(bytes).readUInt32BE(9)]);
	return { connection, written, failures, ended, resets };
}

const REQUEST: HeaderField[] = listed({ ':method': 'POST', ':scheme': 'http', ':authority': 'a', ':path': '/' });
const block = (fields = REQUEST) => new HeaderEncoder().encode(fields);
const request = (id: number, fields?: HeaderField[]) => headerFrames({ id, block: block(fields) });

describe('hostile clients', () => {
	it.each<[string, Uint8Array, number]>([
		['data on the connection', frame(FRAME.DATA, 0, 0, words(1)), ERROR.PROTOCOL_ERROR],
		['data on a stream that was never opened', frame(FRAME.DATA, 0, 5, words(1)), ERROR.PROTOCOL_ERROR],
		['an even stream', request(2), ERROR.PROTOCOL_ERROR],
		['a frame beyond the limit', frame(FRAME.DATA, 0, 1, new Uint8Array(16_385)), ERROR.FRAME_SIZE_ERROR],
		['a ping of the wrong size', frame(FRAME.PING, 0, 0, words(1)), ERROR.FRAME_SIZE_ERROR],
		['a window update of nothing', frame(FRAME.WINDOW_UPDATE, 0, 0, words(0)), ERROR.PROTOCOL_ERROR],
		['a window beyond 2^31-1', frame(FRAME.WINDOW_UPDATE, 0, 0, words(2 ** 31 - 1)), ERROR.FLOW_CONTROL_ERROR],
		['headers within headers', joined([frame(FRAME.HEADERS, 0, 1, block()), request(3)]), ERROR.PROTOCOL_ERROR],
		[
			'headers that cannot be decoded',
			frame(FRAME.HEADERS, FLAG.END_HEADERS, 1, words(0xffffffff, 0xffffffff)),
			ERROR.COMPRESSION_ERROR
		],
		['an acknowledgement of no settings', frame(FRAME.SETTINGS, FLAG.ACK, 0, new Uint8Array(0)), ERROR.PROTOCOL_ERROR],
		[
			'a frame size that is too small',
			frame(FRAME.SETTINGS, 0, 0, settingsPayload([[SETTING.MAX_FRAME_SIZE, 1]])),
			ERROR.PROTOCOL_ERROR
		],
		['a promise', headerFrames({ id: 1, promised: 2, block: block() }), ERROR.PROTOCOL_ERROR],
		[
			'padding beyond the frame',
			frame(FRAME.HEADERS, FLAG.PADDED | FLAG.END_HEADERS, 1, Uint8Array.of(9, 1)),
			ERROR.PROTOCOL_ERROR
		]
	])('ends the connection for %s', (_what, bytes, code) => {
		const { connection, ended } = served();
		connection.receive(bytes);
		expect(ended()).toBe(code);
	});

	it('ends a connection that does not start as HTTP/2 does', () => {
		const failures: number[] = [];
		const other = new Connection(
			{ ...LIMITS, isServer: true },
			{ ...unheard, failed: (cause) => void failures.push(cause) },
			{ write: () => true, schedule: () => undefined }
		);
		other.receive(Uint8Array.from(Buffer.from('GET / HTTP/1.1\r\n')));
		expect(failures).toEqual([-903]);
	});

	it('ends a header block of endless frames', () => {
		const { connection, failures } = served();
		const more = frame(FRAME.CONTINUATION, 0, 1, new Uint8Array(0));
		connection.receive(joined([frame(FRAME.HEADERS, 0, 1, block()), ...Array<Uint8Array>(9).fill(more)]));
		expect(failures).toEqual([-905]);
	});

	it('ends a connection whose streams are reset as fast as they are opened', () => {
		const { connection, ended } = served({}, { resetBurst: 10 });
		for (let id = 1; id < 41; id += 2) {
			connection.receive(joined([request(id), frame(FRAME.RST_STREAM, 0, id, words(ERROR.CANCEL))]));
		}
		expect(ended()).toBe(ERROR.INTERNAL_ERROR);
	});

	it('ends a connection that asks and never reads', () => {
		const { connection, failures } = served();
		const ping = frame(FRAME.PING, 0, 0, words(1, 2));
		connection.receive(joined(Array<Uint8Array>(1001).fill(ping)));
		expect(failures).toEqual([-904]);
	});

	it('ends a connection of empty frames', () => {
		const { connection, failures } = served({}, { maxInvalidFrames: 5 });
		connection.receive(request(1));
		connection.receive(joined(Array<Uint8Array>(7).fill(frame(FRAME.DATA, 0, 1, new Uint8Array(0)))));
		expect(failures).toEqual(['ERR_HTTP2_TOO_MANY_INVALID_FRAMES']);
	});

	it.each<[string, HeaderField[], number]>([
		[
			'too many fields',
			[...REQUEST, ...Array<HeaderField>(130).fill({ name: 'a', value: 'b' })],
			ERROR.ENHANCE_YOUR_CALM
		],
		['two paths', [...REQUEST, { name: ':path', value: '/' }], ERROR.PROTOCOL_ERROR],
		['a pseudo-header behind others', [{ name: 'a', value: 'b' }, ...REQUEST], ERROR.PROTOCOL_ERROR],
		['an upper-case name', [...REQUEST, { name: 'A', value: 'b' }], ERROR.PROTOCOL_ERROR],
		['no path', REQUEST.slice(0, 3), ERROR.PROTOCOL_ERROR],
		['a header of the connection', [...REQUEST, { name: 'connection', value: 'close' }], ERROR.PROTOCOL_ERROR]
	])('resets a stream with %s', (_what, fields, code) => {
		const { connection, resets, ended } = served();
		connection.receive(request(1, fields));
		expect(resets()).toEqual([[1, code]]);
		expect(ended()).toBeUndefined();
	});

	it('resets a stream whose data are not as long as declared', () => {
		const { connection, resets } = served();
		connection.receive(request(1, [...REQUEST, { name: 'content-length', value: '3' }]));
		connection.receive(frame(FRAME.DATA, FLAG.END_STREAM, 1, new Uint8Array(2)));
		expect(resets()).toEqual([[1, ERROR.PROTOCOL_ERROR]]);
	});

	it('ends a connection that sends more than its window', () => {
		const { connection, ended } = served({ headers: () => undefined });
		connection.receive(request(1));
		connection.state.localWindow = 100;
		connection.receive(frame(FRAME.DATA, 0, 1, new Uint8Array(101)));
		expect(ended()).toBe(ERROR.FLOW_CONTROL_ERROR);
	});

	it('survives any bytes', () => {
		const type = fc.integer({ min: 0, max: 13 });
		const anyFrame = fc
			.tuple(type, fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 6 }), fc.uint8Array({ maxLength: 40 }))
			.map(([kind, flags, id, payload]) => frame(kind, flags, id, payload));
		const parts = fc.array(fc.oneof(anyFrame, fc.uint8Array({ maxLength: 30 }), fc.constant(request(1))), {
			maxLength: 12
		});
		fc.assert(
			fc.property(parts, fc.integer({ min: 1, max: 50 }), (all, size) => {
				const { connection } = served();
				const bytes = joined(all);
				for (let at = 0; at < bytes.length; at += size) connection.receive(bytes.subarray(at, at + size));
				expect(connection.state.known.size).toBeLessThanOrEqual(all.length);
			})
		);
	});
});
