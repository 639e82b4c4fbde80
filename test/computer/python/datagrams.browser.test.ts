import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { pythonSandbox } from './sandbox.ts';

let sandbox: ExecutionEnvironment;
beforeAll(async () => {
	sandbox = await pythonSandbox();
});
afterAll(() => sandbox.cleanup());

/** Clients and servers of datagrams. */
const PROGRAM = String.raw`
import asyncio, errno, selectors, socket, socketserver
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); server.bind(('127.0.0.1', 0)); at = server.getsockname()
client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print(client.sendto(b'one', at), client.getsockname()[0], client.getsockname()[1] > 0)
print(server.recvfrom(2)[0]); client.sendto(b'two', ('localhost', at[1])); print(server.recvfrom(9, socket.MSG_PEEK)[0], server.recvfrom(9)[0])
client.connect(at); print(client.send(b'three'), client.getpeername() == at, client.getsockname()[0])
data, sender = server.recvfrom(9); print(data, sender == client.getsockname()); server.sendto(b'back', sender); print(client.recv(9))
buffer = bytearray(9); server.sendto(b'into', sender); print(client.recvfrom_into(buffer)[0], bytes(buffer), client.sendmsg([b'a', b'b']), server.recvmsg(9)[0])
def refused(call):
    try: print('no error', call())
    except (OSError, TypeError) as error: print(type(error).__name__, getattr(error, 'errno', None) and errno.errorcode.get(error.errno))
other = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
refused(lambda: other.bind(at)); refused(lambda: other.send(b'x')); refused(lambda: other.getpeername()); refused(lambda: client.sendto(bytes(70_000), at))
refused(lambda: other.sendto(b'x', ('255.255.255.255', 9))); other.settimeout(0.01); refused(lambda: other.recv(9)); other.setblocking(False); refused(lambda: other.recv(9))
with selectors.DefaultSelector() as selector:
    selector.register(server, selectors.EVENT_READ); print(selector.select(0)); client.send(b'ready'); print([key.fileobj is server for key, _ in selector.select(5)], server.recv(9))
six = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM); six.bind(('::', 0)); print(six.getsockname()[0])
other.sendto(b'four', ('127.0.0.1', six.getsockname()[1])); print(six.recvfrom(9)[1][0]); six.sendto(b'six', ('::1', six.getsockname()[1])); print(six.recvfrom(9)[1][0])
class Title(socketserver.BaseRequestHandler):
    def handle(self): data, answering = self.request; answering.sendto(data.title(), self.client_address)
with socketserver.UDPServer(('127.0.0.1', 0), Title) as titles:
    other.sendto(b'a title', titles.server_address); titles.handle_request(); print(other.recvfrom(9)[0])
class Echo(asyncio.DatagramProtocol):
    def connection_made(self, transport): self.transport = transport
    def datagram_received(self, data, sender): self.transport.sendto(data.upper(), sender)
class Ask(asyncio.DatagramProtocol):
    def __init__(self, done): self.done = done
    def datagram_received(self, data, sender): self.done.set_result(data)
async def main():
    loop = asyncio.get_running_loop(); done = loop.create_future()
    echo, _ = await loop.create_datagram_endpoint(Echo, local_addr=('127.0.0.1', 0))
    ask, _ = await loop.create_datagram_endpoint(lambda: Ask(done), remote_addr=echo.get_extra_info('sockname'))
    ask.sendto(b'shout'); print(await done); ask.close(); echo.close()
asyncio.run(main())
`;

/** What CPython prints on Linux. */
const OUTPUT = [
	'3 0.0.0.0 True',
	"b'on'",
	"b'two' b'two'",
	'5 True 127.0.0.1',
	"b'three' True",
	"b'back'",
	"4 b'into\\x00\\x00\\x00\\x00\\x00' 2 b'ab'",
	'OSError EADDRINUSE',
	'OSError EDESTADDRREQ',
	'OSError ENOTCONN',
	'OSError EMSGSIZE',
	'PermissionError EACCES',
	'TimeoutError None',
	'BlockingIOError EAGAIN',
	'[]',
	"[True] b'ready'",
	'::',
	'::ffff:127.0.0.1',
	'::1',
	"b'A Title'",
	"b'SHOUT'"
];

it('exchanges datagrams as CPython does', async () => {
	await sandbox.writeFile('/workspace/main.py', PROGRAM);
	const result = await sandbox.exec('python3 main.py', { timeoutMs: 60_000 });
	expect(result).toMatchObject({ stderr: '', exitCode: 0 });
	expect(result.stdout.trimEnd().split('\n')).toEqual(OUTPUT);
});

it('says what to do where a datagram would leave the sandbox', async () => {
	const send = "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('10.0.0.1', 53))";
	const { stderr, exitCode } = await sandbox.exec(`python3 -c "${send}"`, { timeoutMs: 60_000 });
	expect(stderr).toMatch(/datagrams stay inside the sandbox; reach other hosts by HTTP/);
	expect(exitCode).toBe(1);
});
