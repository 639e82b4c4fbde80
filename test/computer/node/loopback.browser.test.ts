import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WasmExecutionEnvironment } from '#computer/host/execution-environment.ts';
import type { PortInfo } from '#computer/abi/syscalls.ts';
import { nodeInPage } from './node-in-page.ts';
import certificate from './fixtures/tls/alone.crt?raw';
import key from './fixtures/tls/alone.key?raw';

let sandbox: WasmExecutionEnvironment;
beforeAll(async () => {
	sandbox = await nodeInPage();
});
afterAll(() => sandbox.cleanup());

/** Resolves once exactly these ports are listening. */
function ports(wanted: number[]): Promise<readonly PortInfo[]> {
	const isThere = () => sandbox.loopback.ports.map(({ port }) => port).join() === wanted.join();
	if (isThere()) return Promise.resolve(sandbox.loopback.ports);
	return new Promise((resolve) => {
		const stop = sandbox.loopback.onPorts((open) => {
			if (!isThere()) return;
			stop();
			resolve(open);
		});
	});
}

const textOf = async (body: AsyncIterable<Uint8Array>) => {
	let text = '';
	for await (const chunk of body) text += new TextDecoder().decode(chunk);
	return text;
};
const run = (command: string) => sandbox.exec(command, { timeoutMs: 50_000 });

describe('a connection that is cut', () => {
	it('fails on the other side, behind what was written to it', async () => {
		const script = `const net = require('net');
const server = net.createServer((socket) => {
	socket.on('error', ({ code, syscall }) => console.log('server', code, syscall));
	socket.on('close', (hadError) => (console.log('closed', hadError), server.close()));
	socket.on('data', (bytes) => (console.log(String(bytes)), client.resetAndDestroy()));
}).listen(0, () => client.connect(server.address().port).write('hello'));
const client = new net.Socket();
client.on('close', (hadError) => console.log('client', hadError));
new net.Socket().on('error', ({ code }) => console.log(code)).resetAndDestroy();`;
		await sandbox.writeFile('/workspace/cut.js', script);
		const { stdout, stderr, exitCode } = await run('node cut.js');
		expect({ lines: stdout.trim().split('\n').sort(), stderr, exitCode }).toEqual({
			lines: ['ERR_SOCKET_CLOSED', 'client false', 'closed true', 'hello', 'server ECONNRESET read'],
			stderr: '',
			exitCode: 0
		});
	});

	it('does not end first for a side that only waits', async () => {
		const script = `const http = require('http');
const server = http.createServer().on('upgrade', (request, socket) => {
	socket.write('HTTP/1.1 101 Switching\\r\\nConnection: upgrade\\r\\nUpgrade: other\\r\\n\\r\\n');
	socket.on('data', () => socket.resetAndDestroy());
}).listen(0, () => {
	const { port } = server.address();
	http.get({ port, headers: { connection: 'upgrade', upgrade: 'other' } }).on('upgrade', (answer, socket) => {
		for (const name of ['end', 'data']) socket.on(name, () => console.log(name));
		socket.on('error', ({ code }) => console.log(code));
		socket.on('close', (hadError) => (console.log('close', hadError), server.close()));
		socket.write('now');
	});
});`;
		await sandbox.writeFile('/workspace/cut.js', script);
		expect((await run('node cut.js')).stdout).toBe('ECONNRESET\nclose true\n');
	});
});

describe('a server at a socket file', () => {
	it('answers other processes until it is closed, which removes the file', async () => {
		const server = `const net = require('net'), http = require('http'), fs = require('fs');
			const server = http.createServer((request, response) => {
				response.end(request.url + ' ' + request.socket.remoteAddress);
				if (request.url === '/end') server.close(() => console.log(fs.existsSync('/tmp/app.sock')));
			}).listen('/tmp/app.sock', () => console.log(server.address(), fs.statSync('/tmp/app.sock').isSocket()));
			net.createServer().on('error', (error) => console.log(error.message)).listen({ path: '/tmp/app.sock' });`;
		await sandbox.writeFile('/workspace/at-file.js', server);
		const client = `const http = require('http');
			const ask = (path) => new Promise((done) => http.get({ socketPath: '/tmp/app.sock', path, agent: false }, async (answer) => {
				for await (const chunk of answer) console.log(String(chunk));
				done();
			}).on('error', (error) => done(console.log(error.message, error.address))));
			ask('/one').then(() => ask('/end')).then(() => setTimeout(() => ask('/late'), 50));`;
		await sandbox.writeFile('/workspace/to-file.js', client);
		const command =
			'node at-file.js > at-file.log & until [ -S /tmp/app.sock ]; do sleep 0.05; done; ls -lF /tmp/app.sock | cut -c1; node to-file.js; wait; cat at-file.log';
		expect(await run(`cd /workspace; ${command}`)).toMatchObject({
			stdout: `s
/one undefined
/end undefined
connect ENOENT /tmp/app.sock /tmp/app.sock
/tmp/app.sock true
listen EADDRINUSE: address already in use /tmp/app.sock
false
`,
			stderr: ''
		});
	});

	it('may have a name without a file', async () => {
		const program = `const net = require('net');
			const server = net.createServer((socket) => socket.end('named')).listen('\\0inner', () =>
				net.connect({ path: '\\0inner' }, function () { this.on('data', (data) => { console.log(String(data)); server.close(); }); }));`;
		await sandbox.writeFile('/workspace/named.js', program);
		expect(await run('node /workspace/named.js')).toMatchObject({ stdout: 'named\n', stderr: '' });
	});
});

