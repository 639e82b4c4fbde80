import { nodeError, unsupported } from '../runtime/errors.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { extendPorts } from './ports.ts';
import type { ThreadStart } from './messages.ts';
import { pairedChannel, receiveMessageOnPort } from './port-mail.ts';
import { Worker } from './worker.ts';

/** `worker_threads`: each thread is a worker of the browser with its own files, streams and port. */
export function createWorkerThreads(runtime: Runtime, thread: ThreadStart | null): Record<string, unknown> {
	extendPorts(runtime.loop);
	const environmentData = new Map<unknown, unknown>(thread?.environmentData);
	Worker.host = { runtime, environmentData };
	return {
		Worker,
		isMainThread: thread === null,
		isInternalThread: false,
		parentPort: thread?.port ?? null,
		workerData: thread?.workerData ?? null,
		threadId: thread?.threadId ?? 0,
		threadName: thread?.name ?? '',
		resourceLimits: {},
		SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
		MessageChannel: pairedChannel(globalThis.MessageChannel),
		MessagePort: globalThis.MessagePort,
		BroadcastChannel: globalThis.BroadcastChannel,
		receiveMessageOnPort,
		moveMessagePortToContext: () => {
			throw unsupported('worker_threads.moveMessagePortToContext()', 'Transfer the port with postMessage().');
		},
		markAsUntransferable: () => undefined,
		isMarkedAsUntransferable: () => false,
		markAsUncloneable: () => undefined,
		postMessageToThread: () =>
			Promise.reject(nodeError(Error, 'ERR_WORKER_MESSAGING_FAILED', 'Cannot find the destination thread')),
		getEnvironmentData: (key: unknown) => environmentData.get(key),
		setEnvironmentData: (key: unknown, value: unknown) => {
			if (value === undefined) environmentData.delete(key);
			else environmentData.set(key, value);
		}
	};
}
