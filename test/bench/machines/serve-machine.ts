// Serves one machine over WebSockets until its parent asks it to close: `serve-machine ENGINE MACHINE`.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { WebSocketServer } from 'ws';
import { LinkAcceptor } from '../../../src/environment/remote/accept.ts';
import { EnvironmentHost } from '../../../src/environment/remote/host.ts';
import { webSocketChannel } from '../../../src/environment/remote/web-socket-channel.ts';
import { benchProvider } from './provider.ts';

const [, , engine = '', machine = ''] = process.argv;
const provider = benchProvider(engine);
const acceptor = new LinkAcceptor({
	open: async (_id, link) => new EnvironmentHost(await provider.attach(machine), link)
});
const server = createServer();
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => acceptor.accept(webSocketChannel(socket)));
server.listen(0, '127.0.0.1', () => process.send?.(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`));
process.on('message', () => {
	void acceptor.close().then(() => {
		for (const client of sockets.clients) client.terminate();
		server.close();
		process.disconnect();
	});
});
