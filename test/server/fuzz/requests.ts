import fc from '#test/fast-check.ts';
import type { World } from './world.ts';

/** A request as bytes, so that nothing between the test and the server repairs it. */
export interface FuzzRequest {
	/** Latin-1. */
	text: string;
	/** Its requests go to no upstream that could fail. */
	mustNotBlame: boolean;
	/** It may end early; then any outcome is accepted. */
	cut: boolean;
}

const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code));
const bytes = (maxLength: number) => fc.string({ unit: byte, maxLength });
const oddSegment = fc.oneof(
	fc.constantFrom(
		'..',
		'.',
		'',
		'%2e%2e',
		'%2f',
		'%00',
		'%',
		'%zz',
		'%c3%28',
		'%E0%A4%A',
		';a=b',
		'\\',
		'@',
		'*',
		'$&'
	),
	fc.constantFrom('__proto__', 'constructor', 'toString', '[::1]', 'a'.repeat(5_000), '\u00ff\u00fe', '?', '#', ':id'),
	bytes(8).map((text) => text.replaceAll(/[\r\n ]/g, ''))
);
const method = fc.oneof(
	{ weight: 20, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH') },
	fc.constantFrom('TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'get', 'BREW', 'PRI', ''),
	bytes(6)
);

function targets({ host, dead }: World) {
	const url = (to: string) => encodeURIComponent(`http://${to}/a/b.git`);
	const known = fc.constantFrom(
		'/',
		'/api/health',
		'/api/config',
		'/metrics',
		'/runner?v=b1',
		'/runner',
		'/preview-frame',
		'/api/llm/anthropic/v1/messages',
		'/api/llm/anthropic/v1/models/a',
		'/api/llm/compatible-box/chat/completions',
		'/api/llm/gemini/v1beta/models/a:generateContent',
		`/api/git/http/${host}/r.git/info/refs?service=git-upload-pack`,
		`/api/git/http/${host}/r.git/git-receive-pack`,
		`/api/archive?url=${url(host)}&ref=main`,
		'/api/npm/express',
		'/api/npm/@a%2fb/-/b-1.0.0.tgz',
		`/api/fetch?url=${url(host)}`,
		`/api/egress?url=${url(host)}`,
		'/api/shares?expires=60',
		'/api/shares',
		'/api/shares/AAAAAAAAAAAAAAAAAAAAAA'
	);
	const down = fc.constantFrom(
		'/api/llm/openai/responses',
		`/api/git/http/${dead}/r.git/git-upload-pack`,
		`/api/fetch?url=${url(dead)}`,
		`/api/egress?url=${url('nowhere.example')}`
	);
	const bent = fc
		.tuple(fc.oneof(known, down), fc.nat(8), oddSegment)
		.map(([path, at, odd]) => path.split('/').toSpliced(at, 1, odd).join('/'));
	const queried = fc
		.tuple(known, fc.constantFrom('url', 'ref', 'service', 'expires', 'v', 'key', '__proto__'), oddSegment)
		.map(([path, name, odd]) => `${path}${path.includes('?') ? '&' : '?'}${name}=${odd}`);
	const odd = fc.array(oddSegment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`);
	const whole = fc.constantFrom('*', '', 'http://', `http://${host}/`, 'evil.example:443', '//evil.example/api/config');
	return fc.oneof(
		{ weight: 6, arbitrary: known.map((path) => ({ path, blame: false })) },
		{ weight: 4, arbitrary: bent.map((path) => ({ path, blame: true })) },
		{ weight: 3, arbitrary: queried.map((path) => ({ path, blame: true })) },
		fc.oneof(down, odd, whole).map((path) => ({ path, blame: true }))
	);
}

function headers(own: string) {
	const named = fc.constantFrom(
		'Origin: null',
		`Origin: http://${own}`,
		'Origin: \u00ff',
		'Sec-Fetch-Site: cross-site',
		'Sec-Fetch-Site: same-origin',
		'Sec-Fetch-Dest: script',
		'Cookie: sandglass_token=%zz; =; a',
		'X-Sandglass-Token: x',
		'X-Delete-Token: \u00e9',
		'X-Forwarded-For: 1.2.3.4, ::, nonsense',
		'Content-Type: multipart/form-data',
		'Content-Encoding: gzip',
		'Expect: 100-continue',
		'Expect: the-unexpected',
		'Upgrade: websocket\r\nConnection: close, Upgrade',
		'Accept-Encoding: gzip;q=0, br',
		'If-None-Match: *',
		'Range: bytes=0-1',
		'X-Egress-Host: evil.example',
		'X-Egress-: a',
		'X-Egress-Content-Length: 9',
		'X-Egress-A: \u00e9\u0001',
		'Git-Protocol: version=2',
		'Authorization: Basic \u00ff',
		`X-Long: ${'a'.repeat(20_000)}`,
		': no name',
		'no colon',
		' folded: yes'
	);
	const free = fc.tuple(bytes(10), bytes(20)).map(([name, value]) => `${name}: ${value}`);
	return fc.array(fc.oneof({ weight: 12, arbitrary: named }, free), { maxLength: 4 });
}

const content = fc.oneof(fc.constantFrom('', '{}', '{"model":"gpt-5.2","stream":true}', '['), bytes(200));
/** Headers and body; the body may end too early. */
const framed = fc.oneof(
	{
		weight: 4,
		arbitrary: content.map((text) => ({ lines: [`Content-Length: ${text.length}`, '', text], cut: false }))
	},
	{
		weight: 2,
		arbitrary: content.map((text) => ({ lines: ['Transfer-Encoding: chunked', '', chunked(text)], cut: false }))
	},
	{ weight: 3, arbitrary: fc.constant({ lines: ['', ''], cut: false }) },
	fc
		.tuple(
			fc.constantFrom('5', '-1', '99999999999', '3, 3', '0x5').map((length) => `Content-Length: ${length}`),
			content
		)
		.map(([line, text]) => ({ lines: [line, '', text], cut: true })),
	fc
		.tuple(
			fc.constantFrom('chunked', 'gzip, chunked', 'chunked\r\nContent-Length: 3'),
			fc.constantFrom('zz\r\n', '5\r\nhel', 'ffffffffffffffff\r\n', '0\r\n\r\n', '')
		)
		.map(([encoding, text]) => ({ lines: [`Transfer-Encoding: ${encoding}`, '', text], cut: true }))
);

const chunked = (text: string): string => `${text ? `${text.length.toString(16)}\r\n${text}\r\n` : ''}0\r\n\r\n`;

/** Any request, usually close to the real ones. */
export function anyRequest(world: World): fc.Arbitrary<FuzzRequest> {
	const own = new URL(world.server.url).host;
	const host = fc.oneof(
		{ weight: 8, arbitrary: fc.constant(`Host: ${own}`) },
		fc.constantFrom('Host: evil.example', 'Host:', 'Host: \u00ff', 'X-No-Host: 1', `Host: ${own}\r\nHost: evil.example`)
	);
	const version = fc.oneof(
		{ weight: 9, arbitrary: fc.constant('HTTP/1.1') },
		fc.constantFrom('HTTP/1.0', 'HTTP/9.9', '')
	);
	return fc
		.tuple(method, targets(world), version, host, headers(own), framed)
		.map(([verb, { path, blame }, protocol, name, more, { lines, cut }]) => ({
			text: [`${verb} ${path} ${protocol}`, name, 'Connection: close', ...more, ...lines].join('\r\n'),
			mustNotBlame: !blame,
			cut
		}));
}

/** Valid requests, with arbitrary additions. */
export function rightRequest({ server, host }: World): fc.Arbitrary<FuzzRequest> {
	const own = new URL(server.url).host;
	const url = encodeURIComponent(`http://${host}/a/b.git`);
	const calls = fc.constantFrom(
		['GET', '/api/health'],
		['GET', '/api/config'],
		['GET', '/metrics'],
		['GET', '/runner?v=b1'],
		['HEAD', '/preview-frame'],
		['POST', '/api/llm/anthropic/v1/messages?beta=true'],
		['GET', '/api/llm/anthropic/v1/models'],
		['POST', '/api/llm/compatible-box/chat/completions'],
		['GET', `/api/git/http/${host}/r.git/info/refs?service=git-receive-pack`],
		['POST', `/api/git/http/${host}/r.git/git-upload-pack`],
		['GET', `/api/archive?url=${url}&ref=main`],
		['GET', '/api/npm/express'],
		['GET', `/api/fetch?url=${url}`],
		['PATCH', `/api/egress?url=${url}`],
		['PUT', '/api/shares?expires=60']
	);
	const beside = fc.subarray([
		`Origin: http://${own}`,
		'Sec-Fetch-Site: same-origin',
		'Sec-Fetch-Mode: cors',
		'Cookie: a=b',
		'Accept-Language: de',
		'X-Forwarded-For: 1.2.3.4',
		'Authorization: Bearer anything',
		'Range: bytes=0-1',
		'Expect: 100-continue'
	]);
	return fc.tuple(calls, beside, content, fc.boolean()).map(([[verb = '', path = ''], more, text, announced]) => {
		const sent = announced
			? [`Content-Length: ${text.length}`, '', text]
			: ['Transfer-Encoding: chunked', '', chunked(text)];
		const lines = verb === 'GET' || verb === 'HEAD' ? ['', ''] : sent;
		return {
			text: [`${verb} ${path} HTTP/1.1`, `hOsT: ${own}`, 'Connection: close', ...more, ...lines].join('\r\n'),
			mustNotBlame: true,
			cut: false
		};
	});
}
