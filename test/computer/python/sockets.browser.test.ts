import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
const LIMIT_MS = 60_000;
const run = (command: string) => sandbox.exec(command, { timeoutMs: LIMIT_MS });

beforeAll(async () => {
	sandbox = await pythonSandbox(outside);
});
afterAll(() => sandbox.cleanup());

/** The hosts outside: one that repeats requests. */
async function outside({ method, url, headers, body }: WireRequest): Promise<WireResponse> {
	if (new URL(url).hostname !== 'api.test') throw Object.assign(new Error('The user refused.'), { code: 'EACCES' });
	const names = headers.map(([name]) => name.toLowerCase()).filter((name) => name.startsWith('x-'));
	const text = [method, url, ...names, body && new TextDecoder().decode(body)].join(' ');
	const status = url.endsWith('/moved') ? 302 : 200;
	const given: [string, string][] = [
		['Location', '/there'],
		['Content-Encoding', 'gzip'],
		['Content-Length', '1']
	];
	return { status, statusText: '', headers: given, url, body: new TextEncoder().encode(text) };
}

/** Clients of other hosts, on the layers that packages use. */
const CLIENTS = String.raw`
import urllib3
import asyncio, http.client, socket, ssl, urllib.request
for client in (http.client.HTTPConnection('api.test'), http.client.HTTPSConnection('api.test', 8443)):
    client.request('POST', '/a?b=1', body=iter([b'one', b' two']), headers={'X-Own': '1'}, encode_chunked=True)
    answer = client.getresponse(); print(answer.status, answer.reason, answer.headers['content-length'], answer.headers['content-encoding'], answer.read())
    client.request('HEAD', '/'); answer = client.getresponse(); print(answer.status, answer.read())
print(urllib.request.urlopen('https://api.test/moved').read())
whole = socket.create_connection(('api.test', 80)); size = 3_000_000
whole.sendall(b'PUT / HTTP/1.1\r\nHost: api.test\r\nContent-Length: %d\r\n\r\n' % size + b'x' * size)
print(len(whole.makefile('rb').read()) > size)
client = http.client.HTTPConnection('api.test'); client.request('PUT', '/', body=iter([b'x' * 8192] * 1000), encode_chunked=True)
print(client.getresponse().headers['content-length'])
async def ask(port, tls):
    reader, writer = await asyncio.open_connection('api.test', port, ssl=tls)
    writer.write(b'PUT /x HTTP/1.1\r\nHost: api.test\r\nContent-Length: 6\r\nExpect: 100-continue\r\n\r\n')
    print((await reader.readuntil(b'\r\n\r\n')).split(b'\r\n')[0])
    writer.write(b'abc'); await asyncio.sleep(0.01); writer.write(b'def')
    print((await reader.read()).splitlines()[-1]); writer.close()
asyncio.run(ask(443, True)); asyncio.run(ask(80, None))
def refused(call):
    try: print('no error', call())
    except OSError as error: print(type(error).__name__, str(error).partition('] ')[2] or error)
refused(lambda: urllib.request.urlopen('https://other.test/'))
refused(lambda: http.client.HTTPSConnection('other.test').request('GET', '/'))
refused(lambda: socket.create_connection(('api.test', 25)).sendall(b'EHLO me\r\n'))
refused(lambda: socket.create_connection(('api.test', 25)).recv(9))
server = socket.create_server(('localhost', 0))
refused(lambda: http.client.HTTPSConnection('localhost', server.getsockname()[1]).request('GET', '/'))
refused(lambda: ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).wrap_socket(server, server_side=True))
`;

/** A server that answers each request in a separate thread, and prints where it listens. */
const THREADED = `
import http.server, os, threading, time
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        while self.path == '/slow' and not os.path.exists('go'): time.sleep(0.01)
        body = f'{self.path} {threading.current_thread() is threading.main_thread()}\\n'.encode()
        self.send_response(200); self.send_header('content-length', len(body)); self.end_headers(); self.wfile.write(body)
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Answer)
print(server.server_port, flush=True)
try: server.serve_forever()
except KeyboardInterrupt: print('stopped')
`;

/** Starts `server.py`; `$port` is its port. */
const started = 'python3 server.py > log & until read port < log; do sleep 0.02; done; ';