describe('a server of https', () => {
	it('answers fetch and https of other processes that trust it', async () => {
		await sandbox.writeFile('/workspace/own.key', key);
		await sandbox.writeFile('/workspace/own.crt', certificate);
		const server = `const { readFileSync } = require('fs');
			const options = { key: readFileSync('own.key'), cert: readFileSync('own.crt') };
			require('https').createServer(options, (request, response) => response.end('over ' + request.socket.getProtocol())).listen(4430);`;
		await sandbox.writeFile('/workspace/secure.js', server);
		const started = await sandbox.start('exec node secure.js');
		await ports([4430]);
		const client = `const show = ({ message, cause }) => console.log(message, cause?.code);
			fetch('https://localhost:4430').then((answer) => answer.text()).then(console.log, show).then(() =>
				require('https').get('https://localhost:4430', { ca: require('fs').readFileSync('own.crt') }, (answer) => answer.on('data', (data) => console.log(String(data)))));`;
		await sandbox.writeFile('/workspace/client.js', client);
		const untrusted = 'fetch failed DEPTH_ZERO_SELF_SIGNED_CERT\nover TLSv1.3\n';
		expect(await run('node client.js')).toMatchObject({ stdout: untrusted, stderr: '' });
		const trusted = { stdout: 'over TLSv1.3\nover TLSv1.3\n', stderr: '' };
		expect(await run('NODE_EXTRA_CA_CERTS=own.crt node client.js')).toMatchObject(trusted);
		const unchecked = await run('NODE_TLS_REJECT_UNAUTHORIZED=0 node client.js');
		expect(unchecked.stdout).toBe('over TLSv1.3\nover TLSv1.3\n');
		expect(unchecked.stderr).toContain('makes TLS connections and HTTPS requests insecure');
		await started.kill();
		await ports([]);
	});
});

