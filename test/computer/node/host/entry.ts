import '#computer/build/shims/globals.ts';
import { socketCalls } from '#computer/kernel/calls/socket-calls.ts';
import type { KernelComputer } from '#computer/kernel/kernel-computer.ts';
import { Process } from '#computer/kernel/processes/process.ts';
import { Ports } from '#computer/kernel/sockets/ports.ts';
import { NullDescription } from '#computer/kernel/streams/description.ts';
import type { ProcessContext } from '#computer/process/program.ts';
import { node } from '#computer/node/program.ts';

/** The kernel's own loopback, for one process. */
function sockets() {
	const process = new Process(2, 1, 2, ['node'], '/', {});
	for (let standard = 0; standard < 3; standard++) process.open(new NullDescription());
	const { listen, accept, connect, shutdown, ports } = socketCalls({ ports: new Ports() } as KernelComputer);
	return {
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

/** The bundled program, called by the host that stands in for a worker. */
Object.assign(globalThis, { runProgram: (context: ProcessContext) => node(context), sockets });
