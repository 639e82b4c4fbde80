import '#computer/build/shims/globals.ts';
import { datagramCalls } from '#computer/kernel/calls/datagram-calls.ts';
import { socketCalls } from '#computer/kernel/calls/socket-calls.ts';
import type { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { DatagramPorts } from '#computer/kernel/sockets/datagram-ports.ts';
import { Ports } from '#computer/kernel/sockets/ports.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import { FileDescription } from '#computer/kernel/streams/file-description.ts';
import { FileLocks } from '#computer/kernel/streams/file-locks.ts';
import { createVolume } from '#computer/volume/first-files.ts';
import type { LockMode, Syscalls } from '#computer/abi/syscalls.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { node } from '#computer/node/program.ts';

/** Descriptors of files, beyond those of sockets. */
const FIRST_FILE = 100_000;

/** The kernel's own loopback, for one process. */
function sockets() {
	const process = new Process(2, 1, 2, ['node'], '/', {});
	for (let standard = 0; standard < 3; standard++) process.open(new NullDescription());
	const { listen, accept, connect, shutdown, ports } = socketCalls({ ports: new Ports() } as KernelComputer);
	const datagrams = datagramCalls({ datagramPorts: new DatagramPorts() } as KernelComputer);
	return {
		bindDatagrams: (...args: Parameters<Syscalls['bindDatagrams']>) => datagrams.bindDatagrams(process, ...args),
		connectDatagrams: (...args: Parameters<Syscalls['connectDatagrams']>) =>
			datagrams.connectDatagrams(process, ...args),
		sendDatagram: (...args: Parameters<Syscalls['sendDatagram']>) => datagrams.sendDatagram(process, ...args),
		receiveDatagram: (descriptor: number) => datagrams.receiveDatagram(process, descriptor),
		datagramSettings: (...args: Parameters<Syscalls['datagramSettings']>) =>
			datagrams.datagramSettings(process, ...args),
		listen: (host: string, port: number) => listen(process, host, port),
		accept: (descriptor: number) => accept(process, descriptor),
		connect: (host: string, port: number) => connect(process, host, port),
		shutdown: (descriptor: number) => shutdown(process, descriptor),
		ports: () => ports(process),
		read: (descriptor: number, max: number) => process.descriptor(descriptor).read(max, process),
		write: (descriptor: number, bytes: Uint8Array) => process.descriptor(descriptor).write(bytes, process),
		close: (descriptor: number) => process.close(descriptor)
	};
}

/** The kernel's locks, for one process; contents are the machine's. */
function lockedFiles() {
	const volume = createVolume([]);
	const locks = new FileLocks(volume);
	const open = new Map<number, FileDescription>();
	return {
		open: (path: string) => {
			const name = `/workspace/${encodeURIComponent(path)}`;
			volume.appendFile(name, new Uint8Array(0));
			const descriptor = FIRST_FILE + open.size;
			open.set(descriptor, new FileDescription(volume, name, 'read').retain());
			return descriptor;
		},
		lock: (descriptor: number, start: number, length: number, mode: LockMode) =>
			locks.set(open.get(descriptor)!, start, length, mode),
		close: (descriptor: number) => {
			open.get(descriptor)?.release();
			return open.has(descriptor);
		}
	};
}

/** The bundled program, called by the host that stands in for a worker. */
Object.assign(globalThis, { runProgram: (context: ProcessContext) => node(context), sockets, lockedFiles });
