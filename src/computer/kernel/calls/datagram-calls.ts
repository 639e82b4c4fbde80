import { packDatagram } from '#computer/abi/datagram.ts';
import { errno } from '#computer/abi/errno.ts';
import type { Computer } from '../computer.ts';
import type { Process } from '../processes/process.ts';
import { DatagramSocket } from '../sockets/datagram-socket.ts';
import type { Handlers } from './handler.ts';

type DatagramCall = 'bindDatagrams' | 'connectDatagrams' | 'sendDatagram' | 'receiveDatagram' | 'datagramSettings';

export function datagramCalls({ datagramPorts }: Computer): Pick<Handlers, DatagramCall> {
	return {
		bindDatagrams: (process, family, address, port, options) => {
			const socket = datagramPorts.bind(process, family, address, port, options);
			return { descriptor: process.open(socket), port: socket.binding.port };
		},
		connectDatagrams: (process, descriptor, address, port) =>
			datagramPorts.connect(datagramSocket(process, descriptor), address ?? null, port),
		sendDatagram: (process, descriptor, bytes, address, port) =>
			datagramPorts.send(datagramSocket(process, descriptor), bytes, address ?? null, port),
		receiveDatagram: async (process, descriptor) =>
			packDatagram(await datagramSocket(process, descriptor).receive(process)),
		datagramSettings: (process, descriptor, settings) => datagramSocket(process, descriptor).set(settings)
	};
}

/** @throws EBADF, ENOTSOCK */
export function datagramSocket(process: Process, descriptor: number): DatagramSocket {
	const socket = process.descriptor(descriptor);
	if (!(socket instanceof DatagramSocket)) throw errno('ENOTSOCK');
	return socket;
}
