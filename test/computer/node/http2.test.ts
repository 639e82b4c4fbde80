import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { bundledNode, type Pair } from './host/bundle.ts';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let pair: Pair;
beforeAll(async () => {
	pair = await bundledNode();
}, 60_000);

/** The package speaks HTTP/2 on both sides, with trailers, half-closed streams, resets and cancelled calls. */
it('calls and serves by gRPC as in the machine’s own Node', () => {
	pair.write({ 'calls.js': readFileSync(file('./fixtures/grpc/calls.js.txt'), 'utf8') });
	const run = ['calls.js', file('../../../node_modules/@grpc/grpc-js')];
	const native = pair.native(run);
	expect(native).toMatchObject({ stderr: '', code: 0 });
	expect(pair.ours(run)).toEqual(native);
});

it('says what to use instead for another host', () => {
	pair.write({
		'other.js': `const session = require('node:http2').connect('https://example.com');
session.request().on('error', ({ code, cause }) => console.log('request', code, cause.code));
session.on('error', ({ code, message }) => console.log('session', code, message));
session.on('close', () => console.log('closed', session.destroyed));`
	});
	const reason = 'example.com:443 cannot be reached: connections of this kind stay inside the sandbox; use fetch';
	expect(pair.ours(['other.js'])).toEqual({
		stdout: `request ERR_HTTP2_STREAM_CANCEL ENOTFOUND
session ENOTFOUND getaddrinfo ENOTFOUND example.com (${reason})
closed true
`,
		stderr: '',
		code: 0
	});
});

it('keeps the asynchronous context of each request', () => {
	pair.write({
		'context.js': `const http2 = require('node:http2');
const store = new (require('node:async_hooks').AsyncLocalStorage)();
const server = http2.createServer((request, response) => response.end(request.url)).listen(0, () => {
	const session = http2.connect('http://localhost:' + server.address().port);
	let open = 2;
	for (const name of ['a', 'b']) {
		store.run(name, () => {
			const stream = session.request({ ':path': '/' + name });
			stream.on('response', () => console.log(store.getStore()));
			stream.resume().on('close', () => --open || (session.close(), server.close()));
		});
	}
});`
	});
	expect(pair.ours(['context.js'])).toEqual({ stdout: 'a\nb\n', stderr: '', code: 0 });
});
