import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import { nodeInPage } from './node-in-page.ts';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

/** Output of a program. */
async function run(program: string): Promise<unknown> {
	await sandbox.writeFile('/workspace/program.mjs', program);
	const { stdout, stderr, exitCode } = await sandbox.exec('node program.mjs', { timeoutMs: 50_000 });
	expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
	return JSON.parse(stdout);
}

it('keeps every header that a program gives a request or an answer', async () => {
	const program = `
		const request = new Request('http://a/', { headers: { Cookie: 'a=b', Origin: 'http://b', Host: 'c', 'User-Agent': 'd' } });
		const renewed = new Request(request.clone(), { method: 'POST', body: 'text' });
		renewed.headers.append('cookie2', 'x');
		const answer = new Response('text', { headers: [['Set-Cookie', 'a=1'], ['Set-Cookie', 'b=2']] });
		answer.headers.append('set-cookie', 'c=3');
		class Own extends Response {}
		const taken = new Response(null, new Own('', { status: 201, headers: answer.clone().headers }));
		const pairs = function* () { yield ['set-cookie', 'once']; };
		console.log(JSON.stringify({
			request: [...request.headers],
			renewed: [...renewed.headers],
			alone: request.headers.has('cookie2'),
			answer: [...answer.headers],
			taken: [taken.status, taken.headers.getSetCookie()],
			pairs: new Response('', { headers: pairs() }).headers.get('set-cookie'),
			json: [...Response.json({}, { headers: { 'set-cookie': 'd=4' } }).headers],
			plain: [new Request('http://a/', { method: 'POST', body: new URLSearchParams('a=b') }).headers.get('content-type')],
			same: request.headers === request.headers,
			frozen: [
				new Response(null, Object.freeze({ status: 202, headers: { a: 'b' } })),
				new Request('http://a/', Object.freeze({ method: 'PUT', headers: { a: 'b' } })),
				new Response(null, Object.defineProperty(new Response(null, { status: 202 }), 'headers', { value: { a: 'b' } }))
			].map((made) => [made.status ?? made.method, ...made.headers].join())
		}));`;
	const cookies = (...values: string[]) => values.map((value) => ['set-cookie', value]);
	expect(await run(program)).toEqual({
		request: [
			['cookie', 'a=b'],
			['host', 'c'],
			['origin', 'http://b'],
			['user-agent', 'd']
		],
		renewed: [
			['content-type', 'text/plain;charset=UTF-8'],
			['cookie', 'a=b'],
			['cookie2', 'x'],
			['host', 'c'],
			['origin', 'http://b'],
			['user-agent', 'd']
		],
		alone: false,
		answer: [['content-type', 'text/plain;charset=UTF-8'], ...cookies('a=1', 'b=2', 'c=3')],
		taken: [201, ['a=1', 'b=2', 'c=3']],
		pairs: 'once',
		json: [['content-type', 'application/json'], ...cookies('d=4')],
		plain: ['application/x-www-form-urlencoded;charset=UTF-8'],
		same: true,
		frozen: ['202,a,b', 'PUT,a,b', '202,a,b']
	});
});

it('sends cookies to a server in the sandbox and gets its own', async () => {
	const program = `
		import http from 'node:http';
		const server = http.createServer((request, answer) => {
			answer.setHeader('Set-Cookie', ['a=1', 'b=2']);
			answer.end(JSON.stringify([request.headers.cookie, request.headers.origin, /^localhost:\\d+$/.test(request.headers.host)]));
		}).listen(0, async () => {
			const headers = { cookie: 'x=y', origin: 'http://o', host: 'elsewhere', connection: 'close' };
			const answer = await fetch('http://localhost:' + server.address().port, { headers });
			console.log(JSON.stringify({ body: await answer.json(), cookies: answer.headers.getSetCookie() }));
			server.close();
		});`;
	expect(await run(program)).toEqual({ body: ['x=y', 'http://o', true], cookies: ['a=1', 'b=2'] });
});
