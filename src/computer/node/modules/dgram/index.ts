import type { Runtime } from '../../runtime/runtime.ts';
import { callable } from '../callable.ts';
import { Socket } from './socket.ts';

/** `node:dgram`, over the sandbox's own loopback. */
export function createDgram(runtime: Runtime): Record<string, unknown> {
	Socket.runtime = runtime;
	return {
		Socket: callable(Socket),
		createSocket: (type: unknown, listener?: (...args: unknown[]) => void) => new Socket(type, listener)
	};
}