describe('a server in the sandbox', () => {
	it('answers the page and other processes, streams, and goes with its process', async () => {
		await sandbox.writeFile(
			'/workspace/server.js',
			`require('http').createServer((request, response) => {
				if (request.url === '/stream') {
					response.write('one ');
					return void setTimeout(() => response.end('two'), 5);
				}
				let body = '';
				request.on('data', (chunk) => (body += chunk));
				request.on('end', () => response.writeHead(201, { 'X-Method': request.method }).end(request.headers.host + ' ' + body));
			}).listen(3000);`
		);
		const server = await sandbox.start('exec node server.js');
		const [open] = await ports([3000]);
		expect(open).toMatchObject({ port: 3000, command: 'node server.js' });

		const answer = await sandbox.loopback.fetch(3000, {
			method: 'POST',
			target: '/',
			headers: [],
			body: new TextEncoder().encode('from the page')
		});
		expect(answer).toMatchObject({ status: 201, statusText: 'Created' });
		expect(answer.headers).toContainEqual(['X-Method', 'POST']);
		expect(await textOf(answer.body)).toBe('localhost:3000 from the page');
		const stream = await sandbox.loopback.fetch(3000, { method: 'GET', target: '/stream', headers: [], body: null });
		expect(await textOf(stream.body)).toBe('one two');

		const client = `fetch('http://localhost:3000', { method: 'PUT', body: 'x' }).then(async (r) => console.log(r.status, await r.text()))`;
		expect(await run(`node -e "${client}"`)).toMatchObject({
			stdout: '201 localhost:3000 x\n',
			stderr: '',
			exitCode: 0
		});
		const second = `require('http').createServer().on('error', (e) => console.log(e.code, e.message)).listen(3000)`;
		expect((await run(`node -e "${second}"`)).stdout).toBe(
			'EADDRINUSE listen EADDRINUSE: address already in use :::3000\n'
		);

		await server.kill();
		await ports([]);
		await expect(sandbox.loopback.connect(3000)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
		const refused = `fetch('http://localhost:3000').catch((e) => console.log(e.message, e.cause.code))`;
		expect((await run(`node -e "${refused}"`)).stdout).toBe('fetch failed ECONNREFUSED\n');
	});

	it('sends the chunks of a request as a program gives them, and ends with it', async () => {
		await sandbox.writeFile(
			'/workspace/upload.js',
			`const http = require('http');
			const bytes = (text) => new TextEncoder().encode(text);
			const server = http.createServer((request, response) => {
				request.on('data', (chunk) => response.write('got ' + chunk));
				request.on('end', () => response.end(', end'));
				request.on('error', (error) => console.log('server', error.code));
			});
			server.listen(0, async () => {
				let source;
				const open = (init) => fetch('http://localhost:' + server.address().port, { method: 'POST', duplex: 'half', ...init });
				const stream = () => new ReadableStream({ start(controller) { source = controller; source.enqueue(bytes('one')); } });
				const reader = (await open({ body: stream() })).body.getReader();
				const next = async () => new TextDecoder().decode((await reader.read()).value);
				console.log(await next());
				source.enqueue(bytes('two'));
				console.log(await next());
				source.close();
				console.log(await next());
				const abort = new AbortController();
				const cut = await open({ body: stream(), signal: abort.signal });
				abort.abort();
				console.log(await cut.text().catch((error) => error.name));
				const failing = open({ body: (async function* () { throw new Error('no more'); })() });
				console.log(await failing.catch((error) => error.message + ': ' + error.cause.message));
				server.close();
				server.closeAllConnections();
			});`
		);
		const { stdout, stderr, exitCode } = await run('node upload.js | sort');
		expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
		expect(stdout).toBe(', end\nAbortError\nfetch failed: no more\ngot one\ngot two\nserver ECONNRESET\n');
	});

	it('gives the page a connection of bytes, and holds back a writer no one reads from', async () => {
		await sandbox.writeFile(
			'/workspace/echo.js',
			`require('net').createServer((socket) => socket.pipe(socket)).listen(0, () => console.log('up'));`
		);
		const server = await sandbox.start('exec node echo.js');
		const port = await new Promise<number>((resolve) => {
			const stop = sandbox.loopback.onPorts(([first]) => {
				if (!first) return;
				stop();
				resolve(first.port);
			});
		});
		const connection = await sandbox.loopback.connect(port);
		const block = new Uint8Array(64 * 1024).fill(7);
		let written = 0;
		const writing = (async () => {
			for (let count = 0; count < 32; count++) {
				await connection.write(block);
				written++;
			}
			await connection.end();
		})();
		let read = 0;
		for (let bytes = await connection.read(); bytes.length > 0; bytes = await connection.read()) {
			read += bytes.length;
			expect(written * block.length - read).toBeLessThan(block.length * 8);
		}
		await writing;
		expect(read).toBe(32 * block.length);
		connection.close();
		await server.kill();
	});
});

it('fails for names and hosts outside in the words of Node, behind which those of the page stand', async () => {
	const failing = await nodeInPage(({ url }) => {
		const code = url.includes('missing') ? 'ENOTFOUND' : 'ENETUNREACH';
		return Promise.reject(Object.assign(new Error(`${code} by the page`), { code }));
	});
	const script = `const http = require('http');
const shown = ({ code, syscall, hostname, message }) => console.log(code, syscall, hostname, message);
http.get('http://missing.example/').on('error', (error) => {
	shown(error);
	http.get('http://away.example/').on('error', (error) => {
		shown(error);
		fetch('https://missing.example').catch(({ message, cause }) => (console.log(message), shown(cause)));
	});
});`;
	await failing.writeFile('/workspace/outside.js', script);
	const { stdout } = await failing.exec('node outside.js; curl -sS http://missing.example/; echo $?');
	const { stderr } = await failing.exec('curl -sS http://missing.example/');
	await failing.cleanup();
	expect(stdout.split('\n')).toEqual([
		'ENOTFOUND getaddrinfo missing.example getaddrinfo ENOTFOUND missing.example',
		'ENETUNREACH connect undefined ENETUNREACH by the page',
		'fetch failed',
		'ENOTFOUND getaddrinfo missing.example getaddrinfo ENOTFOUND missing.example',
		'6',
		''
	]);
	expect(stderr).toBe('curl: (6) Could not resolve host: missing.example\n');
});
