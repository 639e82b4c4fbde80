import fc from '#test/fast-check.ts';
import { expect, it } from 'vitest';
import { HttpParser } from '#computer/http/parser.ts';
import { HttpSyntaxError } from '#computer/http/syntax-error.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const text = (chunk: Uint8Array) => String.fromCharCode(...chunk);

/** Events of a parser if the bytes arrive in these pieces. */
function parse(kind: 'request' | 'response', pieces: string[], finish = false): string[] {
	const told: string[] = [];
	let body = '';
	const parser = new HttpParser(kind, {
		head: ({ method, target, status, headers }) => {
			told.push(`${method}${target}${status || ''} ${JSON.stringify(headers)}`);
			return headers.some(([name]) => name === 'Upgrade') ? 'upgrade' : 'message';
		},
		body: (chunk) => void (body += text(chunk)),
		end: (trailers) => {
			told.push(`end ${body} ${JSON.stringify(trailers)}`);
			body = '';
		}
	});
	for (const piece of pieces) parser.write(bytes(piece));
	if (finish) parser.finish();
	if (parser.rest.length > 0) told.push(`rest ${text(parser.rest)}`);
	return told;
}

const STREAMS: [string, 'request' | 'response', string][] = [
	['two requests', 'request', 'GET /a?b HTTP/1.1\r\nHost: x\r\n\r\nPOST /c HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc'],
	[
		'chunks and trailers',
		'request',
		'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\nT: 1\r\n\r\n'
	],
	[
		'a response, then one without a body',
		'response',
		'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 204 \r\n\r\n'
	],
	['an upgrade', 'request', 'GET / HTTP/1.1\r\nUpgrade: echo\r\n\r\n\x00\x01other protocol']
];

it.each(STREAMS)('%s: the same whatever pieces it comes in', (_name, kind, stream) => {
	const whole = parse(kind, [stream]);
	expect(whole.length).toBeGreaterThan(1);
	fc.assert(
		fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
			const places = [0, ...[...cuts].sort((a, b) => a - b), stream.length];
			const pieces = places.slice(1).map((end, index) => stream.slice(places[index], end));
			expect(parse(kind, pieces)).toEqual(whole);
		}),
		{ numRuns: 50 }
	);
});

it('reads a body without a length to the end of the connection', () => {
	expect(parse('response', ['HTTP/1.0 200 OK\r\n\r\nall', ' of it'], true)).toEqual(['200 []', 'end all of it []']);
});

it.each([
	['request', 'RUBBISH\r\n\r\n', 'HPE_INVALID_METHOD'],
	['request', 'rub', 'HPE_INVALID_METHOD'],
	['request', 'GETX', 'HPE_INVALID_METHOD'],
	['request', 'GET\r\n\r\n', 'HPE_INVALID_METHOD'],
	['request', 'FOO / HTTP/1.1\r\n', 'HPE_INVALID_METHOD'],
	['request', 'GET /a b HTTP/1.1\r\n', 'HPE_INVALID_CONSTANT'],
	['request', 'GET / HTTP/1.2\r\n', 'HPE_INVALID_VERSION'],
	['response', 'hello\r\n\r\n', 'HPE_INVALID_CONSTANT'],
	['request', 'GET / HTTP/1.1\r\nno colon\r\n\r\n', 'HPE_INVALID_HEADER_TOKEN'],
	['request', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 'HPE_INVALID_CONTENT_LENGTH'],
	[
		'request',
		'POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
		'HPE_UNEXPECTED_CONTENT_LENGTH'
	],
	['request', 'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'HPE_INVALID_CHUNK_SIZE'],
	['request', `GET / HTTP/1.1\r\nX: ${'y'.repeat(70_000)}`, 'HPE_HEADER_OVERFLOW']
] as const)('refuses %s %j', (kind, stream, code) => {
	expect(() => parse(kind, [stream])).toThrow(HttpSyntaxError);
	try {
		parse(kind, [stream]);
	} catch (error) {
		expect(error).toMatchObject({ code });
	}
});

it('says that a connection ended in the middle of a message', () => {
	expect(() => parse('response', ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc'], true)).toThrow('EOF');
});
