import type { Runtime } from '../../runtime/runtime.ts';
import { callable } from '../callable.ts';
import { DatagramSocket } from './socket.ts';

/** `node:dgram`, over the sandbox's own loopback. */
export function createDgram(runtime: Runtime): Record<string, unknown> {
	DatagramSocket.runtime = runtime;
	return {
		Socket: callable(DatagramSocket),
		createSocket: (type: unknown, listener?: (...args: unknown[]) => void) => new DatagramSocket(type, listener)
	};
}
