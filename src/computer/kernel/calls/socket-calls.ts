import { errno } from '#computer/abi/errno.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { Listener } from '../sockets/listener.ts';
import { connectedPair, SocketEnd } from '../sockets/socket.ts';
import type { Handlers } from './handler.ts';

type SocketCall =
	| ('socketPair' | 'listen' | 'listenAt' | 'accept' | 'connect' | 'connectTo' | 'shutdown' | 'ports')
	| ('handOver' | 'takeOver');

export function socketCalls({ ports, socketFiles, table }: Computer): Pick<Handlers, SocketCall> {
	return {
		socketPair: (process) => {
			const [here, there] = connectedPair(0, 0);
			return { here: process.open(here), there: process.open(there) };
		},
		listen: (process, host, port) => {
			const listener = ports.listen(process, host, port);
			return { descriptor: process.open(listener), port: listener.port };
		},
		listenAt: (process, path) => process.open(socketFiles.listen(process, path)),
		accept: async (process, descriptor) => {
			const listener = process.descriptor(descriptor);
			if (!(listener instanceof Listener)) throw errno('EINVAL', undefined, 'this descriptor does not listen');
			const socket = await listener.accept(process);
			try {
				if (process.ended) throw errno('ESRCH');
				return opened(process, socket);
			} finally {
				socket.release();
			}
		},
		connect: (process, host, port) => opened(process, ports.connect(host, port)),
		connectTo: (process, path) => process.open(socketFiles.connect(path)),
		shutdown: (process, descriptor, isCut) => {
			const socket = process.descriptor(descriptor);
			if (!(socket instanceof SocketEnd)) throw errno('ENOTSOCK');
			if (isCut) socket.cut();
			else socket.shut();
		},
		ports: () => ports.list(),
		handOver: (process, descriptor, pid) => {
			const description = process.descriptor(descriptor);
			const receiver = table.get(pid);
			if (!receiver || receiver.ended) throw errno('ESRCH');
			if (receiver.session !== process.session)
				throw errno('EPERM', undefined, `process ${pid} was not started by the same command`);
			return receiver.handedOver.put(description);
		},
		takeOver: (process, number) => process.handedOver.take(number, (description) => process.open(description))
	};
}

function opened(process: Process, socket: SocketEnd) {
	const { localPort, remotePort } = socket;
	return { descriptor: process.open(socket), localPort, remotePort };
}