describe('sockets of Python', () => {
	it('serve requests side by side, those of other programs too, until Ctrl-C', async () => {
		await sandbox.writeFile('server.py', THREADED);
		const { stdout, stderr } = await run(
			`rm -f go; ${started} curl -s localhost:$port/slow > slow & curl -s localhost:$port/fast; touch go; wait $!; cat slow; node -e 'fetch("http://localhost:" + process.argv[1] + "/node").then((r) => r.text()).then(console.log)' $port; kill -INT %1; wait %1; echo $?; tail -n +2 log; curl -s localhost:$port; echo $?`
		);
		expect({ stdout, stderr }).toEqual({
			stdout: '/fast False\n/slow False\n/node False\n\n0\nstopped\n7\n',
			stderr: ''
		});
	});

	it('serve by an event loop', async () => {
		await sandbox.writeFile(
			'server.py',
			`
import asyncio, os
async def answer(reader, writer):
    name = (await reader.readline()).split()[1].decode()
    while (await reader.readline()).strip(): pass
    while name == '/slow' and not os.path.exists('go'): await asyncio.sleep(0.01)
    writer.write(f'HTTP/1.1 200 OK\\r\\ncontent-length: {len(name)}\\r\\n\\r\\n{name}'.encode())
    await writer.drain(); writer.close()
async def main():
    server = await asyncio.start_server(answer, '127.0.0.1', 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
`
		);
		const { stdout } = await run(
			`rm -f go; ${started} curl -s localhost:$port/slow > slow & curl -s localhost:$port/fast; echo; touch go; wait $!; cat slow; kill %1`
		);
		expect(stdout).toBe('/fast\n/slow');
	});

	it('carry requests to other hosts, in plain or in https, and nothing else', async () => {
		await sandbox.writeFile('clients.py', CLIENTS);
		// With another platform, the package would use a browser's own requests.
		await sandbox.writeFile('urllib3.py', 'import sys\nprint(sys.platform)\n');
		const { stdout, stderr } = await run('python3 clients.py');
		expect({ lines: stdout.split('\n'), stderr }).toEqual({
			lines: [
				'linux',
				"200 OK 40 None b'POST http://api.test/a?b=1 x-own one two'",
				"200 b''",
				"200 OK 46 None b'POST https://api.test:8443/a?b=1 x-own one two'",
				"200 b''",
				"b'GET https://api.test/there '",
				'True',
				'8192021',
				"b'HTTP/1.1 100 Continue'",
				"b'PUT https://api.test/x abcdef'",
				"b'HTTP/1.1 100 Continue'",
				"b'PUT http://api.test/x abcdef'",
				'URLError The user refused.>',
				'PermissionError The user refused.',
				'OSError api.test cannot be reached by this protocol: only requests of HTTP leave the sandbox',
				'OSError api.test cannot be reached by this protocol: only requests of HTTP leave the sandbox',
				'SSLError programs of this computer do not speak TLS in the sandbox: use http://',
				'SSLError there are no servers of TLS in the sandbox: serve plain HTTP',
				''
			],
			stderr: ''
		});
	});

	it('reach the servers of other programs, whole and in pieces', async () => {
		await sandbox.writeFile(
			'client.py',
			`
import hashlib, http.client, sys, urllib.request
connection = http.client.HTTPConnection('localhost', int(sys.argv[1]), timeout=20)
connection.request('POST', '/', body=b'x' * 1_000_000)
answer = connection.getresponse(); body = answer.read()
print(answer.status, len(body), body == b'X' * 1_000_000)
print(urllib.request.urlopen(f'http://localhost:{sys.argv[1]}/', data=b'abc').read())
`
		);
		const { stdout, stderr } = await run(
			`node -e 'require("http").createServer((q, r) => { let s = ""; q.on("data", (d) => (s += d)).on("end", () => r.end(s.toUpperCase())) }).listen(0, function () { console.log(this.address().port) })' > log & until read port < log; do sleep 0.02; done; python3 client.py $port; kill %1`
		);
		expect({ stdout, stderr }).toEqual({ stdout: "200 1000000 True\nb'ABC'\n", stderr: '' });
	});

	it('are given on to a child, which serves what its parent has opened', async () => {
		await sandbox.writeFile(
			'server.py',
			`
import os, socket, subprocess, sys
if len(sys.argv) > 1:
    server = socket.fromfd(int(sys.argv[1]), socket.AF_INET, socket.SOCK_STREAM)
    with server.accept()[0] as connection: connection.sendall(b'child %d' % server.getsockname()[1])
else:
    server = socket.create_server(('127.0.0.1', 0)); server.set_inheritable(True)
    print(server.getsockname()[1], flush=True)
    child = subprocess.Popen([sys.executable, __file__, str(server.fileno())], close_fds=False)
    server.close(); sys.exit(child.wait())
`
		);
		const { stdout, stderr } = await run(
			`${started} python3 -c 'import socket, sys; port = int(sys.argv[1]); s = socket.create_connection(("localhost", port)); print(s.recv(99) == b"child %d" % port)' $port; wait $!; echo $?`
		);
		expect({ stdout, stderr }).toEqual({ stdout: 'True\n0\n', stderr: '' });
		// Other programs do not get this information.
		await sandbox.writeFile(
			'private.py',
			`import socket, subprocess
server = socket.create_server(('127.0.0.1', 0))
subprocess.call(['sh', '-c', 'env | grep -c SANDGLASS_PYTHON'])`
		);
		expect(await run('python3 private.py')).toMatchObject({ stdout: '0\n', stderr: '' });
	});

	it('wait for commands: those of an event loop, and the pipes of others', async () => {
		await sandbox.writeFile(
			'commands.py',
			`
import asyncio, os, select, subprocess
async def main():
    both = await asyncio.create_subprocess_exec('sh', '-c', 'read x; echo out $x; echo err >&2; exit 3', stdin=-1, stdout=-1, stderr=-1)
    print(await both.communicate(b'hi\\n'), both.returncode)
    lines = await asyncio.create_subprocess_shell('for i in 1 2 3; do echo $i; sleep 0.02; done', stdout=-1)
    print([line async for line in lines.stdout], await lines.wait())
    endless = await asyncio.create_subprocess_exec('sleep', '60')
    endless.kill(); print(await endless.wait())
    large = await asyncio.create_subprocess_exec('cat', stdin=-1, stdout=-1)
    print(len((await large.communicate(b'x' * 1_000_000))[0]))
asyncio.run(main())
late = subprocess.Popen(['sh', '-c', 'until [ -e late ]; do sleep 0.01; done; echo x'], stdout=subprocess.PIPE)
print(select.select([late.stdout], [], [], 0)[0]); open('late', 'w').close()
print(select.select([late.stdout], [], [], 20)[0] == [late.stdout], os.read(late.stdout.fileno(), 9), late.wait())
`
		);
		const { stdout, stderr } = await run('python3 commands.py');
		expect({ lines: stdout.split('\n'), stderr }).toEqual({
			lines: [
				String.raw`(b'out hi\n', b'err\n') 3`,
				String.raw`[b'1\n', b'2\n', b'3\n'] 0`,
				...['-9', '1000000', '[]'],
				String.raw`True b'x\n' 0`,
				''
			],
			stderr: ''
		});
	});

	it('learn of a closed peer as over TCP, or at once by a socket file', async () => {
		// The output of CPython on Linux.
		await sandbox.writeFile(
			'closed.py',
			`import socket, time
server = socket.create_server(('localhost', 0)); client = socket.create_connection(server.getsockname())
for end, peer in ((client, server.accept()[0]), socket.socketpair()):
    peer.sendall(b'last'); peer.close()
    for call in (lambda: end.send(b'abc'), lambda: end.send(b'abc'), lambda: end.recv(9), lambda: end.recv(9)):
        time.sleep(0.02)
        try: print(call())
        except OSError as error: print(type(error).__name__)
`
		);
		const { stdout, stderr } = await run('python3 closed.py');
		const [tcp, file] = ['3 BrokenPipeError', 'BrokenPipeError BrokenPipeError'];
		expect({ stdout: stdout.split('\n').join(' '), stderr }).toEqual({
			stdout: `${tcp} b'last' b'' ${file} b'last' b'' `,
			stderr: ''
		});
	});

	it('are the base of classes with attributes of their own', async () => {
		// The attributes of `ssl.SSLSocket` and of PySocks.
		await sandbox.writeFile(
			'own.py',
			`
import socket
class Own(socket.socket):
    def __init__(self, *arguments):
        super().__init__(*arguments)
        self._connected = self._closed_by_me = self._timeout = self._options = self._channel = False
with socket.create_server(('127.0.0.1', 0)) as server, Own() as client:
    client.settimeout(5)
    client.connect(server.getsockname())
    accepted, _ = server.accept()
    with accepted:
        accepted.sendall(b'hello')
    print(client.recv(9), client.getpeername() == server.getsockname(), client.gettimeout(), client._timeout)
`
		);
		expect(await run('python3 own.py')).toMatchObject({ stdout: "b'hello' True 5.0 False\n", stderr: '' });
	});

	it('leave nothing open behind a program, and tell of a port that is taken', async () => {
		const { stdout } = await run(
			`python3 -c 'import socket; s = socket.create_server(("", 4567)); import os; os._exit(0)'; python3 -c '
import socket
with socket.create_server(("", 4567)):
    try: socket.create_server(("", 4567))
    except OSError as error: print(error.strerror.partition(" (")[0])
'`
		);
		expect(stdout).toBe('Address in use\n');
	});

	it('share memory of files and locks of multiprocessing within a process', async () => {
		await sandbox.writeFile('map.bin', 'hello world');
		await sandbox.writeFile(
			'map.py',
			`
import mmap, multiprocessing
with open('map.bin', 'r+b') as file:
    with mmap.mmap(file.fileno(), 0) as whole:
        whole[:5] = b'HELLO'; whole.flush(); print(open('map.bin').read(), whole.find(b'world'))
        whole[6:] = b'WORLD'
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as copy: copy[0] = 120
value = multiprocessing.Value('i', 1)
with value.get_lock(): value.value += 1
print(open('map.bin').read(), value.value)
`
		);
		expect(await run('python3 map.py')).toMatchObject({ stdout: 'HELLO world 6\nHELLO WORLD 2\n', stderr: '' });
	});
});
